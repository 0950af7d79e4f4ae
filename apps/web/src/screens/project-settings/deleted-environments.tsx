import { useQuery } from '@tanstack/react-query';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** Those that can come back. */
export function DeletedEnvironments({ projectId }: { readonly projectId: string }) {
  const may = useProjectRights(projectId);
  const { data } = useQuery(ask('environments', 'listDeleted', { projectId }));
  const restore = useChange('environments', 'restore', ['projects', 'environments', 'secrets']);
  if (!data || data.environments.length === 0) return null;
  return (
    <>
      <h3>Deleted environments</h3>
      <Table
        label="Deleted environments"
        rows={data.environments}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Deleted', cell: ({ deletedAt }) => <Time at={deletedAt} /> },
          { title: 'Can be restored until', cell: ({ restorableUntil }) => <Time at={restorableUntil} /> },
          {
            title: 'Restore',
            cell: ({ id, name }) =>
              may('environments', 'create') && (
                <Act
                  label="Restore"
                  run={() => restore.mutateAsync({ projectId, id })}
                  done={`${name} is there again.`}
                />
              ),
          },
        ]}
      />
    </>
  );
}
