import type { Context, PassedCheck } from './context.ts';

/**
 * Repeats every check of rights that this call has passed, and the check of its token. Call it after waiting for another system,
 * before the result is stored. The answer needs no call: `answerProcedure` of `@coffer/api` checks it, also after waits for
 * the database, and compares rights before it repeats checks.
 *
 * @throws DomainError 401, 403, 404 if the token or a right has ended.
 */
export async function requireStillPermitted(ctx: Context): Promise<void> {
  await ctx.requireStillCalling();
  await requireRightsAgain(ctx);
}

/** As `requireStillPermitted`, without the token. In a transaction it uses the connection of that. @throws DomainError 403, 404. */
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
