import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { berBounds, berElements, MalformedBer } from './ber.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const read = (text: string) => berElements(hex(text)).map(({ tag, content }) => [tag, content.toString('hex')]);

describe('berElements', () => {
  it('parses elements in sequence, with short and long lengths', () => {
    expect(read('02 01 05 04 02 6869')).toEqual([
      [0x02, '05'],
      [0x04, '6869'],
    ]);
    expect(read('04 81 02 6869 04 84 00000001 68 05 00')).toEqual([
      [0x04, '6869'],
      [0x04, '68'],
      [0x05, ''],
    ]);
    expect(read('')).toEqual([]);
  });

  it.each([
    '04',
    '04 05 6869',
    '04 82 01',
    '30 80 00 00',
    '04 85 0000000001 68',
    '04 ff',
    '1f 81 01 00',
    '04 84 ffffffff',
  ])('refuses %s', (text) => {
    expect(() => read(text)).toThrow(MalformedBer);
  });

  it('parses any bytes into elements that encode to the same bytes, or rejects them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (given) => {
        const bytes = Buffer.from(given);
        try {
          expect(Buffer.concat(berElements(bytes).map(({ whole }) => whole))).toEqual(bytes);
        } catch (error) {
          if (!(error instanceof MalformedBer)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('berBounds', () => {
  it('knows the end of an element before it has arrived', () => {
    expect(berBounds(hex('30'))).toBeUndefined();
    expect(berBounds(hex('30 82 01'))).toBeUndefined();
    expect(berBounds(hex('30 82 0100'))).toEqual({ start: 4, end: 260 });
  });
});
