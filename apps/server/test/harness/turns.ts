import { restsSoFar } from '@coffer/domain';
import { fixedWork, isLongSearch, processorTime } from '@coffer/domain/testing';
import { expect } from 'vitest';

/** Interval of readings of the processor time, in milliseconds. */
const EVERY = 2;
/** Maximum processor time of a turn of the event loop, as a multiple of the fixed piece of work. */
const LONGEST = 1.6;
/** A turn in which garbage of the work before is collected is long once, and does not come back. */
const TIMES = 3;

/**
 * Checks that some long work rests at least so many times: while it works, other requests wait. Faster machines rest
 * less often, so `least` is a small part of what was counted on a slow one. The long form (`pnpm search attack`) also
 * measures the turns of the event loop.
 */
export async function turnsOf(least: number, work: () => Promise<unknown>): Promise<void> {
  const before = restsSoFar();
  await work();
  expect(restsSoFar() - before).toBeGreaterThanOrEqual(least);
  if (!isLongSearch) return;
  const turns: number[] = [];
  while (turns.length < TIMES && !turns.some((turn) => turn < LONGEST)) turns.push(await longestTurn(work));
  expect(Math.min(...turns)).toBeLessThan(LONGEST);
}

/**
 * The maximum processor time of one turn of the event loop during some work: a turn blocks all other requests. Not
 * wall-clock time, which other processes of the machine affect, and as a multiple of a fixed piece of work, which they
 * slow down as well.
 */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const before = fixedWork();
  let [last, longest] = [processorTime(), 0];
  const look = () => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, EVERY);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 2 * EVERY));
    look();
    return longest / Math.max(before, fixedWork());
  } finally {
    clearInterval(timer);
  }
}
