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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

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
      back={{ label: words.certificates, to: '/projects/$projectId/certificates', params: { projectId } }}
      actions={<CertificateActions of={certificate} />}
    >
      <Part title={texts.thisCertificate}>
        <Facts of={factsOf(certificate)} />
      </Part>
      <Part title={texts.chain}>
        <Queried query={body}>
          {(files) => (
            <>
              <Chain {...files} />
              <h3>{texts.download}</h3>
              <PemDownloads of={files} />
            </>
          )}
        </Queried>
      </Part>
      <Lint id={id} />
      <Syncs id={id} />
      <ByMachine title={texts.readItAndItsChain} operation="certificates_body" parameters={{ id }} />
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
    [words.status, <Status key="status" {...certificateState(one)} />],
    [texts.reasonOfRevocation, one.revocationReason === null ? undefined : texts.reasonCode(one.revocationReason)],
    [words.subject, subjectText(one.subject)],
    [texts.alternativeNames, one.subjectAltNames.map(({ type, value }) => `${value} (${type})`).join(', ')],
    [texts.validFrom, <Moment key="from" at={one.notBefore} />],
    [words.ends, <Moment key="to" at={one.notAfter} />],
    [
      words.authority,
      caId === null ? (
        texts.imported
      ) : one.caType === null || one.caType === 'internal' ? (
        <Link key="ca" to={AUTHORITY} params={{ projectId, id: caId }}>
          {caName}
        </Link>
      ) : (
        caName
      ),
    ],
    [words.profile, one.profileName],
    [texts.issuedBy, one.source],
    [
      texts.renewedBy,
      renewedBy && (
        <Link key="renewed" to="/projects/$projectId/certificates/$id" params={{ projectId, id: renewedBy }}>
          {texts.anotherCertificate}
        </Link>
      ),
    ],
    [texts.renewal, one.renewBeforeDays === null ? texts.onRequest : texts.daysBeforeItsEnd(one.renewBeforeDays)],
    [texts.keyUsages, valueText(one.keyUsages)],
    [texts.extendedKeyUsages, valueText(one.extendedKeyUsages)],
    [words.key, one.hasPrivateKey ? texts.storedHere(one.keyAlgorithm) : texts.notStoredHere(one.keyAlgorithm)],
    [words.signature, one.signatureAlgorithm],
    [
      texts.authorityCertificate,
      basicConstraints.isCA ? texts.yesAtMostBelow(basicConstraints.pathLength ?? texts.any) : undefined,
    ],
    [texts.serialNumber, <code key="serial">{one.serialNumber}</code>],
    ['SHA-256', <code key="sha256">{one.fingerprints.sha256}</code>],
    ...one.metadata.map(({ key, value }) => [key, value] as const),
  ] as const;
}

/** What the linter finds (RFC 5280, and rules of the project). */
function Lint({ id }: { readonly id: string }) {
  const report = useQuery(ask('certificates', 'lint', { id }));
  return (
    <Part title={texts.lintReport}>
      <Queried query={report}>
        {({ findings }) => (
          <Table
            label={texts.lintReport}
            rows={findings}
            keyOf={({ rule, message }) => `${rule} ${message}`}
            empty={texts.nothingIsWrongWithThisCertificate}
            columns={[
              {
                title: texts.severity,
                cell: ({ severity }) => <Badge kind={severity === 'error' ? 'bad' : 'warn'}>{severity}</Badge>,
              },
              { title: texts.rule, cell: ({ rule }) => <code>{rule}</code> },
              { title: texts.finding, cell: ({ message }) => message },
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
    <Part title={texts.writtenBySyncs}>
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
