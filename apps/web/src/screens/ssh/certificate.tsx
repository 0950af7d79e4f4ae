import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Outputs } from '@coffer/client';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Code } from '../../ui/code.tsx';
import { Detail, Facts, Part, Status } from '../../ui/detail.tsx';
import { Queried } from '../../ui/query.tsx';
import { Moment } from '../../ui/time.tsx';
import { AuthorityLink } from './parts.tsx';
import { stateOf } from './ssh-certificate.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type WholeCertificate = Outputs['sshCertificates']['get']['certificate'];

/** One SSH certificate. */
export function Screen() {
  const { serialNumber = '' }: { serialNumber?: string } = useParams({ strict: false });
  const found = useQuery(ask('sshCertificates', 'get', { serialNumber }));
  return <Queried query={found}>{({ certificate }) => <Certificate of={certificate} />}</Queried>;
}

function Certificate({ of: certificate }: { readonly of: WholeCertificate }) {
  const { keyId, projectId, serialNumber, sshHostId, signedKey, criticalOptions, extensions } = certificate;
  const may = useProjectRights(projectId);
  const revoke = useChange('sshCertificates', 'revoke');
  const isValid = certificate.revokedAt === null && new Date(certificate.notAfter) > new Date();
  return (
    <Detail
      title={keyId}
      events={{ about: { certificateId: certificate.id } }}
      back={{ label: texts.sshCertificates, to: '/projects/$projectId/ssh/certificates', params: { projectId } }}
      actions={
        isValid &&
        may('ssh-certificates', 'delete') && (
          <Act
            label={words.revoke}
            kind="danger"
            run={() => revoke.mutateAsync({ serialNumber })}
            done={texts.certificateOfIsRevoked(keyId)}
            ask={{
              title: texts.revokeCertificateOf(keyId),
              children: <p>{texts.hostsThatFetchRevocation}</p>,
            }}
          />
        )
      }
    >
      <Part title={texts.thisCertificate}>
        <Facts
          of={[
            [words.status, <Status key="status" {...stateOf(certificate)} />],
            [texts.for, certificate.certType],
            [texts.principals, certificate.principals.join(', ')],
            [
              words.host,
              sshHostId && (
                <Link key="host" to="/projects/$projectId/ssh/hosts/$id" params={{ projectId, id: sshHostId }}>
                  {sshHostId}
                </Link>
              ),
            ],
            [texts.validFrom, <Moment key="from" at={certificate.notBefore} />],
            [words.ends, <Moment key="to" at={certificate.notAfter} />],
            [words.authority, <AuthorityLink key="authority" id={certificate.sshCaId} />],
            [words.key, certificate.keyAlgorithm],
            [texts.criticalOptions, optionsText(criticalOptions)],
            [texts.extensions, optionsText(extensions)],
            [texts.serialNumber, <code key="serial">{serialNumber}</code>],
          ]}
        />
        <Code label={words.certificate}>{signedKey}</Code>
      </Part>
    </Detail>
  );
}

const optionsText = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([name, value]) => (value ? `${name}=${value}` : name))
    .join(', ');
