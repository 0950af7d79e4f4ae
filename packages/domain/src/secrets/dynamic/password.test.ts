import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePassword } from './password.ts';
import { PasswordRequirements } from './password-requirements.ts';

const count = (password: string, alphabet: RegExp) => password.match(alphabet)?.length ?? 0;

describe('a password', () => {
  it('has letters and digits by default, and is unique', () => {
    const passwords = Array.from({ length: 1000 }, () => makePassword());
    expect(new Set(passwords).size).toBe(1000);
    expect(passwords.every((one) => /^[A-Za-z0-9]{48}$/.test(one))).toBe(true);
  });

  it('meets the requirements exactly', () => {
    const amount = fc.integer({ min: 0, max: 20 });
    const asked = fc.record({
      extra: amount,
      required: fc.record({ lowercase: amount, uppercase: amount, digits: amount, symbols: amount }),
      allowedSymbols: fc.option(fc.constantFrom('#', `'"\\`, '-_', '!$%&'), { nil: undefined }),
    });
    fc.assert(
      fc.property(asked, ({ extra, required, allowedSymbols }) => {
        const { lowercase, uppercase, digits, symbols } = required;
        const length = Math.max(1, lowercase + uppercase + digits + symbols + extra);
        const password = makePassword(PasswordRequirements.parse({ length, required, allowedSymbols }));
        expect(password).toHaveLength(length);
        expect(count(password, /[a-z]/g)).toBeGreaterThanOrEqual(lowercase);
        expect(count(password, /[A-Z]/g)).toBeGreaterThanOrEqual(uppercase);
        expect(count(password, /\d/g)).toBeGreaterThanOrEqual(digits);
        const others = password.replaceAll(/[A-Za-z0-9]/g, '');
        expect(others.length).toBeGreaterThanOrEqual(symbols);
        expect(Array.from(others).filter((one) => !(allowedSymbols ?? '-_.~!*').includes(one))).toEqual([]);
        expect(symbols > 0 || others === '').toBe(true);
      }),
    );
  });

  it('has its required characters anywhere in it', () => {
    const required = { lowercase: 1, uppercase: 0, digits: 1, symbols: 0 };
    const firsts = Array.from({ length: 200 }, () => /^\d/.test(makePassword({ length: 2, required })));
    expect(new Set(firsts).size).toBe(2);
  });

  it.each([
    { length: 0, required: {} },
    { length: 251, required: {} },
    { length: 3, required: { lowercase: 2, uppercase: 2 } },
    { length: 8, required: { digits: -1 } },
    { length: 8, required: {}, allowedSymbols: 'ab' },
    { length: 8, required: {}, allowedSymbols: '\n' },
    { length: 8, required: {}, allowedSymbols: 'é' },
  ])('is not generated for %j', (requirements) => {
    expect(PasswordRequirements.safeParse(requirements).success).toBe(false);
  });
});
