import type { Coffer } from '@coffer/domain';
import { onEveryQuery } from './every-query.ts';

const WRITES = /\b(?:insert into|update|delete from)\s/i;

/**
 * Runs a call in which every transaction that writes is repeated: its first commit gets what PostgreSQL answers to one that
 * gives way in a deadlock.
 *
 * @returns The result of the call, and how many transactions were repeated.
 */
export type Repeating = <T>(call: () => Promise<T>) => Promise<{ result: T; repeated: number }>;

export function repeatedTransactions(coffer: Coffer): Repeating {
  /** The statements of those that were repeated; undefined where none is to be. */
  let repeated: Set<string> | undefined;
  onEveryQuery(coffer, (client) => {
    let texts: string[] = [];
    return ({ text }, send) => {
      if (text.startsWith('begin')) texts = [];
      // The entity manager writes values into the text.
      texts.push(text.replace(/'[^']*'/g, '?'));
      const said = texts.join('\n');
      if (text !== 'commit' || !repeated || !WRITES.test(said) || repeated.has(said)) return send();
      repeated.add(said);
      return client.query('rollback').then(() => {
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      });
    };
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
