import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

const TOKEN = 'ghp_0123456789abcdefABCDEF';
const encodings: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'in SQL': (text) => `'${text.replaceAll("'", "''")}'`,
  'as a name in SQL': (text) => `"${text.replaceAll('"', '""')}"`,
  'in SQL with escapes': (text) => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
  'in SQL of MySQL': (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  'in a URL': (text) => encodeURIComponent(text),
  'in a form': (text) => new URLSearchParams({ '': text }).toString().slice(1),
  'in JSON': (text) => JSON.stringify(text),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64url': (text) => Buffer.from(text).toString('base64url'),
  'in hex': (text) => Buffer.from(text).toString('hex'),
};
const without = (words: string, ...credentials: string[]) => redact(words, { credentials });

describe('the text of a remote', () => {
  it.each(Object.entries(encodings))(
    'is shown without a credential that it quotes %s, and otherwise complete',
    async (_, encode) => {
      for (const credential of ['se/cr+et "ßecret" 12', `p'a"s\\s w/ö`, `a'"\\b`]) {
        const quoted = encode(credential);
        expect(await without(`Bad token ${quoted}!`, credential)).toMatch(/^Bad token .*\[hidden\].*!$/);
        expect(await without(`Bad token ${quoted}!`, credential)).not.toContain(quoted.slice(2, -2));
      }
    },
  );

  it('is shown without a part of a credential', async () => {
    expect(await without(`${TOKEN.slice(0, 12)}… is no token`, TOKEN)).toBe('[hidden]… is no token');
    expect(await without(`…${TOKEN.slice(-9)} is no token`, TOKEN)).toBe('…[hidden] is no token');
    expect(await without(`near 'identified by '${TOKEN.slice(0, 15)}' at line 1`, TOKEN)).toBe(
      "near 'identified by '[hidden]' at line 1",
    );
    expect(await without(`'${TOKEN}', '${TOKEN.slice(0, 12)}...'`, TOKEN)).toBe("'[hidden]', '[hidden]...'");
  });

  it('is otherwise unchanged', async () => {
    expect(await without('role "x" does not exist', 'secret', '', 'ro')).toBe('role "x" does not exist');
  });

  it('is one line without control sequences', async () => {
    expect(await without('a\r\n\tb\u0000\u001b[31mc\u2028d\u202ee')).toBe('a b [31mc d e');
  });

  it('is truncated after redaction', async () => {
    const said = `${'x '.repeat(120)}${TOKEN}`;
    expect(await without(said, TOKEN)).toBe(`${'x '.repeat(120)}[hidden]`);
    expect(await without('x'.repeat(300))).toBe(`${'x'.repeat(254)}…`);
  });

  it('never contains a credential, a part of one, or the value of a secret', async () => {
    const text = fc.string({ minLength: 15, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(text, { maxLength: 4 }),
        fc.string(),
        fc.string(),
        fc.constantFrom(...Object.values(encodings)),
        fc.nat(),
        async (credential, values, before, after, encode, at) => {
          for (const secret of [credential, ...values]) {
            const shown = await redact(`${before}${encode(secret)}${after}`, { credentials: [credential], values });
            const whole = encode(secret).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ');
            const isTold =
              whole.trim().length >= 15 && !`${before} ${after}`.includes(whole) && shown.includes(whole.trim());
            expect([isTold, shown]).toEqual([false, shown]);
          }
          const from = at % (credential.length - 8);
          const part = credential.slice(from, from + 8);
          expect(await without(part, credential)).toBe('[hidden]');
        },
      ),
    );
  });

  it('contains no secret, for any overlaps', async () => {
    const some = (minLength: number, maxLength: number, ...more: string[]) =>
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', "'", ...more), minLength, maxLength });
    await fc.assert(
      fc.asyncProperty(fc.array(some(3, 6), { maxLength: 4 }), some(0, 30, ' '), async (hidden, said) => {
        const rest = (await without(said + hidden.join(' '), ...hidden)).replaceAll('[hidden]', ' ');
        expect(hidden.filter((secret) => rest.includes(secret))).toEqual([]);
      }),
    );
  });

  it('is shown without quoted parts of a long value', async () => {
    const value = Array.from({ length: 500 }, (_, n) => `line ${n}`).join('\n');
    for (const from of [0, 7, 1234]) {
      const said = `Too long: "${value.slice(from, from + 40)}"`;
      expect(await redact(said, { credentials: [], values: [value] })).toBe('Too long: "[hidden]"');
    }
  });

  it('takes little time, for any text and number of secrets', async () => {
    const values = Array.from({ length: 2_000 }, (_, n) => `${n} `.repeat(500));
    expect(await redact('a'.repeat(1_000_000), { credentials: [TOKEN], values })).toHaveLength(255);
    const long = 'a'.repeat(1_000_000);
    for (const sensitive of [{ credentials: [long] }, { credentials: [], values: [long] }])
      expect(await redact(`!${long}`, sensitive)).toBe('![hidden]');
  });
});
