import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import type { Kind } from '../../ui/kind.tsx';
import { HostActions } from './host-actions.tsx';
import { HostDetails } from './host-details.tsx';
import { AuthorityLink, hostParts } from './parts.tsx';
import { SshTabs } from './tabs.ts';

type Host = Outputs['sshHosts']['get'];

/** How the certificates for a host name it. */
const MODES = {
  'login-user': 'the login user: they open every host of the same user authority',
  'host-bound': 'this host and the login user',
} as const;

export const hosts: Kind<Host> = {
  what: 'host',
  title: 'SSH hosts',
  lead: 'Where people and machines log in with short-lived certificates.',
  empty: 'There is no host yet: register one, and say who may log in as whom.',
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
      title: 'Login users',
      cell: ({ loginMappings }) => loginMappings.map(({ loginUser }) => loginUser).join(', ') || '–',
    },
    { title: 'Principals', cell: ({ principalMode }) => principalMode },
    { title: 'User authority', cell: ({ userSshCaId }) => <AuthorityLink id={userSshCaId} /> },
    { title: 'Validity', cell: ({ userCertTtl }) => userCertTtl },
  ],
  factsOf: (host) => [
    ['Hostname', host.hostname],
    ['Alias', host.alias],
    ['Certificates name', MODES[host.principalMode]],
    ['User certificates are valid', host.userCertTtl],
    ['Host certificates are valid', host.hostCertTtl],
    ['User authority', <AuthorityLink key="user" id={host.userSshCaId} />],
    ['Host authority', <AuthorityLink key="host" id={host.hostSshCaId} />],
    ['ID', <code key="id">{host.id}</code>],
  ],
  form: {
    parts: hostParts,
    prominent: ['alias', 'loginMappings'],
    affects: ['sshHosts', 'sshHostGroups', 'sshAuthorities', 'sshConfigs'],
  },
  deletion: 'Its host certificates are revoked, and what is issued for it works no longer.',
  Actions: HostActions,
  More: HostDetails,
};
