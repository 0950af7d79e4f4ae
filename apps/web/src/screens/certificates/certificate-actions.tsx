import type { Inputs, Outputs } from '@coffer/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { bytesOf, download, fileName } from '../../ui/download.ts';
import { SecretField, SelectField } from '../../ui/field.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { labelOf } from '../../ui/schema-form/words.ts';
import { toast } from '../../ui/toast.tsx';
import { IssuedDialog, type Issued } from './issued.tsx';

export type DetailedCertificate = Outputs['certificates']['get']['certificate'];

interface OfCertificate {
  readonly of: DetailedCertificate;
}

/** What may be done with a certificate. */
export function CertificateActions({ of: certificate }: OfCertificate) {
  const { hasPrivateKey, projectId, status } = certificate;
  const may = useProjectRights(projectId);
  return (
    <>
      {hasPrivateKey && may('certificates', 'read-private-key') && (
        <>
          <PrivateKey of={certificate} />
          <Pkcs12 of={certificate} />
        </>
      )}
      {status !== 'revoked' && (may('certificates', 'create') || may('certificate-profiles', 'issue-cert')) && (
        <Renew of={certificate} />
      )}
      {may('certificates', 'edit') && <Update of={certificate} />}
      {may('certificates', 'delete') && (
        <>
          {status === 'active' && <Revoke of={certificate} />}
          <Delete of={certificate} />
        </>
      )}
    </>
  );
}

/** The stored key, read for this dialog and in it only. */
function PrivateKey({ of: { id } }: OfCertificate) {
  const [shown, setShown] = useState<Issued>();
  return (
    <>
      <Act
        label="Private key"
        run={async () => setShown({ ...(await coffer.certificates.bundle.query({ id })), certificateId: id })}
        ask={{
          title: 'Read the private key?',
          children: <p>The audit log records that you read it. It is shown until you close the dialog.</p>,
        }}
      />
      {shown && (
        <IssuedDialog title="The certificate and its private key" of={shown} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}

function Pkcs12({ of: { id, commonName } }: OfCertificate) {
  const [password, setPassword] = useState('');
  return (
    <Act
      label="PKCS #12"
      run={async () => {
        const { body, type } = await coffer.certificates.pkcs12.mutate({ id, password });
        download(fileName(commonName || id, 'p12'), bytesOf(body), type);
      }}
      ask={{
        title: 'Download as PKCS #12?',
        children: (
          <>
            <p>The file has the certificate, its chain and the private key. The audit log records that you read it.</p>
            <SecretField label="Password" hint="It encrypts the file" required onChange={setPassword} />
          </>
        ),
      }}
    />
  );
}

function Renew({ of: { id, projectId } }: OfCertificate) {
  const [isOpen, setOpen] = useState(false);
  const [issued, setIssued] = useState<Issued>();
  const navigate = useNavigate();
  const open = (certificateId: string) => {
    setIssued(undefined);
    return navigate({ to: '/projects/$projectId/certificates/$id', params: { projectId, id: certificateId } });
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Renew</Button>
      {isOpen && (
        <Dialog look="wide" title="Renew the certificate" onClose={() => setOpen(false)}>
          <OperationForm
            area="certificates"
            procedure="renew"
            given={{ id }}
            submit="Renew"
            onCancel={() => setOpen(false)}
            onDone={(renewed) => {
              setOpen(false);
              if ('certificateId' in renewed) setIssued(renewed);
              else toast(renewed.message);
            }}
          />
        </Dialog>
      )}
      {issued && <IssuedDialog of={issued} onClose={() => void open(issued.certificateId)} />}
    </>
  );
}

/** Its name for people, its metadata, and when it is renewed. */
function Update({ of: { id, friendlyName, metadata, renewBeforeDays } }: OfCertificate) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Update</Button>
      {isOpen && (
        <Dialog look="wide" title="Update the certificate" onClose={close}>
          <h3>Name and metadata</h3>
          <OperationForm
            area="certificates"
            procedure="update"
            given={{ id }}
            update={{ current: { friendlyName, metadata } }}
            submit="Save"
            onDone={close}
          />
          <h3>Renewal</h3>
          <OperationForm
            area="certificates"
            procedure="configure"
            given={{ id }}
            initial={{ enableAutoRenewal: renewBeforeDays !== null, renewBeforeDays }}
            submit="Save the renewal"
            onDone={close}
          />
        </Dialog>
      )}
    </>
  );
}

type Reason = Inputs['certificates']['revoke']['revocationReason'];

/** RFC 5280, section 5.3.1. */
const REASONS: readonly Reason[] = [
  'UNSPECIFIED',
  'KEY_COMPROMISE',
  'CA_COMPROMISE',
  'AFFILIATION_CHANGED',
  'SUPERSEDED',
  'CESSATION_OF_OPERATION',
  'CERTIFICATE_HOLD',
  'PRIVILEGE_WITHDRAWN',
  'A_A_COMPROMISE',
];

function Revoke({ of: { id, commonName } }: OfCertificate) {
  const [reason, setReason] = useState<Reason>('UNSPECIFIED');
  const revoke = useChange('certificates', 'revoke', ['certificates', 'certificateAuthorities']);
  return (
    <Act
      label="Revoke"
      kind="danger"
      run={() => revoke.mutateAsync({ id, revocationReason: reason })}
      done={`The certificate of ${commonName} is revoked`}
      ask={{
        title: `Revoke the certificate of ${commonName}?`,
        children: (
          <>
            <p>Whoever checks revocations rejects it from now on. This cannot be undone.</p>
            <SelectField label="Reason" value={reason} onChange={(event) => setReason(event.target.value as Reason)}>
              {REASONS.map((one) => (
                <option key={one} value={one}>
                  {labelOf(one.toLowerCase())}
                </option>
              ))}
            </SelectField>
          </>
        ),
      }}
    />
  );
}

function Delete({ of: { id, commonName, projectId } }: OfCertificate) {
  const remove = useChange('certificates', 'delete', ['certificates', 'certificateAuthorities']);
  const navigate = useNavigate();
  return (
    <Act
      label="Delete"
      kind="danger"
      done={`The certificate of ${commonName} is deleted`}
      run={async () => {
        await remove.mutateAsync({ id });
        await navigate({ to: '/projects/$projectId/certificates', params: { projectId } });
      }}
      ask={{
        title: `Delete the certificate of ${commonName}?`,
        children: <p>A valid one of an authority here is revoked by that. Coffer no longer has it or its key.</p>,
      }}
    />
  );
}
