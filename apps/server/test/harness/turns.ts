import { restsSoFar } from '@coffer/domain';
import { isLongSearch, longestTurn, MAX_TURN } from '@coffer/domain/testing';
import { expect } from 'vitest';

/**
 * Checks that some long work rests at least so many times: while it works, other requests wait. Faster machines rest
 * less often, so `least` is a small part of what was counted on a slow one. The long form (`pnpm search attack`) also
 * measures the turns of the event loop.
 */
export async function turnsOf(least: number, work: () => Promise<unknown>): Promise<void> {
  const before = restsSoFar();
  await work();
  expect(restsSoFar() - before).toBeGreaterThanOrEqual(least);
  if (isLongSearch) expect(await longestTurn(work)).toBeLessThan(MAX_TURN);
}
