import type { Context } from './context.ts';

/**
 * The same call, for checks of rights before a lock. They are made again under it, so that they count twice for nobody: they
 * use no comparisons of the call, and are not repeated before its commit. A refused caller neither waits for the lock, nor
 * has others wait.
 */
export const beforeLock = <C extends Context>(ctx: C): C =>
  Object.create(ctx, {
    comparisons: { value: { spent: 0 } },
    passed: { value: [] },
    passedByRows: { value: [] },
  }) as C;
