import type { Coffer } from '@coffer/domain';
import { onEveryQuery } from './every-query.ts';

/** What changes rows, or has others wait: for a row, or for an advisory lock. */
export const LOCKS =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|for\s+(?:no\s+key\s+)?update|for\s+(?:key\s+)?share|lock\s+table|pg_(?:try_)?advisory\w*|nextval|setval)\b/i;

/** The statements of a server that lock or write. */
export class RecordedLocks {
  #statements: string[] = [];

  constructor(coffer: Pick<Coffer, 'database'>) {
    onEveryQuery(coffer, () => ({ name, text }, send) => {
      if (LOCKS.test(text)) this.#statements.push(name);
      return send();
    });
  }

  /** The names of those since the last time; the texts of those of the entity manager. */
  taken(): string[] {
    return this.#statements.splice(0);
  }
}
