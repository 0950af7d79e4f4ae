import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Pager, SearchField, useSearched } from './search.tsx';

/** All organizations, with how much is in them. What it is, only their members see. */
export function Organizations() {
  const organizations = useQuery(ask('instanceManagement', 'listOrganizations', useSearched()));
  return (
    <>
      <SearchField label="Search names" />
      <Queried query={organizations}>
        {({ organizations: all }) => (
          <>
            <Table
              label="Organizations"
              rows={all}
              keyOf={({ id }) => id}
              empty="No organization has this name."
              columns={[
                { title: 'Name', cell: ({ name }) => name },
                { title: 'Slug', cell: ({ slug }) => <code>{slug}</code> },
                { title: 'Users', cell: ({ members }) => members },
                { title: 'Machine identities', cell: ({ identities }) => identities },
                { title: 'Projects', cell: ({ projects }) => projects },
                { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
              ]}
            />
            <Pager shown={all.length} />
          </>
        )}
      </Queried>
    </>
  );
}
