import type { Coffer } from '@coffer/domain';
import type { PoolClient } from 'pg';

interface Query {
  readonly name?: string;
  readonly text?: string;
}

/** The deadlocks from now on, each with the statements of the transactions in it, of which PostgreSQL has ended one. */
export function recordedDeadlocks({ database }: Coffer): readonly string[] {
  const deadlocks: string[] = [];
  const watched = new WeakSet<PoolClient>();
  const statements = new Map<number, string[]>();
  const note = (pid: number, asked: string | Query): void => {
    const text = typeof asked === 'string' ? asked : (asked.name ?? asked.text ?? '');
    if (text.startsWith('begin')) statements.set(pid, []);
    statements.get(pid)?.push(text);
  };
  const describe = (error: { code?: string; detail?: string }): void => {
    if (error.code !== '40P01') return;
    const inIt = new Set(Array.from(error.detail?.matchAll(/Process (\d+)/g) ?? [], ([, pid]) => Number(pid)));
    deadlocks.push([...inIt].map((pid) => (statements.get(pid) ?? ['?']).join('; ')).join('\n'));
  };
  database.pool.on('acquire', (client: PoolClient & { processID?: number }) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (asked: string | Query, ...rest: unknown[]) => Promise<unknown>;
    client.query = ((asked: string | Query, ...rest: unknown[]) => {
      note(client.processID!, asked);
      const answer = query(asked, ...rest);
      answer?.catch?.(describe);
      return answer;
    }) as typeof client.query;
  });
  return deadlocks;
}
