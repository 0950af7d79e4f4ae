import fc from 'fast-check';
import { expect, it } from 'vitest';
import { badRequest, renderTemplate } from '../../kernel/index.ts';
import { readPieces } from './template.ts';

const refuse = (why: string) => badRequest('ldif', `creationLdif: ${why}`);
const read = (text: string) => readPieces(text, ['username'], refuse);

function filledOf(text: string): string | undefined {
  try {
    return renderTemplate(read(text), { username: 'ann' }, (value) => value);
  } catch {
    return undefined;
  }
}

it('reads each character once, for any number of opened braces', () => {
  expect(() => read('{{'.repeat(1_000_000))).toThrow('it does not know {{{{');
});

it('finds placeholders as an expression for them does', () => {
  const part = fc.constantFrom('{', '}', '{{username}}', '{{ Username }}', 'a', '\n');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const text = parts.join('');
      const isPlaceholder = (one: string) => /^\{\{\s*username\s*\}\}$/i.test(one);
      const expected = text.split(/(\{\{.*?\}\})/s);
      const isRefused = expected.some((one) => one.includes('{{') && !isPlaceholder(one));
      const filled = isRefused ? undefined : expected.map((one) => (isPlaceholder(one) ? 'ann' : one)).join('');
      expect(filledOf(text)).toBe(filled);
    }),
  );
});
