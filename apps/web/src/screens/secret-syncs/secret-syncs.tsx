import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { NewButton } from '../../ui/creation.tsx';
import { Status } from '../../ui/detail.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { isRunning, syncState, WHILE_RUNNING } from '../../ui/run-state.ts';
import { Table } from '../../ui/table.tsx';
import { NewSync } from './new-sync.tsx';
import { useDestinations } from './sync.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The folders of a project that are written to other systems. */
export function Screen() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const { data: destinations } = useDestinations();
  const syncs = useQuery({
    ...ask('secretSyncs', 'listAll', { projectId }),
    refetchInterval: ({ state }) => (state.data?.secretSyncs.some(isRunning) ? WHILE_RUNNING : false),
  });
  return (
    <Page
      title={texts.secretSyncs}
      lead={texts.foldersWhoseSecretsAreWritten}
      actions={may('secret-syncs', 'create') && <NewButton>{texts.newSync}</NewButton>}
    >
      <Queried query={syncs}>
        {({ secretSyncs }) => (
          <Table
            label={texts.secretSyncs}
            rows={secretSyncs}
            keyOf={({ id }) => id}
            empty={texts.nothingIsSyncedYet}
            columns={[
              {
                title: words.name,
                cell: ({ id, name, destination }) => (
                  <Link
                    to="/projects/$projectId/secret-syncs/$destination/$syncId"
                    params={{ projectId, destination, syncId: id }}
                  >
                    {name}
                  </Link>
                ),
              },
              {
                title: words.from,
                cell: ({ environment, folder }) => `${environment.name} ${folder?.path ?? texts.deletedFolder}`,
              },
              {
                title: texts.to,
                cell: ({ destination }) =>
                  destinations?.find((one) => one.destination === destination)?.name ?? destination,
              },
              { title: words.connection, cell: ({ connection }) => connection.name },
              { title: texts.lastSync, cell: (sync) => <Status {...syncState(sync)} /> },
            ]}
          />
        )}
      </Queried>
      <NewSync />
    </Page>
  );
}
