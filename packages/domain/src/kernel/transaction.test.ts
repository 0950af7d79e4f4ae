import { expect, it } from 'vitest';
import type { Context } from './context.ts';
import { inTransaction, StillHeld } from './transaction.ts';

/** How often a transaction is begun that fails with these errors in turn, and then always with the last one. */
async function attemptsOf(failures: readonly Error[]): Promise<number> {
  let begun = 0;
  const begin = () => Promise.reject(failures[Math.min(begun++, failures.length - 1)]!);
  const work = inTransaction({ begin } as unknown as Context, () => Promise.resolve());
  await expect(work).rejects.toMatchObject({ code: 'database.contended' });
  return begun;
}

it('a transaction is given up after the fifth deadlock, also if it has waited for locks in between', async () => {
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01', severity: 'ERROR' });
  const held = new StillHeld();
  expect(await attemptsOf([deadlock])).toBe(5);
  expect(await attemptsOf([deadlock, deadlock, deadlock, deadlock, held, deadlock])).toBe(6);
  expect(await attemptsOf([held, held, held, deadlock])).toBe(8);
});
