import { callerKeyOf, type Context, type Outside } from '../kernel/index.ts';

/**
 * Does work that occupies a thread for long, of the few that also hash passwords and sign: callers take turns. A caller with many waits
 * for minutes: what it was permitted to do before it has to be permitted after that, too.
 *
 * @throws as `Context.requireUnchangedRights`; whatever the work throws.
 */
export async function inThreadTurn<T>(ctx: Outside<Context>, work: () => Promise<T>): Promise<T> {
  const made = await ctx.threadTurns.run(callerKeyOf(ctx.actor, ctx.request), work);
  await ctx.requireUnchangedRights();
  return made;
}

/**
 * Generates a key. One of RSA occupies a thread for a second and more; keys of other algorithms take no time.
 *
 * @param algorithm A published name, such as `RSA_4096`.
 * @throws as `inThreadTurn`.
 */
export function generateInTurn<Key>(
  ctx: Outside<Context>,
  algorithm: string,
  generate: () => Promise<Key>,
): Promise<Key> {
  return algorithm.startsWith('RSA') ? inThreadTurn(ctx, generate) : generate();
}
