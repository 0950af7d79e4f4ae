import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallerLimiter } from './caller-limiter.ts';
import { withinRequest } from './open-request.ts';

/** Works that end when they are told to, in the order in which they began. */
class Works {
  readonly began: string[] = [];
  readonly #running: (() => void)[] = [];
  mostAtOnce = 0;

  readonly work = (caller: string) => async () => {
    this.began.push(caller);
    await new Promise<void>((end) => {
      this.#running.push(end);
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#running.length);
    });
  };

  /** Ends the first that runs; false if none does. */
  async endFirst(): Promise<boolean> {
    await setImmediate();
    const end = this.#running.shift();
    end?.();
    return end !== undefined;
  }
}

describe('a limit by caller', () => {
  it('leaves a place to others, however much one caller asks for, and callers take turns', async () => {
    const [limiter, works] = [new CallerLimiter(2), new Works()];
    const asked = ['a', 'a', 'a', 'a', 'b', 'b'].map((caller) => limiter.run(caller, works.work(caller)));
    await setImmediate();
    expect(works.began).toEqual(['a', 'b']);
    while (await works.endFirst());
    await Promise.all(asked);
    expect(works.began.toSorted()).toEqual(['a', 'a', 'a', 'a', 'b', 'b']);
    expect(works.began.slice(0, 4).toSorted()).toEqual(['a', 'a', 'b', 'b']);
  });

  it('gives the place of a work that fails to the next one', async () => {
    const limiter = new CallerLimiter(1);
    const failed = limiter.run('a', () => Promise.reject(new Error('no')));
    await expect(failed).rejects.toThrow('no');
    expect(await limiter.run('a', () => Promise.resolve(1))).toBe(1);
  });

  it('does nothing any more for a client that has disconnected while it waited', async () => {
    const [limiter, works] = [new CallerLimiter(1), new Works()];
    const first = limiter.run('a', works.work('first'));
    const run = () => limiter.run('a', works.work('gone'));
    const refused = withinRequest(() => true, run).catch((error: unknown) => error);
    const last = limiter.run('a', works.work('last'));
    while (await works.endFirst());
    await Promise.all([first, last]);
    expect(await refused).toMatchObject({ code: 'request.closed' });
    expect(works.began).toEqual(['first', 'last']);
  });

  it('runs everything, and never more than its places', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        async (callers, places) => {
          const [limiter, works] = [new CallerLimiter(places), new Works()];
          const asked = callers.map((caller) => limiter.run(caller, works.work(caller)));
          while (await works.endFirst());
          await Promise.all(asked);
          expect(works.began.toSorted()).toEqual(callers.toSorted());
          expect(works.mostAtOnce).toBeLessThanOrEqual(places);
        },
      ),
    );
  });
});
