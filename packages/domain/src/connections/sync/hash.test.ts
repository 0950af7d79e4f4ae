import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashesBy } from './hash.ts';

const begin = () => createHash('sha256');

describe('the hashes of a sync', () => {
  it('are the same for an item that was hashed ahead, and for any other', async () => {
    const hashes = hashesBy(begin, ['eu']);
    const hash = await hashes.ofItems([
      ['A', '1'],
      ['A', '2'],
      ['B', undefined],
    ]);
    const none = await hashes.ofItems([]);
    for (const item of [
      ['A', '1'],
      ['A', '2'],
      ['A', '3'],
      ['B', '1'],
    ])
      expect(hash(...item)).toEqual(none(...item));
    expect(hash('A', '1')).toEqual(await hashes.ofAll(['A', '1']));
    expect(hash('A', '1')).toEqual(begin().update('1:A1:12:eu').digest());
  });

  it('let others have their turns', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const value = 'é'.repeat(1_000_000);
    const items = Array.from({ length: 40 }, (_, n) => [`K${n}`, value] as const);
    await hashesBy(begin).ofItems(items);
    const ofItems = turns;
    await hashesBy(begin).ofAll(items.flat());
    clearInterval(timer);
    expect([ofItems > 3, turns - ofItems > 3]).toEqual([true, true]);
  });
});
