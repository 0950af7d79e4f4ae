import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withinRequest } from './open-request.ts';
import { mapInTurns } from './work-budget.ts';

/** Things without end; the work on each costs a turn. */
function* endless(): Generator<number> {
  for (let n = 0; ; n++) yield n;
}
const COSTLY = 1e9;
const burn = () => {
  const end = performance.now() + 6;
  while (performance.now() < end);
};

describe('the work of a request', () => {
  it('stops at its next rest once nobody waits for it', async () => {
    let done = 0;
    const work = () =>
      mapInTurns(endless(), COSTLY, () => {
        burn();
        done++;
      });
    await expect(withinRequest(() => done >= 3, work)).rejects.toMatchObject({ code: 'request.closed' });
    expect(done).toBe(3);
  });

  it('does not stop the work of others, nor what continues after it', async () => {
    const some = () => mapInTurns([1, 2, 3], COSTLY, burn).then(({ length }) => length);
    let isGone = false;
    let later: Promise<number> | undefined;
    const abandoned = withinRequest(
      () => isGone,
      async () => {
        later = sleep(1).then(some);
        await Promise.resolve();
      },
    );
    await abandoned;
    isGone = true;
    expect(await Promise.all([later, some(), withinRequest(() => false, some)])).toEqual([3, 3, 3]);
  });
});
