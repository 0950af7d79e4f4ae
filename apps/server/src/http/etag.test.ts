import { describe, expect, it } from 'vitest';
import { rememberingMarks } from './etag.ts';

describe('remembered marks', () => {
  it('makes the mark of a text once, and keeps none of a long text', () => {
    const made: string[] = [];
    const mark = rememberingMarks((text) => {
      made.push(text);
      return text.slice(0, 1);
    });
    const long = 'l'.repeat(2_000);
    expect(['a', 'b', 'a', long, long].map(mark)).toEqual(['a', 'b', 'a', 'l', 'l']);
    expect(made).toEqual(['a', 'b', long, long]);
  });
});
