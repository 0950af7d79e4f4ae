import type { Coffer } from '@coffer/domain';
import type { PoolClient } from 'pg';

interface Query {
  readonly text?: string;
}

const WRITES = /\b(?:insert into|update|delete from)\s/i;

/**
 * Runs a call in which every transaction that writes is repeated: its first commit gets what PostgreSQL answers to one that
 * gives way in a deadlock.
 *
 * @returns The result of the call, and how many transactions were repeated.
 */
export type Repeating = <T>(call: () => Promise<T>) => Promise<{ result: T; repeated: number }>;

export function repeatedTransactions({ database }: Coffer): Repeating {
  const watched = new WeakSet<PoolClient>();
  /** The statements of those that were repeated; undefined where none is to be. */
  let repeated: Set<string> | undefined;
  database.pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    let texts: string[] = [];
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((asked: string | Query, ...rest: unknown[]) => {
      const { text = '' } = typeof asked === 'string' ? { text: asked } : asked;
      if (text.startsWith('begin')) texts = [];
      // The entity manager writes values into the text.
      texts.push(text.replace(/'[^']*'/g, '?'));
      const said = texts.join('\n');
      if (text !== 'commit' || !repeated || !WRITES.test(said) || repeated.has(said)) return query(asked, ...rest);
      repeated.add(said);
      return Promise.resolve(query('rollback')).then(() => {
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      });
    }) as typeof client.query;
  });
  return async (call) => {
    const those = (repeated = new Set());
    try {
      return { result: await call(), repeated: those.size };
    } finally {
      repeated = undefined;
    }
  };
}
