import { callerKeyOf, type Context } from '../kernel/index.ts';

/**
 * Generates a key. One of RSA occupies a thread for a second and more, of the few that also hash passwords and sign, so that
 * these generations take turns by caller; keys of other algorithms take no time. A caller with many waits for minutes: what it
 * was permitted to do before it has to be permitted after that, too.
 *
 * @param algorithm A published name, such as `RSA_4096`.
 * @throws as `Context.requireUnchangedRights`.
 */
export async function generateInTurn<Key>(ctx: Context, algorithm: string, generate: () => Promise<Key>): Promise<Key> {
  if (!algorithm.startsWith('RSA')) return generate();
  const key = await ctx.keyGenerations.run(callerKeyOf(ctx.actor, ctx.request), generate);
  await ctx.requireUnchangedRights();
  return key;
}
