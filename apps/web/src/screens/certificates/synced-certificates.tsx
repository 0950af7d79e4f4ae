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
import { texts } from './syncs.texts.ts';
import { words } from '../../ui/words.texts.ts';

const PAGE = 20;

/** What is written, and how that went for each. */
export function SyncedCertificates({ of: { id: pkiSyncId, projectId } }: { readonly of: PkiSync }) {
  const page = usePage(PAGE);
  const may = useProjectRights(projectId);
  const found = useQuery(ask('pkiSyncs', 'listCertificates', { pkiSyncId, ...page }));
  const remove = useChange('pkiSyncs', 'removeCertificates');
  return (
    <Part title={words.certificates}>
      {may('pki-syncs', 'edit') && (
        <Row>
          <AddCertificates pkiSyncId={pkiSyncId} />
        </Row>
      )}
      <Queried query={found}>
        {({ certificates, totalCount }) => (
          <>
            <Table
              label={texts.certificatesOfSync}
              rows={certificates}
              keyOf={({ id }) => id}
              empty={texts.itHasNoCertificate}
              columns={[
                {
                  title: words.name,
                  cell: ({ certificateId: id, certificateCommonName }) => (
                    <Link to="/projects/$projectId/certificates/$id" params={{ projectId, id }}>
                      {certificateCommonName}
                    </Link>
                  ),
                },
                { title: words.ends, cell: ({ certificateNotAfter }) => <Time at={certificateNotAfter} /> },
                {
                  title: texts.there,
                  cell: ({ syncStatus, lastSyncedAt, lastSyncMessage }) => (
                    <Status {...(stateOf(syncStatus, lastSyncedAt, lastSyncMessage) ?? { text: texts.notYet })} />
                  ),
                },
                {
                  title: words.actions,
                  cell: ({ certificateId, certificateCommonName }) =>
                    may('pki-syncs', 'edit') && (
                      <Act
                        label={words.remove}
                        run={() => remove.mutateAsync({ pkiSyncId, certificateIds: [certificateId] })}
                        done={texts.isNoLongerInSync(certificateCommonName)}
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
  <FormButton label={texts.addCertificates} title={texts.addCertificatesToSync}>
    {(close) => (
      <OperationForm
        area="pkiSyncs"
        procedure="addCertificates"
        given={{ pkiSyncId }}
        parts={PARTS}
        submit={words.add}
        {...formEnd(close, texts.theyAreInSync)}
      />
    )}
  </FormButton>
);
