import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask, useChange } from '../../app/ask.ts';
import { signOut } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { programOf } from './program.ts';

type Session = Outputs['sessions']['list'][number];

/** Where the user is signed in. */
export function Sessions() {
  const sessions = useQuery(ask('sessions', 'list', {}));
  return (
    <Queried query={sessions}>
      {(all) => (
        <>
          <Table
            label="Sessions"
            rows={all}
            keyOf={({ id }) => id}
            empty="There is no session."
            columns={[
              { title: 'Where', cell: (session) => <Where {...session} /> },
              { title: 'Address', cell: ({ ip }) => <code>{ip}</code> },
              { title: 'Last used', cell: ({ lastUsed }) => <Time at={lastUsed} /> },
              { title: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
              { title: 'End', cell: (session) => <End {...session} /> },
            ]}
          />
          <p>
            <EndAll />
          </p>
        </>
      )}
    </Queried>
  );
}

const Where = ({ name, userAgent, isCurrent }: Session) => (
  <span title={userAgent ?? undefined}>
    {name ?? programOf(userAgent)} {isCurrent && <Badge kind="good">this one</Badge>}
  </span>
);

function End({ id, name, userAgent, isCurrent }: Session) {
  const revoke = useChange('sessions', 'revoke');
  return (
    <Act
      label="End"
      kind="danger"
      run={() => (isCurrent ? signOut() : revoke.mutateAsync({ sessionId: id }))}
      done="The session has ended"
      ask={{
        title: isCurrent ? 'Sign out here?' : `End the session of ${name ?? programOf(userAgent)}?`,
        children: <p>Its tokens are refused from now on.</p>,
      }}
    />
  );
}

function EndAll() {
  const revokeAll = useChange('sessions', 'revokeAll', []);
  return (
    <Act
      label="End all sessions"
      kind="danger"
      run={async () => {
        await revokeAll.mutateAsync({});
        await signOut();
      }}
      ask={{
        title: 'End all sessions?',
        children: <p>You are signed out everywhere, here too, and all your API keys are revoked.</p>,
      }}
    />
  );
}
