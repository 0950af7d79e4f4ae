import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import type { Kind } from '../../ui/kind.tsx';
import { HostActions } from './host-actions.tsx';
import { HostDetails } from './host-details.tsx';
import { AuthorityLink, hostParts } from './parts.tsx';
import { SshTabs } from './tabs.ts';
import { texts } from './texts.ts';

type Host = Outputs['sshHosts']['get'];

/** How the certificates for a host name it. */
const MODES = {
  'login-user': texts.loginUser,
  'host-bound': texts.thisHostAndLogin,
} as const;

export const hosts: Kind<Host> = {
  what: texts.host,
  title: texts.sshHosts,
  lead: texts.wherePeopleAndMachines,
  empty: texts.thereIsNoHostYet,
  area: 'sshHosts',
  subject: 'ssh-hosts',
  path: '/projects/$projectId/ssh',
  onePath: '/projects/$projectId/ssh/hosts/$id',
  Tabs: SshTabs,
  useRows: ({ projectId }) =>
    useQuery({ ...ask('sshHosts', 'list', { projectId }), select: ({ hosts: rows }) => ({ rows }) }),
  useRow: (sshHostId) => useQuery(ask('sshHosts', 'get', { sshHostId })),
  idOf: ({ id }) => id,
  nameOf: ({ alias, hostname }) => (alias ? `${alias} (${hostname})` : hostname),
  refOf: ({ id }) => ({ sshHostId: id }),
  aboutOf: ({ id }) => ({ sshHostId: id }),
  columns: [
    {
      title: texts.loginUsers,
      cell: ({ loginMappings }) => loginMappings.map(({ loginUser }) => loginUser).join(', ') || '–',
    },
    { title: texts.principals, cell: ({ principalMode }) => principalMode },
    { title: texts.userAuthority, cell: ({ userSshCaId }) => <AuthorityLink id={userSshCaId} /> },
    { title: texts.validity, cell: ({ userCertTtl }) => userCertTtl },
  ],
  factsOf: (host) => [
    [texts.hostname, host.hostname],
    [texts.alias, host.alias],
    [texts.certificatesName, MODES[host.principalMode]],
    [texts.userCertificatesAreValid, host.userCertTtl],
    [texts.hostCertificatesAreValid, host.hostCertTtl],
    [texts.userAuthority, <AuthorityLink key="user" id={host.userSshCaId} />],
    [texts.hostAuthority, <AuthorityLink key="host" id={host.hostSshCaId} />],
    [texts.id, <code key="id">{host.id}</code>],
  ],
  form: {
    parts: hostParts,
    prominent: ['alias', 'loginMappings'],
    affects: ['sshHosts', 'sshHostGroups', 'sshAuthorities', 'sshConfigs'],
  },
  deletion: texts.itsHostCertificatesAreRevoked,
  Actions: HostActions,
  More: HostDetails,
};
