import type { Context } from './context.ts';

/**
 * Asks again for every right that this call was granted, and for its token. Whoever has waited (for another system, for a
 * key) calls it before the result is stored. An answer needs no call: that of an operation which has asked another system
 * is held back by `requireGranted` of `@coffer/api`.
 *
 * @throws DomainError 401, 403, 404 where the token or a right has ended meanwhile.
 */
export async function requireStillPermitted(ctx: Context): Promise<void> {
  await ctx.requireStillCalling();
  await requireRightsAgain(ctx);
}

/** The same without the token; in a transaction with its connection. @throws DomainError 403, 404. */
export async function requireRightsAgain(ctx: Context): Promise<void> {
  const { passed } = ctx;
  const asked = [...passed];
  try {
    for (const check of asked) await check(ctx);
  } finally {
    // They have noted themselves once more.
    passed.length = asked.length;
  }
}
