import type { Coffer } from '@coffer/domain';
import type { PoolClient } from 'pg';

/** The texts of all queries without a name from now on: those of the entity manager. */
export function recordedQueries({ database }: Coffer): ReadonlySet<string> {
  const texts = new Set<string>();
  database.pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((asked: string | { text?: string; name?: string }, ...rest: unknown[]) => {
      const text = typeof asked === 'string' ? asked : asked.name === undefined ? asked.text : undefined;
      if (text !== undefined) texts.add(text);
      return query(asked, ...rest);
    }) as typeof client.query;
  });
  return texts;
}
