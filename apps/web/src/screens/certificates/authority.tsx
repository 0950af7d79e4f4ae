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
import { texts } from './authorities.texts.ts';
import { words } from '../../ui/words.texts.ts';

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
        label: texts.certificateAuthorities,
        to: '/projects/$projectId/certificates/authorities',
        params: { projectId },
      }}
      actions={<AuthorityActions of={authority} />}
    >
      {!isCertified && <AwaitedCertificate of={authority} />}
      <Part title={texts.thisAuthority}>
        <Facts of={factsOf(authority, parentOf, renewal.data)} />
        <Link to="/projects/$projectId/certificates" params={{ projectId }} search={{ authority: id }}>
          {texts.itsCertificates}
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
    [words.status, <AuthorityStatus key="status" status={status} />],
    [words.type, own.type],
    [texts.distinguishedName, own.dn],
    [
      texts.signedBy,
      own.type === 'root' ? texts.itself : own.parentCaId ? nameOf(own.parentCaId) : texts.authorityElsewhere,
    ],
    [texts.validFrom, own.notBefore && <Moment key="from" at={own.notBefore} />],
    [words.ends, own.notAfter && <Moment key="to" at={own.notAfter} />],
    [
      texts.renewal,
      renewal?.enableAutoRenewal ? texts.daysBeforeItsEnd(renewal.renewBeforeDays ?? 30) : texts.onRequest,
    ],
    [words.key, own.keyAlgorithm],
    [texts.authoritiesBelow, own.maxPathLength === -1 ? texts.anyNumber : texts.atMostInChain(own.maxPathLength)],
    [texts.permittedNames, names.join(', ')],
    [texts.issuesWithoutProfileOrTemplate, enableDirectIssuance ? words.yes : words.no],
    [texts.ocspResponsesAreSigned, ocspResponder === 'authority' ? texts.authority : texts.delegatedResponder],
    [texts.serialNumber, own.serialNumber && <code key="serial">{own.serialNumber}</code>],
  ] as const;
}

function OwnChain({ of: { id } }: OfAuthority) {
  const found = useQuery(ask('certificateAuthorities', 'certificate', { caId: id }));
  return (
    <Part title={texts.chain}>
      <Queried query={found}>
        {(files) => (
          <>
            <Chain {...files} />
            <h3>{texts.download}</h3>
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
    <Part title={texts.itsOwnCertificates}>
      <Queried query={found}>
        {(all) => (
          <Table
            label={texts.certificatesOfAuthority}
            rows={all}
            keyOf={(one) => one.id}
            empty={texts.itHasNoneYet}
            columns={[
              {
                title: words.version,
                cell: (one) => `${one.version}${one.id === configuration.activeCaCertId ? ' (now)' : ''}`,
              },
              { title: texts.serialNumber, cell: ({ serialNumber }) => <code>{serialNumber}</code> },
              { title: texts.validFrom, cell: ({ notBefore }) => <Time at={notBefore} /> },
              { title: words.ends, cell: ({ notAfter }) => <Time at={notAfter} /> },
              {
                title: texts.download,
                cell: ({ certificate, version }) => (
                  <Button onClick={() => download(fileName(`${name}-${version}`, 'pem'), certificate)}>
                    {texts.pem}
                  </Button>
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
    <Part title={texts.revocationLists}>
      <Queried query={found}>
        {(lists) => (
          <Table
            label={texts.revocationLists}
            rows={lists}
            keyOf={(one) => one.id}
            empty={texts.thereIsNone}
            columns={[
              {
                title: words.address,
                cell: (one) => <code>{`${location.origin}/api/v1/pki/crl/${one.id}/der`}</code>,
              },
              {
                title: texts.download,
                cell: ({ crl }) => (
                  <Row>
                    <Button onClick={() => download(fileName(name, 'crl.pem'), crl)}>{texts.pem}</Button>
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
