import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Facts } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Queried } from '../../ui/query.tsx';
import { Time } from '../../ui/time.tsx';
import { DifferencesTable } from './differences.tsx';

/** One commit: who, when, and what it changed. */
export function CommitDialog({ projectId, commitId }: { readonly projectId: string; readonly commitId: string }) {
  const [, go] = useAddress();
  const found = useQuery(ask('history', 'commit', { projectId, commitId, viewSecretValue: false }));
  const read = async () => (await coffer.history.commit.query({ projectId, commitId })).commit.changes;
  return (
    <Dialog title="Commit" look="wide" onClose={() => go({ commit: undefined })}>
      <Queried query={found}>
        {({ commit: { revision, message, actor, createdAt, changes } }) => (
          <>
            <Facts
              of={[
                ['Revision', revision],
                ['By', actor.name],
                ['When', <Time key="when" at={createdAt} />],
                ['Message', message],
              ]}
            />
            <DifferencesTable of={changes} read={read} />
          </>
        )}
      </Queried>
    </Dialog>
  );
}
