import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { SelectField } from '../../ui/field.tsx';
import { FormButton } from '../../ui/form-button.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { CredentialsDialog, type Credentials } from './credentials.tsx';
import { texts } from './texts.ts';

interface OfHost {
  readonly of: Outputs['sshHosts']['get'];
}

/** What is issued for a host. */
export function HostActions({ of: host }: OfHost) {
  const may = useProjectRights(host.projectId);
  return (
    <>
      <LogIn of={host} />
      {may('ssh-hosts', 'issue-host-cert') && <HostCertificate of={host} />}
    </>
  );
}

/** For those who may log in themselves: a login mapping is enough. */
function LogIn({ of: { id: sshHostId, hostname } }: OfHost) {
  const { data: own = [] } = useQuery(ask('sshHosts', 'listOwn', {}));
  const users = own.find(({ id }) => id === sshHostId)?.loginMappings.map(({ loginUser }) => loginUser) ?? [];
  const [chosen, setChosen] = useState<string>();
  const [issued, setIssued] = useState<Credentials>();
  const issue = useChange('sshHosts', 'issueUserCert', ['sshCertificates']);
  if (users.length === 0) return null;
  const loginUser = chosen ?? users[0]!;
  return (
    <>
      <Act
        label={texts.logIn}
        kind="primary"
        run={async () => setIssued(await issue.mutateAsync({ sshHostId, loginUser }))}
        ask={{
          title: texts.logInOn(hostname),
          children: (
            <SelectField label={texts.as} value={loginUser} onChange={(event) => setChosen(event.target.value)}>
              {users.map((user) => (
                <option key={user} value={user}>
                  {user}
                </option>
              ))}
            </SelectField>
          ),
        }}
      />
      {issued && (
        <CredentialsDialog
          of={issued}
          use={texts.sshIIdCoffer(loginUser, hostname)}
          onClose={() => setIssued(undefined)}
        />
      )}
    </>
  );
}

function HostCertificate({ of: { id: sshHostId, hostname } }: OfHost) {
  const [issued, setIssued] = useState<Credentials>();
  return (
    <>
      <FormButton label={texts.hostCertificate} title={texts.hostCertificateFor(hostname)}>
        {(close) => (
          <OperationForm
            area="sshHosts"
            procedure="issueHostCert"
            given={{ sshHostId }}
            affects={['sshCertificates']}
            submit={texts.issue}
            onCancel={close}
            onDone={(signed) => {
              close();
              setIssued(signed);
            }}
          />
        )}
      </FormButton>
      {issued && <CredentialsDialog of={issued} onClose={() => setIssued(undefined)} />}
    </>
  );
}
