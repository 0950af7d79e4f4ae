import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Facts } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Queried } from '../../ui/query.tsx';
import { Time } from '../../ui/time.tsx';
import { DifferencesTable } from './differences.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** One commit: who, when, and what it changed. */
export function CommitDialog({ projectId, commitId }: { readonly projectId: string; readonly commitId: string }) {
  const [, go] = useAddress();
  const found = useQuery(ask('history', 'commit', { projectId, commitId, viewSecretValue: false }));
  const read = async () => (await coffer.history.commit.query({ projectId, commitId })).commit.changes;
  return (
    <Dialog title={texts.commit} look="wide" onClose={() => go({ commit: undefined })}>
      <Queried query={found}>
        {({ commit: { revision, message, actor, createdAt, changes } }) => (
          <>
            <Facts
              of={[
                [texts.revision, revision],
                [words.by, actor.name],
                [words.when, <Time key="when" at={createdAt} />],
                [texts.message, message],
              ]}
            />
            <DifferencesTable of={changes} read={read} />
          </>
        )}
      </Queried>
    </Dialog>
  );
}
