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
}

/**
 * Limits the number of rows of a project whose list has no pages, and is made in one turn of the event loop. Called
 * after one was added. Rows that are added at the same time do not see one another, so there may be a few more.
 *
 * @throws DomainError 400 with the code of the limit.
 */
export const fewInProject = (limit: RowLimit) => few(limit, 'project', 'project_id = $1');

/** The same for rows of an organization that belong to none of its projects; `where`: SQL that says so. */
export const fewInOrganization = (limit: RowLimit, where = 'organization_id = $1') => few(limit, 'organization', where);

function few(
  { table, most, code, of }: RowLimit,
  place: 'project' | 'organization',
  where: string,
): (tx: Transaction, placeId: string) => Promise<void> {
  const COUNT = statement(
    `${table}.few_in_${place}`,
    `select count(*)::integer as count from (select from ${table} where ${where} limit ${most + 1}) t`,
  );
  return async (tx, placeId) => {
    const [found] = await tx.sql<{ count: number }>(COUNT, [placeId]);
    if (found!.count > most)
      throw badRequest(code, `There can be at most ${most} ${of} in one ${place}; delete others first`);
  };
}
