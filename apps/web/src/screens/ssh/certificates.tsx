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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const PAGE = 25;

/** What is issued by templates and for hosts, newest first. */
export function Screen() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const page = usePage(PAGE);
  const found = useQuery(ask('sshCertificates', 'list', { projectId, ...page }));
  return (
    <Page
      title={texts.sshCertificates}
      lead={texts.whatIsIssuedToUsers}
      actions={may('ssh-certificates', 'create') && <NewButton>{texts.newCertificate}</NewButton>}
    >
      <SshTabs />
      <Queried query={found}>
        {({ certificates, totalCount }) => (
          <>
            <Table
              label={texts.sshCertificates}
              rows={certificates}
              keyOf={({ id }) => id}
              empty={emptyText(may, 'ssh-certificates', texts.noneIsIssuedYet)}
              columns={[
                {
                  title: texts.keyId,
                  cell: ({ serialNumber, keyId }) => (
                    <Link to="/projects/$projectId/ssh/certificates/$serialNumber" params={{ projectId, serialNumber }}>
                      {keyId}
                    </Link>
                  ),
                },
                { title: texts.for, cell: ({ certType }) => certType },
                { title: texts.principals, cell: ({ principals }) => principals.join(', ') },
                { title: words.status, cell: (one) => <Status {...stateOf(one)} /> },
                { title: words.ends, cell: ({ notAfter }) => <Time at={notAfter} /> },
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
  { id: 'issue', name: texts.withNewKey, detail: texts.shownOnce },
  { id: 'sign', name: texts.forKeyThatYou, detail: texts.itsPublicKeyIsSigned },
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
    <Creation what={texts.sshCertificate} types={WAYS} typeOf={(way) => way}>
      {({ id }, close) => (
        <OperationForm
          {...COMMON}
          area="sshCertificates"
          procedure={id}
          submit={id === 'issue' ? texts.issue : texts.sign}
          onCancel={close}
          onDone={done}
        />
      )}
    </Creation>
  );
}
