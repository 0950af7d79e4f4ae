import { describe, expect, it } from 'vitest';
import { printableJson } from './printable.ts';

describe('JSON that a terminal may show', () => {
  const value = { level: 'warn', message: 'A\n\u001B[31m\u009B31mRED\u202E\u2028' };

  it('has nothing that the terminal obeys', () => {
    expect(printableJson(value)).not.toMatch(/[^ -~]/);
  });

  it('is the same for programs', () => {
    expect(JSON.parse(printableJson(value))).toEqual(value);
  });
});
