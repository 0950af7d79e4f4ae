import type { Context } from './context.ts';

/**
 * Repeats every check of rights that this call has passed, and the check of its token. Call it after waiting for another system
 * or for a key, before the result is stored. The answer needs no call: after a call to another system, `requireGranted` of
 * `@coffer/api` checks it. Waits for the database are covered by `hasSameRights`, which compares rights without repeating
 * checks.
 *
 * @throws DomainError 401, 403, 404 if the token or a right has ended.
 */
export async function requireStillPermitted(ctx: Context): Promise<void> {
  await ctx.requireStillCalling();
  await requireRightsAgain(ctx);
}

/** As `requireStillPermitted`, without the token. In a transaction it uses the connection of that. @throws DomainError 403, 404. */
export async function requireRightsAgain(ctx: Context): Promise<void> {
  const { passed } = ctx;
  const asked = [...passed];
  try {
    for (const check of asked) await check(ctx);
  } finally {
    // Each check has added itself again.
    passed.length = asked.length;
  }
}
