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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type HostGroup = Outputs['sshHostGroups']['get'] & { readonly hostCount?: number };

const hostGroups: Kind<HostGroup> = {
  what: texts.hostGroup,
  title: texts.sshHostGroups,
  lead: texts.loginMappingsThatHold,
  empty: texts.thereIsNoHost,
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
    { title: texts.hosts, cell: ({ hostCount }) => hostCount },
    {
      title: texts.loginUsers,
      cell: ({ loginMappings }) => loginMappings.map(({ loginUser }) => loginUser).join(', ') || '–',
    },
  ],
  factsOf: ({ principalMode, userSshCaId }) => [
    [texts.principals, principalMode ?? texts.hostsOwnMappings],
    [texts.userAuthority, userSshCaId ? <AuthorityLink key="user" id={userSshCaId} /> : texts.hostsOwnAuthority],
  ],
  form: { parts: hostParts, prominent: ['loginMappings'], affects: ['sshHostGroups', 'sshHosts'] },
  deletion: texts.whoMayLogInByItNoLonger,
  More: GroupDetails,
};

function GroupDetails({ of: group }: { readonly of: HostGroup }) {
  return (
    <>
      <Part title={texts.loginMappings}>
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
    <Part title={texts.hosts}>
      <Queried query={found}>
        {({ hosts }) => (
          <Table
            label={texts.hosts}
            rows={hosts.toSorted((a, b) => Number(b.isPartOfGroup) - Number(a.isPartOfGroup))}
            keyOf={({ id }) => id}
            empty={texts.projectHasNoHost}
            columns={[
              {
                title: words.host,
                cell: ({ id, hostname }) => (
                  <Link to="/projects/$projectId/ssh/hosts/$id" params={{ projectId, id }}>
                    {hostname}
                  </Link>
                ),
              },
              { title: texts.inGroup, cell: ({ isPartOfGroup }) => (isPartOfGroup ? words.yes : words.no) },
              {
                title: words.actions,
                cell: ({ id: hostId, hostname, isPartOfGroup }) =>
                  may('ssh-host-groups', 'edit') &&
                  (isPartOfGroup ? (
                    <Act
                      label={words.remove}
                      run={() => remove.mutateAsync({ sshHostGroupId, hostId })}
                      done={texts.isNoLongerIn(hostname, name)}
                    />
                  ) : (
                    <Act
                      label={words.add}
                      run={() => add.mutateAsync({ sshHostGroupId, hostId })}
                      done={texts.isIn(hostname, name)}
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
