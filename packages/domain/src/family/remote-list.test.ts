import { describe, expect, it } from 'vitest';
import { addPage, MAX_REMOTE_ITEMS } from './remote-list.ts';

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
});
