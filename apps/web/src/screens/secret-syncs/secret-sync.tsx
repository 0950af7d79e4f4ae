import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Detail, Facts, Part, Status } from '../../ui/detail.tsx';
import { Queried } from '../../ui/query.tsx';
import { importState, isRunning, removalState, syncState, WHILE_RUNNING } from '../../ui/run-state.ts';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { Time } from '../../ui/time.tsx';
import { FirstSync } from './first-sync.tsx';
import { Plan } from './plan.tsx';
import { SyncActions } from './sync-actions.tsx';
import { useDestinations, type Destination, type SecretSync } from './sync.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** One sync: how its runs went, and what the next one does. */
export function Screen() {
  const { destination = '', syncId = '' } = useParams({ strict: false });
  const found = useQuery({
    ...ask('secretSyncs', 'get', { destination: destination as Destination, syncId }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data.secretSync) ? WHILE_RUNNING : false),
  });
  return <Queried query={found}>{({ secretSync }) => <Sync of={secretSync} />}</Queried>;
}

function Sync({ of: sync }: { readonly of: SecretSync }) {
  const { data: destinations } = useDestinations();
  const option = destinations?.find((one) => one.destination === sync.destination);
  const [imported, removed] = [importState(sync), removalState(sync)];
  const may = useProjectRights(sync.projectId);
  const isFirst = sync.syncStatus === null;
  return (
    <Detail
      title={sync.name}
      events={{ about: { syncId: sync.id } }}
      back={{
        label: texts.secretSyncs,
        to: '/projects/$projectId/secret-syncs',
        params: { projectId: sync.projectId },
      }}
      actions={<SyncActions of={sync} canImport={option?.canImportSecrets ?? false} />}
    >
      {isFirst && <FirstSync of={sync} />}
      <Part title={texts.runs}>
        <Facts
          of={[
            [texts.lastSync, <Status key="sync" {...syncState(sync)} />],
            [texts.lastImport, imported && <Status key="import" {...imported} />],
            [texts.lastRemoval, removed && <Status key="removal" {...removed} />],
            [texts.changesOfFolder, sync.isAutoSyncEnabled ? texts.areWrittenAtOnce : texts.areWrittenOnRequest],
          ]}
        />
      </Part>
      {!isFirst && !isRunning(sync) && may('secret-syncs', 'sync-secrets') && (
        <Part title={texts.whatNextSyncDoes}>
          <Plan key={sync.lastSyncedAt} of={sync} />
        </Part>
      )}
      <Configuration of={sync} title={option?.name ?? sync.destination} />
    </Detail>
  );
}

function Configuration({ of: sync, title }: { readonly of: SecretSync; readonly title: string }) {
  const { projectId, connection, environment, folder } = sync;
  return (
    <Part title={title}>
      <Facts
        of={[
          [words.description, sync.description],
          [
            words.from,
            <Link
              key="from"
              to="/projects/$projectId/secrets"
              params={{ projectId }}
              search={{ path: folder?.path ?? '/' }}
            >
              {environment.name} {folder?.path ?? texts.deletedFolder}
            </Link>,
          ],
          [words.connection, connection.name],
          ...Object.entries(sync.destinationConfig).map(([name, value]) => [labelOf(name), valueText(value)] as const),
          ...Object.entries(sync.syncOptions).map(([name, value]) => [labelOf(name), valueText(value)] as const),
          [words.created, <Time key="created" at={sync.createdAt} />],
        ]}
      />
    </Part>
  );
}
