import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Creation, NewButton } from '../../ui/creation.tsx';
import { Status } from '../../ui/detail.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { isRunning, syncState, WHILE_RUNNING } from '../../ui/run-state.ts';
import { areaOf } from '../../ui/schema-form/area.ts';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { Table } from '../../ui/table.tsx';
import { syncParts } from './sync-parts.tsx';
import { SYNC, useDestinations, type Destination } from './sync.ts';
import { CertificateTabs } from './tabs.ts';
import { texts } from './syncs.texts.ts';
import { words } from '../../ui/words.texts.ts';

/** What writes certificates to other systems. */
export function Screen() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const destinations = useDestinations();
  const syncs = useQuery({
    ...ask('pkiSyncs', 'listAll', { projectId }),
    refetchInterval: ({ state }) => (state.data?.pkiSyncs.some(isRunning) ? WHILE_RUNNING : false),
  });
  return (
    <Page
      title={texts.certificateSyncs}
      lead={texts.certificatesWithTheirKeys}
      actions={may('pki-syncs', 'create') && <NewButton>{texts.newSync}</NewButton>}
    >
      <CertificateTabs />
      <Queried query={syncs}>
        {({ pkiSyncs }) => (
          <Table
            label={texts.certificateSyncs}
            rows={pkiSyncs}
            keyOf={({ id }) => id}
            empty={texts.noCertificateIsWritten}
            columns={[
              {
                title: words.name,
                cell: ({ id, name, destination }) => (
                  <Link to={SYNC} params={{ projectId, destination, pkiSyncId: id }}>
                    {name}
                  </Link>
                ),
              },
              {
                title: texts.to,
                cell: ({ destination }) =>
                  destinations.data?.find((one) => one.destination === destination)?.name ?? destination,
              },
              { title: texts.ofSubscriber, cell: ({ subscriber }) => subscriber?.name ?? '–' },
              { title: words.connection, cell: ({ connection }) => connection.name },
              { title: texts.lastSync, cell: (sync) => <Status {...syncState(sync)} /> },
            ]}
          />
        )}
      </Queried>
      <Creation
        what={texts.sync}
        types={destinations}
        typeOf={({ destination, name, missingSetting }) => ({ id: destination, name, missingSetting })}
      >
        {(option, close) => <SyncForm option={option} onClose={close} />}
      </Creation>
    </Page>
  );
}

type Option = Outputs['pkiSyncs']['options']['pkiSyncOptions'][number];

function SyncForm({ option, onClose }: { readonly option: Option; readonly onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const destination = option.destination as Destination;
  return (
    <OperationForm
      area={areaOf(destination, 'PkiSyncs')}
      procedure="create"
      given={{ projectId }}
      parts={useMemo(() => syncParts(option.connection), [option.connection])}
      affects={['pkiSyncs']}
      submit={words.create}
      onCancel={onClose}
      onDone={({ id }) => void navigate({ to: SYNC, params: { projectId, destination, pkiSyncId: id } })}
    />
  );
}
