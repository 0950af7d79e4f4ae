import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64, isBase64, toBase64 } from './base64.ts';

describe('what is tried out with a key', () => {
  it('comes back as it was entered, whatever text it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), (text) => {
        const base64 = toBase64(text, 'text');
        expect(base64).toBe(Buffer.from(text).toString('base64'));
        expect(fromBase64(base64)).toEqual({ text: text.toWellFormed(), form: 'text' });
      }),
    );
  });

  it('is shown as base64 where it is no text, and taken as that', () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00]).toString('base64');
    expect(fromBase64(bytes)).toEqual({ text: bytes, form: 'base64' });
    expect(toBase64('YWI', 'base64')).toBe('YWI=');
    expect([isBase64(` ${bytes}\n`), toBase64(` ${bytes}\n`, 'base64')]).toEqual([true, bytes]);
  });

  it.each(['a', 'ab=c', 'a_b-', 'ä==='])('refuses %s as base64', (text) => {
    expect(isBase64(text)).toBe(false);
  });

  it('takes 64 KiB at once', () => {
    expect(toBase64('x'.repeat(65_536), 'text')).toHaveLength(87_384);
  });
});
