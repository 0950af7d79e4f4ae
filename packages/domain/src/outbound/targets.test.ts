import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PooledClient } from '../kernel/index.ts';
import { createTargets } from './targets.ts';

const never = new AbortController().signal;
const { promise: forever } = Promise.withResolvers<never>();

/** A promise that a test settles by hand. */
const gate = () => Promise.withResolvers<void>();

describe('calls to one target', () => {
  it('are limited in number, in the order of arrival', async () => {
    const targets = createTargets();
    const { promise, resolve } = gate();
    const begun: number[] = [];
    let [inside, most] = [0, 0];
    const calls = Array.from({ length: 10 }, (_, i) =>
      targets.run('a', async () => {
        begun.push(i);
        most = Math.max(most, ++inside);
        await promise;
        inside--;
        return i;
      }),
    );
    await sleep(0);
    expect(begun).toEqual([0, 1, 2, 3]);
    resolve();
    expect(await Promise.all(calls)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([begun, most]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 4]);
  });

  it('do not delay other targets', async () => {
    const targets = createTargets();
    const slow = Array.from({ length: 20 }, () => targets.run('slow', () => forever, { timeMs: 300, waitMs: 50 }));
    const ended = Promise.allSettled(slow);
    expect(await targets.run('fast', () => Promise.resolve('done'))).toBe('done');
    const codes = (await ended).map((one) => (one.status === 'rejected' ? one.reason.code : one.status));
    const count = (code: string) => codes.filter((one) => one === code).length;
    expect([count('outbound.busy'), count('outbound.timeout')]).toEqual([16, 4]);
  });

  it('are queued separately for each caller', async () => {
    const targets = createTargets();
    const { promise, resolve } = gate();
    const others = Array.from({ length: 4 }, () => targets.run('a', () => promise, { whose: 'one' }));
    const mine = (whose: string) => targets.run('a', () => Promise.resolve('done'), { whose, waitMs: 0 });
    expect(await mine('another')).toBe('done');
    await expect(mine('one')).rejects.toMatchObject({
      code: 'outbound.busy',
      message: expect.stringMatching(/^a has too many/),
    });
    resolve();
    await Promise.all(others);
  });

  it('are reported when they expire, and free their slot', async () => {
    const targets = createTargets();
    let told = false;
    const work = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => (told = true));
      return forever;
    };
    await expect(targets.run('a', work, { timeMs: 10 })).rejects.toMatchObject({
      code: 'outbound.timeout',
      message: 'a did not answer in time',
    });
    expect(told).toBe(true);
    for (let i = 0; i < 8; i++) expect(await targets.run('a', async () => i, { waitMs: 0 })).toBe(i);
  });

  it('do not wait if they do not want to', async () => {
    const targets = createTargets();
    const { promise, resolve } = gate();
    const others = Array.from({ length: 4 }, () => targets.run('a', () => promise));
    await expect(targets.run('a', () => Promise.resolve(), { waitMs: 0 })).rejects.toMatchObject({
      kind: 'bad_request',
      code: 'outbound.busy',
    });
    resolve();
    await Promise.all(others);
  });

  it('free their place also when they fail', async () => {
    const targets = createTargets();
    for (let i = 0; i < 8; i++)
      await expect(targets.run('a', () => Promise.reject(new Error('no')), { waitMs: 0 })).rejects.toThrow('no');
  });
});

describe('a pooled client', () => {
  class Door {
    opened = 0;
    closed = 0;
    resets = 0;
    isBroken = false;
    readonly open = (): Promise<PooledClient<Door>> => {
      this.opened++;
      return Promise.resolve({
        client: this,
        isOpen: () => !this.isBroken,
        reset: () => Promise.resolve(this.resets++),
        close: () => void this.closed++,
      });
    };
  }

  it('is used by the next call with its key only', async () => {
    const targets = createTargets();
    const door = new Door();
    for (let i = 0; i < 3; i++) {
      await targets.usePooled('a', never, door.open, () => sleep(0));
      await sleep(0);
    }
    expect([door.opened, door.resets, door.closed]).toEqual([1, 3, 0]);
    await targets.usePooled('b', never, door.open, () => sleep(0));
    expect(door.opened).toBe(2);
    await sleep(0);
    await targets.close();
    expect(door.closed).toBe(2);
  });

  it('is used by one call at a time', async () => {
    const targets = createTargets();
    const door = new Door();
    const { promise, resolve } = gate();
    const calls = [1, 2].map(() => targets.usePooled('a', never, door.open, () => promise));
    resolve();
    await Promise.all(calls);
    expect(door.opened).toBe(2);
  });

  it('is not kept after a failure, nor used once it is broken', async () => {
    const targets = createTargets();
    const door = new Door();
    await expect(targets.usePooled('a', never, door.open, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect([door.opened, door.closed]).toEqual([1, 1]);
    await targets.usePooled('a', never, door.open, () => sleep(0));
    await sleep(0);
    door.isBroken = true;
    await targets.usePooled('a', never, door.open, () => sleep(0));
    expect([door.opened, door.closed]).toEqual([3, 2]);
  });

  it('is closed at its deadline', async () => {
    const targets = createTargets();
    const door = new Door();
    const use = (signal: AbortSignal) => targets.usePooled('a', signal, door.open, () => forever);
    await expect(targets.run('a', use, { timeMs: 10 })).rejects.toMatchObject({ code: 'outbound.timeout' });
    expect(door.closed).toBe(1);
  });
});

describe('closing', () => {
  it('waits for running work, also in the background', async () => {
    const targets = createTargets();
    const { promise, resolve } = gate();
    let done = 0;
    const count = () => void done++;
    const call = targets.run('a', () => promise.then(count));
    targets.inBackground(promise.then(count));
    setTimeout(resolve, 20);
    await targets.close();
    expect(done).toBe(2);
    await call;
  });
});
