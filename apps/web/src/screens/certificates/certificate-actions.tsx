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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

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
        label={texts.privateKey}
        run={async () => setShown({ ...(await coffer.certificates.bundle.query({ id })), certificateId: id })}
        ask={{
          title: texts.readPrivateKey,
          children: <p>{texts.auditLogRecordsThatYou}</p>,
        }}
      />
      {shown && (
        <IssuedDialog
          title={texts.certificateAndItsPrivate}
          of={shown}
          isRepeatable
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

function Pkcs12({ of: { id, commonName } }: OfCertificate) {
  const [password, setPassword] = useState('');
  return (
    <Act
      label={texts.pkcs12}
      run={async () => {
        const { body, type } = await coffer.certificates.pkcs12.mutate({ id, password });
        download(fileName(commonName || id, 'p12'), bytesOf(body), type);
      }}
      ask={{
        title: texts.downloadAsPkcs12,
        children: (
          <>
            <p>{texts.fileHasCertificateItsChain}</p>
            <SecretField label={words.password} hint={texts.itEncryptsFile} required onChange={setPassword} />
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
      <Button onClick={() => setOpen(true)}>{texts.renew}</Button>
      {isOpen && (
        <Dialog look="wide" title={texts.renewCertificate} onClose={() => setOpen(false)}>
          <OperationForm
            area="certificates"
            procedure="renew"
            given={{ id }}
            submit={texts.renew}
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
      <Button onClick={() => setOpen(true)}>{words.update}</Button>
      {isOpen && (
        <Dialog look="wide" title={texts.updateCertificate} onClose={close}>
          <h3>{texts.nameAndMetadata}</h3>
          <OperationForm
            area="certificates"
            procedure="update"
            given={{ id }}
            update={{ current: { friendlyName, metadata } }}
            submit={words.save}
            onDone={close}
          />
          <h3>{texts.renewal}</h3>
          <OperationForm
            area="certificates"
            procedure="configure"
            given={{ id }}
            initial={{ enableAutoRenewal: renewBeforeDays !== null, renewBeforeDays }}
            submit={texts.saveRenewal}
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
      label={words.revoke}
      kind="danger"
      run={() => revoke.mutateAsync({ id, revocationReason: reason })}
      done={texts.certificateOfIsRevoked(commonName)}
      ask={{
        title: texts.revokeCertificateOf(commonName),
        children: (
          <>
            <p>{texts.whoeverChecksRevocationsRejects}</p>
            <SelectField
              label={words.reason}
              value={reason}
              onChange={(event) => setReason(event.target.value as Reason)}
            >
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
      label={words.delete}
      kind="danger"
      done={texts.certificateOfIsDeleted(commonName)}
      run={async () => {
        await remove.mutateAsync({ id });
        await navigate({ to: '/projects/$projectId/certificates', params: { projectId } });
      }}
      ask={{
        title: texts.deleteCertificateOf(commonName),
        children: <p>{texts.validOneOfAuthority}</p>,
      }}
    />
  );
}
