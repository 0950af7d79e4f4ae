import type { Coffer } from '@coffer/domain';
import { onEveryQuery } from './every-query.ts';

/** What is written besides a change: counts of uses, and events of reads and refusals. */
const BESIDES = /\.add_uses$|^audit_events\.insert$/;
const WRITES = /\b(?:insert into|update|delete from)\s/i;

/** The commits from now on that wrote something, each with the names of its statements. */
export function recordedCommits(coffer: Coffer): string[][] {
  const commits: string[][] = [];
  onEveryQuery(coffer, () => {
    let written: string[] | undefined;
    return ({ name, text }, send) => {
      const answer = send() as Promise<{ command?: string }> | undefined;
      if (text.startsWith('begin')) written = [];
      else if (WRITES.test(text)) {
        if (written) written.push(name);
        else if (!BESIDES.test(name)) commits.push([name]);
      } else if (/^(?:commit|rollback)/.test(text)) {
        const ended = written ?? [];
        written = undefined;
        // PostgreSQL says so where a failed transaction is rolled back instead.
        const note = ({ command }: { command?: string }) =>
          command === 'COMMIT' && ended.length > 0 && commits.push(ended);
        answer?.then(note, () => undefined);
      }
      return answer;
    };
  });
  return commits;
}
