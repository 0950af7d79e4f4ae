import type { Transaction } from './context.ts';
import { badRequest } from './errors.ts';
import { statement } from './sql.ts';

interface RowLimit {
  readonly table: string;
  /** The maximum number of rows. */
  readonly most: number;
  /** The code of the error: `tag.too_many`. */
  readonly code: string;
  /** What they are, for the message: `tags`. */
  readonly of: string;
  /** What to do at the limit, for the message; default: to delete others. */
  readonly instead?: string;
}

type Place = 'project' | 'organization' | 'folder' | 'ca' | 'auth_method';
const NAMES: Readonly<Record<string, string>> = { ca: 'certificate authority', auth_method: 'login method' };
type Check = (tx: Transaction, placeId: string) => Promise<void>;

/**
 * Limits the number of rows of a place whose list has no pages, and is made in one turn of the event loop. Called after
 * one was added. Rows that are added at the same time do not see one another, so there may be a few more.
 *
 * @param where SQL, if not all rows of the place count.
 * @throws DomainError 400 with the code of the limit.
 */
export function fewIn(
  place: Place,
  { table, most, code, of, instead = 'delete others first' }: RowLimit,
  where = 'true',
): Check {
  const COUNT = statement(
    `${table}.few_in_${place}`,
    `select count(*)::integer as count from (select from ${table} where ${place}_id = $1 and ${where} limit ${most + 1}) t`,
  );
  return async (tx, placeId) => {
    const [found] = await tx.sql<{ count: number }>(COUNT, [placeId]);
    if (found!.count > most)
      throw badRequest(code, `There can be at most ${most} ${of} in one ${NAMES[place] ?? place}; ${instead}`);
  };
}
