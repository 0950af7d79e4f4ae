import type { Outputs } from '@coffer/client';
import { Code } from '../../ui/code.tsx';
import { Part } from '../../ui/detail.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { ByMachine } from '../api-reference/by-machine.tsx';
import { LoginList } from './login-list.tsx';
import { Mappings } from './mappings.tsx';

type Host = Outputs['sshHosts']['get'];

/** Who may log in on a host, and how it is set up. */
export const HostDetails = ({ of: host }: { readonly of: Host }) => (
  <>
    <Part title="Login mappings of the host itself">
      <Mappings of={host.loginMappings} />
    </Part>
    <Part title="Who may log in">
      <LoginList of={{ sshHostId: host.id }} empty="Nobody may log in on this host." />
    </Part>
    <ByMachine
      title="Log in, or get a key with its certificate"
      commandLine={`coffer ssh connect --hostname ${host.hostname} --domain ${location.origin}`}
      operation="sshHosts_issueUserCert"
      parameters={{ sshHostId: host.id }}
      body={{ loginUser: host.loginMappings[0]?.loginUser ?? 'deploy' }}
    />
    <Part title="Set up the host">
      <Disclosure title="Commands and configuration">{() => <SetUp of={host} />}</Disclosure>
    </Part>
  </>
);

/** As docs/ssh.md has it. */
function SetUp({ of: { id, hostname, userSshCaId, principalMode } }: { readonly of: Host }) {
  const at = `${location.origin}/api/v1/ssh`;
  const isBound = principalMode === 'host-bound';
  return (
    <>
      <h3>On the host</h3>
      <Code label="Commands on the host">
        {[
          'mkdir -p /etc/ssh/coffer/principals',
          `curl -fsS '${at}/hosts/${id}/user-ca-public-key' -o /etc/ssh/coffer/user_ca.pub`,
          ...(userSshCaId ? [`curl -fsS '${at}/ca/${userSshCaId}/krl' -o /etc/ssh/coffer/revoked.krl`] : []),
          ...(isBound ? [`echo 'host:${id}:deploy' > /etc/ssh/coffer/principals/deploy  # for each login user`] : []),
        ].join('\n')}
      </Code>
      <h3>/etc/ssh/sshd_config.d/coffer.conf</h3>
      <Code label="Configuration of sshd">
        {[
          'TrustedUserCAKeys /etc/ssh/coffer/user_ca.pub',
          ...(userSshCaId ? ['RevokedKeys /etc/ssh/coffer/revoked.krl'] : []),
          ...(isBound ? ['AuthorizedPrincipalsFile /etc/ssh/coffer/principals/%u'] : []),
          'HostCertificate /etc/ssh/ssh_host_ed25519_key-cert.pub',
          'AuthorizedKeysFile none',
        ].join('\n')}
      </Code>
      <h3>The certificate of the host</h3>
      <p>Issue it once for the public key of the host, above. Then the host fetches it, also when it is renewed.</p>
      <Code label="Fetch the host certificate">
        {`curl -fsS '${at}/hosts/${id}/host-certificate' -o /etc/ssh/ssh_host_ed25519_key-cert.pub`}
      </Code>
      <h3>On clients</h3>
      <Code label="Known hosts of clients">
        {`echo "@cert-authority ${hostname} $(curl -fsS '${at}/hosts/${id}/host-ca-public-key')" >> ~/.ssh/known_hosts`}
      </Code>
    </>
  );
}
