import type { CofferError, Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';

/** What rules can be about, by subject: its actions, and the fields that conditions can name. */
export type Catalogue = ReadonlyMap<
  string,
  { readonly actions: readonly string[]; readonly conditions: readonly string[] }
>;

type Answer = Outputs['access']['me'];

/** The subjects of a project, or of the organization; empty until they are known. */
export function useCatalogue(projectId?: string): Catalogue {
  const { data } = useQuery<Answer, CofferError>(
    projectId ? ask('access', 'me', { projectId }) : ask('access', 'meInOrganization', {}),
  );
  return toCatalogue(data?.access.table ?? []);
}

const toCatalogue = (table: Answer['access']['table']): Catalogue =>
  new Map(
    [...Map.groupBy(table, ({ subject }) => subject)].map(([subject, rows]) => [
      subject,
      { actions: rows.map(({ action }) => action), conditions: rows[0]!.conditions },
    ]),
  );
