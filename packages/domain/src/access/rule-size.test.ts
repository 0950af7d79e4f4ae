import { expect, it } from 'vitest';
import { sizeOf } from './rule-size.ts';

const rule = (environment: unknown) => ({ subject: 'secrets', action: 'edit', conditions: { environment } }) as never;

it.each([
  ['a text', 'dev', 1],
  ['a few texts in a list', { $in: ['dev', 'prod'] }, 1],
  ['a list of long texts', { $in: Array.from({ length: 1_000 }, () => 'x'.repeat(100)) }, 201],
  ['lists within a condition', { $elemMatch: { key: { $in: ['x'.repeat(600)] } } }, 2],
])('a rule counts with what it has: %s', (_name, condition, size) => {
  expect(sizeOf([rule(condition)])).toBe(size);
});
