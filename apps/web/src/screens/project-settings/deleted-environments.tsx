import { useQuery } from '@tanstack/react-query';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Those that can come back. */
export function DeletedEnvironments({ projectId }: { readonly projectId: string }) {
  const may = useProjectRights(projectId);
  const { data } = useQuery(ask('environments', 'listDeleted', { projectId }));
  const restore = useChange('environments', 'restore', ['projects', 'environments', 'secrets']);
  if (!data || data.environments.length === 0) return null;
  return (
    <>
      <h3>{texts.deletedEnvironments}</h3>
      <Table
        label={texts.deletedEnvironments}
        rows={data.environments}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          { title: words.name, cell: ({ name }) => name },
          { title: texts.deleted, cell: ({ deletedAt }) => <Time at={deletedAt} /> },
          { title: texts.canBeRestoredUntil, cell: ({ restorableUntil }) => <Time at={restorableUntil} /> },
          {
            title: texts.restore,
            cell: ({ id, name }) =>
              may('environments', 'create') && (
                <Act
                  label={texts.restore}
                  run={() => restore.mutateAsync({ projectId, id })}
                  done={texts.isThereAgain(name)}
                />
              ),
          },
        ]}
      />
    </>
  );
}
