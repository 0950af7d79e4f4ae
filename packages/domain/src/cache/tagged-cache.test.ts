import { describe, expect, it } from 'vitest';
import { TaggedCache } from './tagged-cache.ts';

/** A load that ends on command of the test. */
function pending(tags: string[]) {
  const { promise, resolve } = Promise.withResolvers<{ value: string; tags: string[] }>();
  return { load: () => promise, end: (value: string) => resolve({ value, tags }) };
}

describe('TaggedCache', () => {
  it('caches a value until one of its tags is invalidated or it expires', async () => {
    const cache = new TaggedCache<string>();
    await cache.load('a', 0, async () => ({ value: 'A', tags: ['x', 'y'], until: 10 }));
    await cache.load('b', 0, async () => ({ value: 'B', tags: ['y'] }));
    expect([cache.get('a', 9), cache.get('a', 10), cache.get('b', 10)]).toEqual(['A', undefined, 'B']);
    cache.invalidate(['y']);
    expect([cache.get('b', 0), cache.size]).toEqual([undefined, 0]);
  });

  it('does not fill with expired entries that nobody asks for again', async () => {
    const cache = new TaggedCache<number>();
    await cache.load('lasting', 0, async () => ({ value: 0, tags: ['x'] }));
    for (let now = 1; now <= 5_000; now++)
      await cache.load(`token ${now}`, now, async () => ({
        value: now,
        tags: ['x', `token ${now}`],
        until: now + 100,
      }));
    // Those that have not expired, and as many that wait for their turn.
    expect(cache.size).toBeLessThan(250);
    expect([cache.get('lasting', 5_000), cache.get('token 4999', 5_000)]).toEqual([0, 4_999]);
    cache.invalidate(['x']);
    expect(cache.size).toBe(0);
  });

  it('returns, but does not cache, what was loaded while one of its tags was invalidated', async () => {
    const cache = new TaggedCache<string>();
    const { load, end } = pending(['x', 'y']);
    const loaded = cache.load('a', 0, load);
    const another = pending(['z']);
    const alsoLoaded = cache.load('b', 0, another.load);
    cache.invalidate(['y']);
    end('old');
    expect([await loaded, cache.get('a', 0)]).toEqual(['old', undefined]);
    another.end('kept');
    expect([await alsoLoaded, cache.get('b', 0)]).toEqual(['kept', 'kept']);
  });

  it('caches no running loads after more invalidations than it remembers', async () => {
    const cache = new TaggedCache<string>();
    const { load, end } = pending(['x']);
    const loaded = cache.load('a', 0, load);
    cache.invalidate(['x']);
    cache.invalidate(Array.from({ length: 20_000 }, (_, at) => `other ${at}`));
    end('old');
    expect([await loaded, cache.get('a', 0)]).toEqual(['old', undefined]);
  });

  it('does not apply earlier invalidations to a later load', async () => {
    const cache = new TaggedCache<string>();
    const first = pending(['x']);
    const loading = cache.load('a', 0, first.load);
    cache.invalidate(['x']);
    const second = pending(['x']);
    const loaded = cache.load('b', 0, second.load);
    first.end('old');
    second.end('new');
    expect([await loading, cache.get('a', 0), await loaded, cache.get('b', 0)]).toEqual([
      'old',
      undefined,
      'new',
      'new',
    ]);
  });

  it('does not cache loads that began while it was disabled', async () => {
    const cache = new TaggedCache<string>();
    cache.enabled = false;
    const { load, end } = pending(['x']);
    const loaded = cache.load('a', 0, load);
    cache.enabled = true;
    end('old');
    expect([await loaded, cache.get('a', 0)]).toEqual(['old', undefined]);
  });

  it('is limited in size, and keeps no tags of evicted entries', async () => {
    const cache = new TaggedCache<number>(3);
    for (let at = 0; at < 10; at++) await cache.load(String(at), 0, async () => ({ value: at, tags: ['all'] }));
    expect([cache.size, cache.get('9', 0), cache.get('6', 0)]).toEqual([3, 9, undefined]);
    cache.invalidate(['all']);
    expect(cache.size).toBe(0);
  });
});
