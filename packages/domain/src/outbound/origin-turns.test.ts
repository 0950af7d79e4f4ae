import { describe, expect, it } from 'vitest';
import type { TurnOwner } from '../kernel/outbound.ts';
import { OriginTurns } from './origin-turns.ts';

/** Calls that end when they are told to, in the order in which they began. */
function calls(places: number) {
  const turns = new OriginTurns(places);
  const begun: { readonly name: string; readonly end: () => void }[] = [];
  const call = (name: string, whose: TurnOwner) =>
    turns.run(
      'https://a.test',
      whose,
      new AbortController().signal,
      () => new Promise<void>((end) => begun.push({ name, end })),
    );
  return { begun, call };
}

describe('the connections of an origin', () => {
  it('are used by the members of a group in turns, who together have those of one owner', async () => {
    const { begun, call } = calls(4);
    const all = [
      ...Array.from({ length: 9 }, (_, n) => call(`a${n}`, ['strangers', 'a'])),
      call('b', ['strangers', 'b']),
      call('known', 'organization'),
    ];
    await expect.poll(() => begun.length).toBe(3);
    const names = () => begun.map(({ name }) => name);
    expect(names()).toContain('known');
    for (let ended = 0; ended < all.length; ended++) {
      await expect.poll(() => begun.length).toBeGreaterThan(ended);
      begun[ended]!.end();
    }
    await Promise.all(all);
    expect(names().indexOf('b')).toBeLessThan(5);
  });
});
