import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { Detail, Facts, Part, Status } from '../../ui/detail.tsx';
import { FormButton, formEnd } from '../../ui/form-button.tsx';
import { Queried } from '../../ui/query.tsx';
import { isRunning, removalState, syncState, WHILE_RUNNING } from '../../ui/run-state.ts';
import { areaOf } from '../../ui/schema-form/area.ts';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { RemoveWritten, SyncNow } from '../../ui/sync-acts.tsx';
import { SyncPlan } from '../../ui/sync-plan.tsx';
import { Time } from '../../ui/time.tsx';
import { SyncedCertificates } from './synced-certificates.tsx';
import { syncParts } from './sync-parts.tsx';
import { refOf, useDestinations, type Destination, type PkiSync } from './sync.ts';
import { texts } from './syncs.texts.ts';
import { words } from '../../ui/words.texts.ts';

interface OfSync {
  readonly of: PkiSync;
}

/** One sync: how its runs went, and which certificates it writes. */
export function Screen() {
  const { destination = '', pkiSyncId = '' }: { destination?: string; pkiSyncId?: string } = useParams({
    strict: false,
  });
  const found = useQuery({
    ...ask('pkiSyncs', 'get', { destination: destination as Destination, pkiSyncId }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? WHILE_RUNNING : false),
  });
  return <Queried query={found}>{(sync) => <Sync of={sync} />}</Queried>;
}

function Sync({ of: sync }: OfSync) {
  const { data: destinations } = useDestinations();
  const removed = removalState(sync);
  const may = useProjectRights(sync.projectId);
  return (
    <Detail
      title={sync.name}
      events={{ about: { pkiSyncId: sync.id } }}
      back={{
        label: texts.certificateSyncs,
        to: '/projects/$projectId/certificates/syncs',
        params: { projectId: sync.projectId },
      }}
      actions={<SyncActions of={sync} />}
    >
      <Part title={texts.runs}>
        <Facts
          of={[
            [texts.lastSync, <Status key="sync" {...syncState(sync)} />],
            [texts.lastRemoval, removed && <Status key="removal" {...removed} />],
            [texts.newCertificates, sync.isAutoSyncEnabled ? texts.areWrittenAtOnce : texts.areWrittenOnRequest],
          ]}
        />
      </Part>
      {!isRunning(sync) && may('pki-syncs', 'sync-certificates') && (
        <Part title={texts.whatNextSyncDoes}>
          <Plan key={sync.lastSyncedAt} of={sync} />
        </Part>
      )}
      <SyncedCertificates of={sync} />
      <Part title={destinations?.find((one) => one.destination === sync.destination)?.name ?? sync.destination}>
        <Facts
          of={[
            [words.description, sync.description],
            [words.connection, sync.connection.name],
            [texts.subscriber, sync.subscriber?.name],
            ...Object.entries({ ...sync.destinationConfig, ...sync.syncOptions }).map(
              ([name, value]) => [labelOf(name), valueText(value)] as const,
            ),
            [words.created, <Time key="created" at={sync.createdAt} />],
          ]}
        />
      </Part>
    </Detail>
  );
}

function Plan({ of: sync }: OfSync) {
  const ref = refOf(sync);
  return (
    <SyncPlan
      queryKey={['pkiSyncs', 'plan', ref, sync.updatedAt]}
      read={(signal) => coffer.pkiSyncs.plan.mutate(ref, { signal })}
      effectsOf={({ create, replace, remove, rejected }) => [
        [texts.createsThere, create.map(planned)],
        [texts.replacesThere, replace.map(planned)],
        [texts.removesThere, remove],
        [texts.cannotBeWritten, rejected.map(({ commonName, reason }) => `${commonName} (${reason})`)],
      ]}
    />
  );
}

const planned = ({ commonName, name }: { readonly commonName: string; readonly name: string }): string =>
  texts.commonNameAsName(commonName, name);

function SyncActions({ of: sync }: OfSync) {
  const { id: pkiSyncId, name, projectId, connection, destination } = sync;
  const may = useProjectRights(projectId);
  const start = useChange('pkiSyncs', 'syncCertificates');
  const take = useChange('pkiSyncs', 'removeFromDestination');
  const remove = useChange('pkiSyncs', 'delete');
  const navigate = useNavigate();
  const parts = useMemo(() => syncParts(connection.app), [connection.app]);
  const isDisabled = isRunning(sync);
  return (
    <>
      {may('pki-syncs', 'sync-certificates') && (
        <SyncNow name={name} isDisabled={isDisabled} run={() => start.mutateAsync(refOf(sync))} />
      )}
      {may('pki-syncs', 'edit') && (
        <FormButton label={words.update} title={texts.updateName(name)}>
          {(close) => (
            <OperationForm
              area={areaOf(destination, 'PkiSyncs')}
              procedure="update"
              given={{ pkiSyncId }}
              update={{ current: sync, partial: ['syncOptions'] }}
              parts={parts}
              affects={['pkiSyncs']}
              submit={words.save}
              {...formEnd(close, texts.isUpdated(name))}
            />
          )}
        </FormButton>
      )}
      {may('pki-syncs', 'remove-certificates') && (
        <RemoveWritten
          name={name}
          isDisabled={isDisabled}
          run={() => take.mutateAsync(refOf(sync))}
          stays={texts.certificatesStayHere}
        />
      )}
      {may('pki-syncs', 'delete') && (
        <Act
          label={words.delete}
          kind="danger"
          run={async () => {
            await remove.mutateAsync(refOf(sync));
            await navigate({ to: '/projects/$projectId/certificates/syncs', params: { projectId } });
          }}
          done={texts.syncIsDeleted(name)}
          ask={{ title: texts.deleteSync(name), children: <p>{texts.whatItHasWritten}</p> }}
        />
      )}
    </>
  );
}
