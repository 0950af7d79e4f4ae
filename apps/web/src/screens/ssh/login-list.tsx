import type { Inputs, Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { count } from '../../ui/count.ts';
import { Badge, Note } from '../../ui/note.tsx';
import { Pager, usePage } from '../../ui/pager.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';

type Login = Outputs['sshHosts']['logins']['logins'][number];
const PAGE = 50;
const TYPES = { user: 'User', identity: 'Machine', service: 'Service token' } as const;

interface LoginListProps {
  readonly of: Omit<Inputs['sshHosts']['logins'], 'projectId' | 'offset' | 'limit'>;
  readonly empty: string;
}

/** Who may log in, where, as whom, and why. */
export function LoginList({ of: filter, empty }: LoginListProps) {
  const projectId = useProjectId();
  const page = usePage(PAGE);
  const found = useQuery(ask('sshHosts', 'logins', { projectId, ...filter, ...page }));
  return (
    <Queried query={found}>
      {({ logins, totalCount, hiddenCount }) => (
        <>
          {hiddenCount > 0 && (
            <Note kind="warn">{count(hiddenCount, 'login')} of people or machines that you may not read, besides.</Note>
          )}
          <Table
            label="Logins"
            rows={logins}
            keyOf={({ host, loginUser, actor }) => `${host.id} ${loginUser} ${actor.id}`}
            empty={empty}
            columns={[
              { title: 'Who', cell: ({ actor }) => <Who of={actor} /> },
              { title: 'Is a', cell: ({ actor }) => TYPES[actor.type] },
              {
                title: 'On',
                cell: ({ host }) => <HostLink of={host} />,
              },
              { title: 'As', cell: ({ loginUser }) => <code>{loginUser}</code> },
              { title: 'Why', cell: (login) => <Why of={login} /> },
            ]}
          />
          <Pager {...page} total={totalCount} />
        </>
      )}
    </Queried>
  );
}

/** Login mappings have the user names. */
const Who = ({ of: { name, username } }: { readonly of: Login['actor'] }) => (
  <>
    {name} {username !== null && username !== name && <small>{username}</small>}
  </>
);

const HostLink = ({ of: { id, hostname } }: { readonly of: Login['host'] }) => (
  <Link to="/projects/$projectId/ssh/hosts/$id" params={{ projectId: useProjectId(), id }}>
    {hostname}
  </Link>
);

/** By which mappings; without one here, by which other hosts. */
function Why({ of: { grants, otherHosts } }: { readonly of: Login }) {
  const projectId = useProjectId();
  return (
    <>
      {grants.map(({ hostGroup, isByGroup, group }) => (
        <div key={`${hostGroup?.id} ${isByGroup} ${group?.id}`}>
          {isByGroup ? `by the group ${group?.name ?? '(that you may not read)'}` : 'by name'}
          {hostGroup ? (
            <>
              , in the host group{' '}
              <Link to="/projects/$projectId/ssh/host-groups/$id" params={{ projectId, id: hostGroup.id }}>
                {hostGroup.name}
              </Link>
            </>
          ) : (
            ', on the host itself'
          )}
        </div>
      ))}
      {otherHosts.length > 0 && (
        <>
          <Badge kind="warn">Not mapped here</Badge> a certificate for{' '}
          {otherHosts.map(({ hostname }) => hostname).join(', ')} opens it, too
        </>
      )}
    </>
  );
}
