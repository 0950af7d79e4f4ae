import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Part, Status } from '../../ui/detail.tsx';
import { Row } from '../../ui/field.tsx';
import { FormButton, formEnd } from '../../ui/form-button.tsx';
import { Pager, usePage } from '../../ui/pager.tsx';
import { Queried } from '../../ui/query.tsx';
import { stateOf } from '../../ui/run-state.ts';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { certificatesPart } from './sync-parts.tsx';
import type { PkiSync } from './sync.ts';

const PAGE = 20;

/** What is written, and how that went for each. */
export function SyncedCertificates({ of: { id: pkiSyncId, projectId } }: { readonly of: PkiSync }) {
  const page = usePage(PAGE);
  const may = useProjectRights(projectId);
  const found = useQuery(ask('pkiSyncs', 'listCertificates', { pkiSyncId, ...page }));
  const remove = useChange('pkiSyncs', 'removeCertificates');
  return (
    <Part title="Certificates">
      {may('pki-syncs', 'edit') && (
        <Row>
          <AddCertificates pkiSyncId={pkiSyncId} />
        </Row>
      )}
      <Queried query={found}>
        {({ certificates, totalCount }) => (
          <>
            <Table
              label="Certificates of the sync"
              rows={certificates}
              keyOf={({ id }) => id}
              empty="It has no certificate yet: add some, or choose a subscriber."
              columns={[
                {
                  title: 'Name',
                  cell: ({ certificateId: id, certificateCommonName }) => (
                    <Link to="/projects/$projectId/certificates/$id" params={{ projectId, id }}>
                      {certificateCommonName}
                    </Link>
                  ),
                },
                { title: 'Ends', cell: ({ certificateNotAfter }) => <Time at={certificateNotAfter} /> },
                {
                  title: 'There',
                  cell: ({ syncStatus, lastSyncedAt, lastSyncMessage }) => (
                    <Status {...(stateOf(syncStatus, lastSyncedAt, lastSyncMessage) ?? { text: 'Not yet' })} />
                  ),
                },
                {
                  title: 'Actions',
                  cell: ({ certificateId, certificateCommonName }) =>
                    may('pki-syncs', 'edit') && (
                      <Act
                        label="Remove"
                        run={() => remove.mutateAsync({ pkiSyncId, certificateIds: [certificateId] })}
                        done={`${certificateCommonName} is no longer in the sync`}
                      />
                    ),
                },
              ]}
            />
            <Pager {...page} total={totalCount} />
          </>
        )}
      </Queried>
    </Part>
  );
}

const PARTS = { certificateIds: certificatesPart };

const AddCertificates = ({ pkiSyncId }: { readonly pkiSyncId: string }) => (
  <FormButton label="Add certificates" title="Add certificates to the sync">
    {(close) => (
      <OperationForm
        area="pkiSyncs"
        procedure="addCertificates"
        given={{ pkiSyncId }}
        parts={PARTS}
        submit="Add"
        {...formEnd(close, 'They are in the sync')}
      />
    )}
  </FormButton>
);
