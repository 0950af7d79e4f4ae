import { statement, type LeftElsewhere, type Transaction } from '../kernel/index.ts';
import { publishersIn } from '../secrets/publication/index.ts';

const OTHERS = (where: string) => `
  select 'pki-sync' as kind, s.id, s.name from pki_syncs s where s.${where}
  union all
  select 'managed-password' as kind, c.id, c.name from app_connections c where c.${where} and c.is_platform_managed
  order by 1, 3, 2`;
const IN_PROJECT = statement('left_elsewhere.in_project', OTHERS('project_id = $1'));
const IN_ORGANIZATION = statement('left_elsewhere.in_organization', OTHERS('organization_id = $1'));

/** What stays at other systems when a project, or an organization, is deleted; for the event. */
export async function leftElsewhere(
  tx: Transaction,
  { organizationId, projectId }: { organizationId: string; projectId?: string },
): Promise<LeftElsewhere> {
  const others =
    projectId === undefined
      ? await tx.sql<LeftElsewhere[number]>(IN_ORGANIZATION, [organizationId])
      : await tx.sql<LeftElsewhere[number]>(IN_PROJECT, [projectId]);
  return [...(await publishersIn(tx, { projectId })), ...others];
}
