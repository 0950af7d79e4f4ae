import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { Detail, Facts, Part, Status } from '../../ui/detail.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { Table } from '../../ui/table.tsx';
import { Moment } from '../../ui/time.tsx';
import { ByMachine } from '../api-reference/by-machine.tsx';
import { AUTHORITY } from './authorities-of.ts';
import { CertificateActions, type DetailedCertificate } from './certificate-actions.tsx';
import { certificateState } from './certificate-table.tsx';
import { Chain } from './chain.tsx';
import { PemDownloads } from './issued.tsx';

/** One certificate: what it says, its chain, and what the linter says of it. */
export function Screen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const found = useQuery(ask('certificates', 'get', { id }));
  return <Queried query={found}>{({ certificate }) => <Certificate of={certificate} />}</Queried>;
}

function Certificate({ of: certificate }: { readonly of: DetailedCertificate }) {
  const { id, commonName, friendlyName, projectId } = certificate;
  const body = useQuery(ask('certificates', 'body', { id }));
  return (
    <Detail
      title={friendlyName || commonName || id}
      events={{ about: { certificateId: id } }}
      back={{ label: 'Certificates', to: '/projects/$projectId/certificates', params: { projectId } }}
      actions={<CertificateActions of={certificate} />}
    >
      <Part title="This certificate">
        <Facts of={factsOf(certificate)} />
      </Part>
      <Part title="Chain">
        <Queried query={body}>
          {(files) => (
            <>
              <Chain {...files} />
              <h3>Download</h3>
              <PemDownloads of={files} />
            </>
          )}
        </Queried>
      </Part>
      <Lint id={id} />
      <Syncs id={id} />
      <ByMachine title="Read it and its chain" operation="certificates_body" parameters={{ id }} />
    </Detail>
  );
}

const subjectText = (subject: DetailedCertificate['subject']): string =>
  Object.entries(subject)
    .flatMap(([name, value]) => (value?.length ? [`${labelOf(name)}: ${[value].flat().join(', ')}`] : []))
    .join('; ');

function factsOf(one: DetailedCertificate) {
  const { caId, caName, projectId, basicConstraints, latestRenewalCertificateId: renewedBy } = one;
  return [
    ['Status', <Status key="status" {...certificateState(one)} />],
    ['Reason of the revocation', one.revocationReason === null ? undefined : `Code ${one.revocationReason}`],
    ['Subject', subjectText(one.subject)],
    ['Alternative names', one.subjectAltNames.map(({ type, value }) => `${value} (${type})`).join(', ')],
    ['Valid from', <Moment key="from" at={one.notBefore} />],
    ['Ends', <Moment key="to" at={one.notAfter} />],
    [
      'Authority',
      caId === null ? (
        'Imported'
      ) : one.caType === null || one.caType === 'internal' ? (
        <Link key="ca" to={AUTHORITY} params={{ projectId, id: caId }}>
          {caName}
        </Link>
      ) : (
        caName
      ),
    ],
    ['Profile', one.profileName],
    ['Issued by', one.source],
    [
      'Renewed by',
      renewedBy && (
        <Link key="renewed" to="/projects/$projectId/certificates/$id" params={{ projectId, id: renewedBy }}>
          another certificate
        </Link>
      ),
    ],
    ['Renewal', one.renewBeforeDays === null ? 'on request' : `${one.renewBeforeDays} days before its end`],
    ['Key usages', valueText(one.keyUsages)],
    ['Extended key usages', valueText(one.extendedKeyUsages)],
    ['Key', `${one.keyAlgorithm}, ${one.hasPrivateKey ? 'stored here' : 'not stored here'}`],
    ['Signature', one.signatureAlgorithm],
    [
      'Authority certificate',
      basicConstraints.isCA ? `Yes, at most ${basicConstraints.pathLength ?? 'any'} below` : undefined,
    ],
    ['Serial number', <code key="serial">{one.serialNumber}</code>],
    ['SHA-256', <code key="sha256">{one.fingerprints.sha256}</code>],
    ...one.metadata.map(({ key, value }) => [key, value] as const),
  ] as const;
}

/** What the linter finds (RFC 5280, and rules of the project). */
function Lint({ id }: { readonly id: string }) {
  const report = useQuery(ask('certificates', 'lint', { id }));
  return (
    <Part title="Lint report">
      <Queried query={report}>
        {({ findings }) => (
          <Table
            label="Lint report"
            rows={findings}
            keyOf={({ rule, message }) => `${rule} ${message}`}
            empty="Nothing is wrong with this certificate."
            columns={[
              {
                title: 'Severity',
                cell: ({ severity }) => <Badge kind={severity === 'error' ? 'bad' : 'warn'}>{severity}</Badge>,
              },
              { title: 'Rule', cell: ({ rule }) => <code>{rule}</code> },
              { title: 'Finding', cell: ({ message }) => message },
            ]}
          />
        )}
      </Queried>
    </Part>
  );
}

/** The syncs that write it. Those who may not read syncs do not see this part. */
function Syncs({ id }: { readonly id: string }) {
  const projectId = useProjectId();
  const { data } = useQuery(ask('pkiSyncs', 'listAll', { projectId, certificateId: id }));
  const having = data?.pkiSyncs.filter(({ hasCertificate }) => hasCertificate) ?? [];
  if (having.length === 0) return null;
  return (
    <Part title="Written by syncs">
      <ul>
        {having.map(({ id: pkiSyncId, name, destination }) => (
          <li key={pkiSyncId}>
            <Link
              to="/projects/$projectId/certificates/syncs/$destination/$pkiSyncId"
              params={{ projectId, destination, pkiSyncId }}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}
