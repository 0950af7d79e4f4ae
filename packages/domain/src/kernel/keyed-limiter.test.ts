import { expect, it } from 'vitest';
import { KeyedLimiter } from './keyed-limiter.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

it('limits the concurrent work for one key, in order, independent of other keys', async () => {
  const turns = new KeyedLimiter(2);
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (key: string, name: string) =>
    turns.run(key, async () => {
      log.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const all = [run('a', '1'), run('a', '2'), run('a', '3'), run('a', '4'), run('b', '5')];
  await tick();
  expect(log).toEqual(['1', '2', '5']);
  ends.get('2')!();
  await tick();
  expect(log).toEqual(['1', '2', '5', '3']);
  for (const name of ['1', '3', '5']) ends.get(name)!();
  await tick();
  ends.get('4')!();
  await Promise.all(all);
  expect(log).toEqual(['1', '2', '5', '3', '4']);
});

it('continues after failed work, and rejects if too many wait', async () => {
  const turns = new KeyedLimiter(1);
  await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  let end = () => undefined as void;
  const first = turns.run('a', () => new Promise<void>((resolve) => (end = resolve)));
  const waiting = Array.from({ length: 100 }, () => turns.run('a', () => Promise.resolve('done')));
  await expect(turns.run('a', () => Promise.resolve())).rejects.toMatchObject({ kind: 'rate_limited', retryAfter: 1 });
  end();
  await first;
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 100 }, () => 'done'));
});
