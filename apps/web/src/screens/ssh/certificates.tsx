import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Creation, NewButton } from '../../ui/creation.tsx';
import { Status } from '../../ui/detail.tsx';
import { emptyText } from '../../ui/empty-text.ts';
import { Page } from '../../ui/page.tsx';
import { Pager, usePage } from '../../ui/pager.tsx';
import { Queried } from '../../ui/query.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CredentialsDialog, type Credentials } from './credentials.tsx';
import { templatePart } from './parts.tsx';
import { stateOf } from './ssh-certificate.ts';
import { SshTabs } from './tabs.ts';

const PAGE = 25;

/** What is issued by templates and for hosts, newest first. */
export function Screen() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const page = usePage(PAGE);
  const found = useQuery(ask('sshCertificates', 'list', { projectId, ...page }));
  return (
    <Page
      title="SSH certificates"
      lead="What is issued to users and hosts. Private keys are not kept."
      actions={may('ssh-certificates', 'create') && <NewButton>New certificate</NewButton>}
    >
      <SshTabs />
      <Queried query={found}>
        {({ certificates, totalCount }) => (
          <>
            <Table
              label="SSH certificates"
              rows={certificates}
              keyOf={({ id }) => id}
              empty={emptyText(may, 'ssh-certificates', 'None is issued yet.')}
              columns={[
                {
                  title: 'Key ID',
                  cell: ({ serialNumber, keyId }) => (
                    <Link to="/projects/$projectId/ssh/certificates/$serialNumber" params={{ projectId, serialNumber }}>
                      {keyId}
                    </Link>
                  ),
                },
                { title: 'For', cell: ({ certType }) => certType },
                { title: 'Principals', cell: ({ principals }) => principals.join(', ') },
                { title: 'Status', cell: (one) => <Status {...stateOf(one)} /> },
                { title: 'Ends', cell: ({ notAfter }) => <Time at={notAfter} /> },
              ]}
            />
            <Pager {...page} total={totalCount} />
          </>
        )}
      </Queried>
      <Issue />
    </Page>
  );
}

const WAYS = [
  { id: 'issue', name: 'With a new key', detail: 'Shown once' },
  { id: 'sign', name: 'For a key that you have', detail: 'Its public key is signed' },
] as const;

const COMMON = {
  parts: { certificateTemplateId: templatePart },
  prominent: ['certType', 'ttl'],
  initial: { principals: [''] },
  affects: ['sshCertificates'],
} as const;

function Issue() {
  const [issued, setIssued] = useState<Credentials>();
  const [, go] = useAddress();
  const done = (credentials: Credentials) => {
    go({ new: undefined });
    setIssued(credentials);
  };
  if (issued) return <CredentialsDialog of={issued} onClose={() => setIssued(undefined)} />;
  return (
    <Creation what="SSH certificate" types={WAYS} typeOf={(way) => way}>
      {({ id }, close) => (
        <OperationForm
          {...COMMON}
          area="sshCertificates"
          procedure={id}
          submit={id === 'issue' ? 'Issue' : 'Sign'}
          onCancel={close}
          onDone={done}
        />
      )}
    </Creation>
  );
}
