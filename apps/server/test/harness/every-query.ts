import type { Coffer } from '@coffer/domain';
import type { PoolClient } from 'pg';

export interface Query {
  /** Its text where it has no name, as those of the entity manager. */
  readonly name: string;
  readonly text: string;
}

/** Is asked in place of the connection, and returns what that would; `send` asks the connection. */
export type QueryHandler = (query: Query, send: () => unknown) => unknown;

/** Handles every query of a server from now on. Each connection has a handler of its own. */
export function onEveryQuery({ database }: Pick<Coffer, 'database'>, handlerOf: (client: PoolClient) => QueryHandler) {
  const watched = new WeakSet<PoolClient>();
  database.pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const handle = handlerOf(client);
    const query = client.query.bind(client) as (...asked: unknown[]) => unknown;
    Object.assign(client, {
      query: (...asked: unknown[]) => {
        const [given] = asked as [string | Partial<Query>];
        const { text = '', name = text } = typeof given === 'string' ? { text: given } : given;
        return handle({ name, text }, () => query(...asked));
      },
    });
  });
}
