import { describe, expect, it } from 'vitest';
import { remembering } from './remembering.ts';

describe('remembering', () => {
  it('makes each text once, begins anew when it is full, and keeps nothing of long texts', () => {
    const made: string[] = [];
    const isLong = remembering((text) => made.push(text) > 0 && text.length > 3, 2, 3);
    expect(['a', 'b', 'a', 'long', 'long'].map(isLong)).toEqual([false, false, false, true, true]);
    expect(made).toEqual(['a', 'b', 'long', 'long']);
    made.length = 0;
    for (const text of ['a', 'b', 'c', 'c', 'a']) isLong(text);
    expect(made).toEqual(['a', 'b', 'c', 'a']);
  });
});
