import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Pager, SearchField, useSearched } from './search.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** All organizations, with how much is in them. What it is, only their members see. */
export function Organizations() {
  const organizations = useQuery(ask('instanceManagement', 'listOrganizations', useSearched()));
  return (
    <>
      <SearchField label={texts.searchNames} />
      <Queried query={organizations}>
        {({ organizations: all }) => (
          <>
            <Table
              label={texts.organizations}
              rows={all}
              keyOf={({ id }) => id}
              empty={texts.noOrganizationHasThisName}
              columns={[
                { title: words.name, cell: ({ name }) => name },
                { title: words.slug, cell: ({ slug }) => <code>{slug}</code> },
                { title: texts.users, cell: ({ members }) => members },
                { title: words.machineIdentities, cell: ({ identities }) => identities },
                { title: words.projects, cell: ({ projects }) => projects },
                { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
              ]}
            />
            <Pager shown={all.length} />
          </>
        )}
      </Queried>
    </>
  );
}
