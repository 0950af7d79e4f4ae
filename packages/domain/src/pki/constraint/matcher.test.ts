import { describe, expect, it } from 'vitest';
import { glob } from './matcher.ts';

describe('glob', () => {
  it.each([
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['a*b*c', 'A--b--C', true],
    ['a*b*b', 'ab', false],
    ['a.b', 'a.b', true],
    ['a.b', 'aXb', false],
    ['*', '', true],
  ])('%s matches %s: %s', (pattern, value, isMatched) => {
    expect(glob(pattern).matches(value)).toBe(isMatched);
  });

  it.each([
    ['admin.*', true],
    ['admin.example.com', true],
    ['ADMIN*', true],
    ['*admin.example.com', true],
    ['a*n.*.com', true],
    ['*', true],
    ['admin.example.org', false],
    ['*.internal.example.com', false],
    ['a.b.example.com', false],
    ['.example.com', false],
    ['example.com', false],
  ])('%s matches one of the names that *.example.com stands for: %s', (pattern, isMatched) => {
    expect(glob(pattern).matchesBelow('.example.com')).toBe(isMatched);
  });
});
