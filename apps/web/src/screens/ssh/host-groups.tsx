import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Part } from '../../ui/detail.tsx';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Mappings } from './mappings.tsx';
import { AuthorityLink, hostParts } from './parts.tsx';
import { SshTabs } from './tabs.ts';

type HostGroup = Outputs['sshHostGroups']['get'] & { readonly hostCount?: number };

const hostGroups: Kind<HostGroup> = {
  what: 'host group',
  title: 'SSH host groups',
  lead: 'Login mappings that hold on several hosts.',
  empty: 'There is no host group yet.',
  area: 'sshHostGroups',
  subject: 'ssh-host-groups',
  path: '/projects/$projectId/ssh/host-groups',
  Tabs: SshTabs,
  useRows: ({ projectId }) =>
    useQuery({ ...ask('sshHostGroups', 'list', { projectId }), select: ({ groups: rows }) => ({ rows }) }),
  useRow: (sshHostGroupId) => useQuery(ask('sshHostGroups', 'get', { sshHostGroupId })),
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  refOf: ({ id }) => ({ sshHostGroupId: id }),
  aboutOf: ({ id }) => ({ sshHostGroupId: id }),
  columns: [
    { title: 'Hosts', cell: ({ hostCount }) => hostCount },
    {
      title: 'Login users',
      cell: ({ loginMappings }) => loginMappings.map(({ loginUser }) => loginUser).join(', ') || '–',
    },
  ],
  factsOf: ({ principalMode, userSshCaId }) => [
    ['Principals', principalMode ?? 'as each host has them'],
    ['User authority', userSshCaId ? <AuthorityLink key="user" id={userSshCaId} /> : 'as each host has it'],
  ],
  form: { parts: hostParts, prominent: ['loginMappings'], affects: ['sshHostGroups', 'sshHosts'] },
  deletion: 'Who may log in by it no longer may. Its hosts stay.',
  More: GroupDetails,
};

function GroupDetails({ of: group }: { readonly of: HostGroup }) {
  return (
    <>
      <Part title="Login mappings">
        <Mappings of={group.loginMappings} />
      </Part>
      <Hosts of={group} />
    </>
  );
}

/** All hosts of the project, those in the group first. */
function Hosts({ of: { id: sshHostGroupId, projectId, name } }: { readonly of: HostGroup }) {
  const may = useProjectRights(projectId);
  const found = useQuery(ask('sshHostGroups', 'listHosts', { sshHostGroupId }));
  const add = useChange('sshHostGroups', 'addHost', ['sshHostGroups', 'sshHosts']);
  const remove = useChange('sshHostGroups', 'removeHost', ['sshHostGroups', 'sshHosts']);
  return (
    <Part title="Hosts">
      <Queried query={found}>
        {({ hosts }) => (
          <Table
            label="Hosts"
            rows={hosts.toSorted((a, b) => Number(b.isPartOfGroup) - Number(a.isPartOfGroup))}
            keyOf={({ id }) => id}
            empty="The project has no host yet."
            columns={[
              {
                title: 'Host',
                cell: ({ id, hostname }) => (
                  <Link to="/projects/$projectId/ssh/hosts/$id" params={{ projectId, id }}>
                    {hostname}
                  </Link>
                ),
              },
              { title: 'In the group', cell: ({ isPartOfGroup }) => (isPartOfGroup ? 'Yes' : 'No') },
              {
                title: 'Actions',
                cell: ({ id: hostId, hostname, isPartOfGroup }) =>
                  may('ssh-host-groups', 'edit') &&
                  (isPartOfGroup ? (
                    <Act
                      label="Remove"
                      run={() => remove.mutateAsync({ sshHostGroupId, hostId })}
                      done={`${hostname} is no longer in ${name}`}
                    />
                  ) : (
                    <Act
                      label="Add"
                      run={() => add.mutateAsync({ sshHostGroupId, hostId })}
                      done={`${hostname} is in ${name}`}
                    />
                  )),
              },
            ]}
          />
        )}
      </Queried>
    </Part>
  );
}

export const Screen = () => <KindList of={hostGroups} />;
export const One = () => <KindDetail of={hostGroups} />;
