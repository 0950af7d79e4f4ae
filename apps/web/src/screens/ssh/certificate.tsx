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
      back={{ label: 'SSH certificates', to: '/projects/$projectId/ssh/certificates', params: { projectId } }}
      actions={
        isValid &&
        may('ssh-certificates', 'delete') && (
          <Act
            label="Revoke"
            kind="danger"
            run={() => revoke.mutateAsync({ serialNumber })}
            done={`The certificate of ${keyId} is revoked`}
            ask={{
              title: `Revoke the certificate of ${keyId}?`,
              children: <p>Hosts that fetch the revocation list reject it from then on. This cannot be undone.</p>,
            }}
          />
        )
      }
    >
      <Part title="This certificate">
        <Facts
          of={[
            ['Status', <Status key="status" {...stateOf(certificate)} />],
            ['For', certificate.certType],
            ['Principals', certificate.principals.join(', ')],
            [
              'Host',
              sshHostId && (
                <Link key="host" to="/projects/$projectId/ssh/hosts/$id" params={{ projectId, id: sshHostId }}>
                  {sshHostId}
                </Link>
              ),
            ],
            ['Valid from', <Moment key="from" at={certificate.notBefore} />],
            ['Ends', <Moment key="to" at={certificate.notAfter} />],
            ['Authority', <AuthorityLink key="authority" id={certificate.sshCaId} />],
            ['Key', certificate.keyAlgorithm],
            ['Critical options', optionsText(criticalOptions)],
            ['Extensions', optionsText(extensions)],
            ['Serial number', <code key="serial">{serialNumber}</code>],
          ]}
        />
        <Code label="Certificate">{signedKey}</Code>
      </Part>
    </Detail>
  );
}

const optionsText = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([name, value]) => (value ? `${name}=${value}` : name))
    .join(', ');
