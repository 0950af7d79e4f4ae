import type { Outputs } from '@coffer/client';
import { Code } from '../../ui/code.tsx';
import { Part } from '../../ui/detail.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { ByMachine } from '../api-reference/by-machine.tsx';
import { LoginList } from './login-list.tsx';
import { Mappings } from './mappings.tsx';
import { texts } from './texts.ts';

type Host = Outputs['sshHosts']['get'];

/** Who may log in on a host, and how it is set up. */
export const HostDetails = ({ of: host }: { readonly of: Host }) => (
  <>
    <Part title={texts.loginMappingsOfHost}>
      <Mappings of={host.loginMappings} />
    </Part>
    <Part title={texts.whoMayLogIn}>
      <LoginList of={{ sshHostId: host.id }} empty={texts.nobodyMayLogInOnThisHost} />
    </Part>
    <ByMachine
      title={texts.logInOrGet}
      commandLine={`coffer ssh connect --hostname ${host.hostname} --domain ${location.origin}`}
      operation="sshHosts_issueUserCert"
      parameters={{ sshHostId: host.id }}
      body={{ loginUser: host.loginMappings[0]?.loginUser ?? 'deploy' }}
    />
    <Part title={texts.setUpHost}>
      <Disclosure title={texts.commandsAndConfiguration}>{() => <SetUp of={host} />}</Disclosure>
    </Part>
  </>
);

/** As docs/ssh.md has it. */
function SetUp({ of: { id, hostname, userSshCaId, principalMode } }: { readonly of: Host }) {
  const at = `${location.origin}/api/v1/ssh`;
  const isBound = principalMode === 'host-bound';
  return (
    <>
      <h3>{texts.onHost}</h3>
      <Code label={texts.commandsOnHost}>
        {[
          'mkdir -p /etc/ssh/coffer/principals',
          `curl -fsS '${at}/hosts/${id}/user-ca-public-key' -o /etc/ssh/coffer/user_ca.pub`,
          ...(userSshCaId ? [`curl -fsS '${at}/ca/${userSshCaId}/krl' -o /etc/ssh/coffer/revoked.krl`] : []),
          ...(isBound ? [`echo 'host:${id}:deploy' > /etc/ssh/coffer/principals/deploy  # for each login user`] : []),
        ].join('\n')}
      </Code>
      <h3>
        <code>/etc/ssh/sshd_config.d/coffer.conf</code>
      </h3>
      <Code label={texts.configurationOfSshd}>
        {[
          'TrustedUserCAKeys /etc/ssh/coffer/user_ca.pub',
          ...(userSshCaId ? ['RevokedKeys /etc/ssh/coffer/revoked.krl'] : []),
          ...(isBound ? ['AuthorizedPrincipalsFile /etc/ssh/coffer/principals/%u'] : []),
          'HostCertificate /etc/ssh/ssh_host_ed25519_key-cert.pub',
          'AuthorizedKeysFile none',
        ].join('\n')}
      </Code>
      <h3>{texts.certificateOfHost}</h3>
      <p>{texts.issueItOnceForPublic}</p>
      <Code label={texts.fetchHostCertificate}>
        {`curl -fsS '${at}/hosts/${id}/host-certificate' -o /etc/ssh/ssh_host_ed25519_key-cert.pub`}
      </Code>
      <h3>{texts.onClients}</h3>
      <Code label={texts.knownHostsOfClients}>
        {`echo "@cert-authority ${hostname} $(curl -fsS '${at}/hosts/${id}/host-ca-public-key')" >> ~/.ssh/known_hosts`}
      </Code>
    </>
  );
}
