import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixedWork, processorTime } from '../testing/index.ts';
import { objectOf } from './remote-answer.ts';
import { addPage, allPages, MAX_REMOTE_ITEMS, MAX_REMOTE_NAME, MAX_REMOTE_PAGES, RemoteName } from './remote-list.ts';
import { RemoteSession } from './remote-session.ts';

describe('a list at another system', () => {
  it('may have one page with all of its items', () => {
    const all: number[] = [];
    addPage(
      all,
      Array.from({ length: MAX_REMOTE_ITEMS }, (_, i) => i),
    );
    expect(all).toHaveLength(MAX_REMOTE_ITEMS);
  });

  it('is refused where it has more, in one page or in many', () => {
    expect(() => addPage([], Array.from({ length: 1_000_000 }))).toThrow('more than');
    const all = Array.from({ length: MAX_REMOTE_ITEMS });
    expect(() => addPage(all, ['one more'])).toThrow('more than');
  });

  it.each([undefined, null, ''] as const)(
    'is read page by page, until there is no place of a next one: %s',
    async (end) => {
      const asked: unknown[] = [];
      const all = await allPages(async (at: number | undefined) => {
        asked.push(at);
        return { items: [at ?? 0], next: asked.length < 100 ? asked.length : end };
      });
      expect(asked).toEqual([undefined, ...Array.from({ length: 99 }, (_, page) => page + 1)]);
      expect(all).toHaveLength(100);
    },
  );

  it('is refused, and not cut, where its pages do not end', async () => {
    let asked = 0;
    const endless = allPages(async () => ({ items: [], next: ++asked }));
    await expect(endless).rejects.toMatchObject({
      code: 'remote.malformed',
      message: expect.stringContaining('more than 1000 pages'),
    });
    expect(asked).toBe(MAX_REMOTE_PAGES);
  });

  it('is read by one loop, wherever it is', () => {
    const cwd = new URL('..', import.meta.url).pathname;
    const files = globSync('{apps,connections,identities,pki,secrets/dynamic}/**/*.ts', {
      cwd,
      exclude: ['**/testing/**', '**/*.test.ts'],
    });
    const loops = /for \(let page\b|\bMAX_PAGES\b|while \((?:next|token|marker|cursor)\w*\b/;
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter((file) => loops.test(readFileSync(cwd + file, 'utf8')))).toEqual([]);
  });
});

/** Of one length and with one beginning: a map compares each of them with all others. */
const longTexts = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => Buffer.from('x'.repeat(length) + String(i).padStart(8, '0')).toString());

describe('long texts of another system', () => {
  it('are no names by which anything is found', () => {
    expect(RemoteName.safeParse('x'.repeat(MAX_REMOTE_NAME)).success).toBe(true);
    expect(RemoteName.safeParse('x'.repeat(MAX_REMOTE_NAME + 1)).success).toBe(false);
    const objectWith = (length: number) => objectOf(z.unknown()).safeParse({ ['x'.repeat(length)]: 1 });
    expect([objectWith(MAX_REMOTE_NAME).success, objectWith(MAX_REMOTE_NAME + 1).success]).toEqual([true, false]);
  });

  it('are hidden without being compared with each other', () => {
    const texts = longTexts(2_000, 16_400);
    const ctx = { largeAnswers: undefined, actor: {}, now: () => new Date() } as never;
    using session = new RemoteSession(ctx, { timeMs: 1_000 });
    const before = processorTime();
    session.hideValues(texts);
    expect((processorTime() - before) / fixedWork()).toBeLessThan(1);
  });
});
