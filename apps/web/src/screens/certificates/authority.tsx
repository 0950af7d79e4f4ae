import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Detail, Facts, Part } from '../../ui/detail.tsx';
import { download, fileName } from '../../ui/download.ts';
import { Row } from '../../ui/field.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Moment, Time } from '../../ui/time.tsx';
import { useAuthorityName, type Authority } from './authorities-of.ts';
import { AuthorityStatus } from './authorities.tsx';
import { AuthorityActions } from './authority-actions.tsx';
import { Chain } from './chain.tsx';
import { PemDownloads } from './issued.tsx';
import { AwaitedCertificate } from './awaited-certificate.tsx';

interface OfAuthority {
  readonly of: Authority;
}

/** One authority of Coffer: its chain, its certificates and revocation lists. */
export function Screen() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const found = useQuery(ask('certificateAuthorities', 'get', { caId: id }));
  return <Queried query={found}>{(authority) => <OneAuthority of={authority} />}</Queried>;
}

function OneAuthority({ of: authority }: OfAuthority) {
  const { id, name, projectId, configuration } = authority;
  const renewal = useQuery(ask('certificateAuthorities', 'autoRenewal', { caId: id }));
  const parentOf = useAuthorityName();
  const isCertified = configuration.activeCaCertId !== null;
  return (
    <Detail
      title={name}
      events={{ about: { caId: id } }}
      back={{
        label: 'Certificate authorities',
        to: '/projects/$projectId/certificates/authorities',
        params: { projectId },
      }}
      actions={<AuthorityActions of={authority} />}
    >
      {!isCertified && <AwaitedCertificate of={authority} />}
      <Part title="This authority">
        <Facts of={factsOf(authority, parentOf, renewal.data)} />
        <Link to="/projects/$projectId/certificates" params={{ projectId }} search={{ authority: id }}>
          Its certificates
        </Link>
      </Part>
      {isCertified && (
        <>
          <OwnChain of={authority} />
          <Certificates of={authority} />
          <RevocationLists of={authority} />
        </>
      )}
    </Detail>
  );
}

function factsOf(
  { status, enableDirectIssuance, ocspResponder, configuration: own }: Authority,
  nameOf: (id: string | null) => string,
  renewal: Outputs['certificateAuthorities']['autoRenewal'] | undefined,
) {
  const names = [...(own.nameConstraints?.permitted ?? [])].map(({ type, value }) => `${value} (${type})`);
  return [
    ['Status', <AuthorityStatus key="status" status={status} />],
    ['Type', own.type],
    ['Distinguished name', own.dn],
    ['Signed by', own.type === 'root' ? 'itself' : own.parentCaId ? nameOf(own.parentCaId) : 'an authority elsewhere'],
    ['Valid from', own.notBefore && <Moment key="from" at={own.notBefore} />],
    ['Ends', own.notAfter && <Moment key="to" at={own.notAfter} />],
    ['Renewal', renewal?.enableAutoRenewal ? `${renewal.renewBeforeDays ?? 30} days before its end` : 'on request'],
    ['Key', own.keyAlgorithm],
    ['Authorities below', own.maxPathLength === -1 ? 'any number' : `at most ${own.maxPathLength} in a chain`],
    ['Permitted names', names.join(', ')],
    ['Issues without a profile or template', enableDirectIssuance ? 'Yes' : 'No'],
    ['OCSP responses are signed by', ocspResponder === 'authority' ? 'the authority' : 'a delegated responder'],
    ['Serial number', own.serialNumber && <code key="serial">{own.serialNumber}</code>],
  ] as const;
}

function OwnChain({ of: { id } }: OfAuthority) {
  const found = useQuery(ask('certificateAuthorities', 'certificate', { caId: id }));
  return (
    <Part title="Chain">
      <Queried query={found}>
        {(files) => (
          <>
            <Chain {...files} />
            <h3>Download</h3>
            <PemDownloads of={files} />
          </>
        )}
      </Queried>
    </Part>
  );
}

/** The present certificate of the authority, and those before. */
function Certificates({ of: { id, name, configuration } }: OfAuthority) {
  const found = useQuery(ask('certificateAuthorities', 'certificates', { caId: id }));
  return (
    <Part title="Its own certificates">
      <Queried query={found}>
        {(all) => (
          <Table
            label="Certificates of the authority"
            rows={all}
            keyOf={(one) => one.id}
            empty="It has none yet."
            columns={[
              {
                title: 'Version',
                cell: (one) => `${one.version}${one.id === configuration.activeCaCertId ? ' (now)' : ''}`,
              },
              { title: 'Serial number', cell: ({ serialNumber }) => <code>{serialNumber}</code> },
              { title: 'Valid from', cell: ({ notBefore }) => <Time at={notBefore} /> },
              { title: 'Ends', cell: ({ notAfter }) => <Time at={notAfter} /> },
              {
                title: 'Download',
                cell: ({ certificate, version }) => (
                  <Button onClick={() => download(fileName(`${name}-${version}`, 'pem'), certificate)}>PEM</Button>
                ),
              },
            ]}
          />
        )}
      </Queried>
    </Part>
  );
}

/** One list for each key that the authority has had. */
function RevocationLists({ of: { id, name } }: OfAuthority) {
  const found = useQuery(ask('revocation', 'list', { caId: id }));
  return (
    <Part title="Revocation lists">
      <Queried query={found}>
        {(lists) => (
          <Table
            label="Revocation lists"
            rows={lists}
            keyOf={(one) => one.id}
            empty="There is none."
            columns={[
              {
                title: 'Address',
                cell: (one) => <code>{`${location.origin}/api/v1/pki/crl/${one.id}/der`}</code>,
              },
              {
                title: 'Download',
                cell: ({ crl }) => (
                  <Row>
                    <Button onClick={() => download(fileName(name, 'crl.pem'), crl)}>PEM</Button>
                  </Row>
                ),
              },
            ]}
          />
        )}
      </Queried>
    </Part>
  );
}
