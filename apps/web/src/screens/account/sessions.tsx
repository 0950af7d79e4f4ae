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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Session = Outputs['sessions']['list'][number];

/** Where the user is signed in. */
export function Sessions() {
  const sessions = useQuery(ask('sessions', 'list', {}));
  return (
    <Queried query={sessions}>
      {(all) => (
        <>
          <Table
            label={texts.sessions}
            rows={all}
            keyOf={({ id }) => id}
            empty={texts.thereIsNoSession}
            columns={[
              { title: texts.where, cell: (session) => <Where {...session} /> },
              { title: words.address, cell: ({ ip }) => <code>{ip}</code> },
              { title: words.lastUsed, cell: ({ lastUsed }) => <Time at={lastUsed} /> },
              { title: texts.signedIn, cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: words.ends, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
              { title: texts.end, cell: (session) => <End {...session} /> },
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
    {name ?? programOf(userAgent)} {isCurrent && <Badge kind="good">{texts.thisOne}</Badge>}
  </span>
);

function End({ id, name, userAgent, isCurrent }: Session) {
  const revoke = useChange('sessions', 'revoke');
  return (
    <Act
      label={texts.end}
      kind="danger"
      run={() => (isCurrent ? signOut() : revoke.mutateAsync({ sessionId: id }))}
      done={texts.sessionHasEnded}
      ask={{
        title: isCurrent ? texts.signOutHere : texts.endSessionOf(name ?? programOf(userAgent)),
        children: <p>{texts.itsTokensAreRefused}</p>,
      }}
    />
  );
}

function EndAll() {
  const revokeAll = useChange('sessions', 'revokeAll', []);
  return (
    <Act
      label={texts.endAllSessions}
      kind="danger"
      run={async () => {
        await revokeAll.mutateAsync({});
        await signOut();
      }}
      ask={{
        title: texts.endAllSessionsQuestion,
        children: <p>{texts.youAreSignedOut}</p>,
      }}
    />
  );
}
