import { describe, expect, it } from 'vitest';
import { byRules } from '../src/app/by-rules.ts';

const RESTORE = { subject: 'commits', action: 'perform-rollback' };
const FORBIDDEN = { subject: 'secret-rollback', action: ['create'], inverted: true };
const mayRestore = (...rules: object[]) => byRules(rules as never, false)('commits', 'perform-rollback');

describe('whether to offer a restore', () => {
  it('is decided by the rules of both names of the right', () => {
    expect(mayRestore(RESTORE)).toBe(true);
    expect(mayRestore(RESTORE, { ...RESTORE, inverted: true })).toBe(false);
    expect(mayRestore(RESTORE, FORBIDDEN)).toBe(false);
    expect(mayRestore(FORBIDDEN, RESTORE)).toBe(false);
    expect(mayRestore(RESTORE, FORBIDDEN, { ...FORBIDDEN, inverted: false })).toBe(true);
    expect(mayRestore({ ...FORBIDDEN, inverted: false })).toBe(false);
  });
});
