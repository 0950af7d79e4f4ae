import type { Coffer } from '@coffer/domain';
import type { PoolClient } from 'pg';

interface Query {
  readonly name?: string;
  readonly text?: string;
}

/** What changes rows, or has others wait: for a row, or for an advisory lock. */
export const LOCKS =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|for\s+(?:no\s+key\s+)?update|for\s+(?:key\s+)?share|lock\s+table|pg_(?:try_)?advisory\w*|nextval|setval)\b/i;

/** The statements of a server that lock or write. */
export class RecordedLocks {
  #statements: string[] = [];

  constructor({ database }: Pick<Coffer, 'database'>) {
    const watched = new WeakSet<PoolClient>();
    database.pool.on('acquire', (client) => {
      if (watched.has(client)) return;
      watched.add(client);
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((asked: string | Query, ...rest: unknown[]) => {
        const { text = '', name = text } = typeof asked === 'string' ? { text: asked } : asked;
        if (LOCKS.test(text)) this.#statements.push(name);
        return query(asked, ...rest);
      }) as typeof client.query;
    });
  }

  /** The names of those since the last time; the texts of those of the entity manager. */
  taken(): string[] {
    return this.#statements.splice(0);
  }
}
