import type { Context, PassedCheck } from './context.ts';

/**
 * Checks the token of a call and its rights. Call it after waiting for another system or for a key, before the result is stored.
 * The answer needs no call: `answerProcedure` of `@coffer/api` checks it, also after waits for the database.
 *
 * Where the rights have changed, the work is done again by the present ones, unless it has stored something or asked another
 * system: then every check that the call has passed is repeated.
 *
 * @throws DomainError 401, 403, 404 if the token or a right has ended; 503 `access.rights_changed`, which has the work done again.
 */
export const requireStillPermitted = (ctx: Context): Promise<void> => ctx.requireStillPermitted();

/** Repeats every check of rights that this call has passed. In a transaction it uses the connection of that. @throws DomainError 403, 404. */
export const requireRightsAgain = (ctx: Context): Promise<void> => repeat(ctx, () => true);

/** The same for the checks that equal rules do not answer. @throws DomainError 403, 404. */
export const requireRowsAgain = (ctx: Context): Promise<void> => repeat(ctx, ({ isByRows }) => isByRows);

async function repeat(ctx: Context, isRepeated: (check: PassedCheck) => boolean): Promise<void> {
  const { passed } = ctx;
  const asked = [...passed];
  try {
    for (const check of asked) if (isRepeated(check)) await check.again(ctx);
  } finally {
    // Each check has added itself again.
    passed.length = asked.length;
  }
}
