import type { Coffer } from '@coffer/domain';
import type { PoolClient } from 'pg';

interface Query {
  readonly name?: string;
  readonly text?: string;
}

/** What is written besides a change: counts of uses, and events of reads and refusals. */
const BESIDES = /\.add_uses$|^audit_events\.insert$/;
const WRITES = /\b(?:insert into|update|delete from)\s/i;

/** The commits from now on that wrote something, each with the names of its statements. */
export function recordedCommits({ database }: Coffer): string[][] {
  const commits: string[][] = [];
  const watched = new WeakSet<PoolClient>();
  database.pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    let written: string[] | undefined;
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<{ command?: string }> | undefined;
    client.query = ((asked: string | Query, ...rest: unknown[]) => {
      const { text = '', name = text } = typeof asked === 'string' ? { text: asked } : asked;
      const answer = query(asked, ...rest);
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
    }) as typeof client.query;
  });
  return commits;
}
