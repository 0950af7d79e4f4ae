import { callerKeyOf, type Context } from '../kernel/index.ts';

/**
 * Generates a key. One of RSA occupies a thread for a second and more, of the few that also hash passwords and sign, so that
 * these generations take turns by caller; keys of other algorithms take no time.
 *
 * @param algorithm A published name, such as `RSA_4096`.
 */
export const generateInTurn = <Key>(ctx: Context, algorithm: string, generate: () => Promise<Key>): Promise<Key> =>
  algorithm.startsWith('RSA') ? ctx.keyGenerations.run(callerKeyOf(ctx.actor, ctx.request), generate) : generate();
