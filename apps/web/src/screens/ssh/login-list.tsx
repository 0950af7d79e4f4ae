import type { Inputs, Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { Named } from '../../ui/named.tsx';
import { Badge, Note } from '../../ui/note.tsx';
import { Pager, usePage } from '../../ui/pager.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { markOf } from '../access/actor.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Login = Outputs['sshHosts']['logins']['logins'][number];
const PAGE = 50;
const TYPES = { user: texts.user, identity: texts.machine, service: texts.serviceToken } as const;

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
          {hiddenCount > 0 && <Note kind="warn">{texts.loginsOfPeopleOrMachines(hiddenCount)}</Note>}
          <Table
            label={texts.logins}
            rows={logins}
            keyOf={({ host, loginUser, actor }) => `${host.id} ${loginUser} ${actor.id}`}
            empty={empty}
            columns={[
              { title: words.who, cell: ({ actor }) => <Who of={actor} /> },
              { title: texts.is, cell: ({ actor }) => TYPES[actor.type] },
              {
                title: texts.on,
                cell: ({ host }) => <HostLink of={host} />,
              },
              { title: texts.as, cell: ({ loginUser }) => <code>{loginUser}</code> },
              { title: texts.why, cell: (login) => <Why of={login} /> },
            ]}
          />
          <Pager {...page} total={totalCount} />
        </>
      )}
    </Queried>
  );
}

/** Login mappings have the user names. */
const Who = ({ of: actor }: { readonly of: Login['actor'] }) => <Named by={markOf(actor)}>{actor.name}</Named>;

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
          {isByGroup ? texts.byGroup(group?.name ?? texts.thatYouMayNotRead) : texts.byName}
          {hostGroup ? (
            <>
              {texts.inHostGroup}{' '}
              <Link to="/projects/$projectId/ssh/host-groups/$id" params={{ projectId, id: hostGroup.id }}>
                {hostGroup.name}
              </Link>
            </>
          ) : (
            texts.onHostItself
          )}
        </div>
      ))}
      {otherHosts.length > 0 && (
        <>
          <Badge kind="warn">{texts.notMappedHere}</Badge>{' '}
          {texts.certificateForOpensItToo(otherHosts.map(({ hostname }) => hostname).join(', '))}
        </>
      )}
    </>
  );
}
