import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { der, oid, sequence, TAG } from './der.ts';
import { decodeName, encodeName, nameText } from './name.ts';
import { arbitrarySubject } from './testing/arbitrary-content.ts';
import { refusalOf } from './testing/refusal.ts';

describe('a distinguished name', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(arbitrarySubject, (subject) => {
        expect(decodeName(encodeName(subject))).toEqual({ ...subject, other: [] });
      }),
    );
  });

  it('keeps a byte order mark: without it, it would be another name', () => {
    expect(decodeName(encodeName({ commonName: '\uFEFFa' })).commonName).toBe('\uFEFFa');
  });

  it('has its country in a PrintableString and the rest in UTF-8, in the usual order', () => {
    const name = encodeName({ commonName: 'a', country: 'DE', domainComponents: ['example', 'com'] });
    const one = (type: string, tag: number, text: string) =>
      der(TAG.set, sequence(oid(type), der(tag, Buffer.from(text))));
    expect(name).toEqual(
      sequence(
        one('0.9.2342.19200300.100.1.25', TAG.ia5String, 'com'),
        one('0.9.2342.19200300.100.1.25', TAG.ia5String, 'example'),
        one('2.5.4.6', TAG.printableString, 'DE'),
        one('2.5.4.3', TAG.utf8String, 'a'),
      ),
    );
    expect(encodeName({})).toEqual(Buffer.of(0x30, 0));
    expect(encodeName({ commonName: '', domainComponents: [] })).toEqual(Buffer.of(0x30, 0));
  });

  it.each([
    ['subject.too_long', { commonName: 'x'.repeat(65) }],
    ['subject.too_long', { locality: 'x'.repeat(129) }],
    ['subject.country', { country: 'DEU' }],
    ['subject.country', { country: 'D1' }],
    ['subject.characters', { organization: 'a\u0000b' }],
    ['subject.characters', { organization: 'a\uD800' }],
    ['subject.characters', { commonName: 'moc.elpmaxe\u202e' }],
    ['subject.characters', { commonName: 'a\u2028b' }],
    ['subject.domain_component', { domainComponents: ['bücher'] }],
  ])('is refused with %s', (code, subject) => {
    expect(() => encodeName(subject)).toThrow(expect.objectContaining({ name: 'X509Error', code }));
  });

  it('counts characters and not UTF-16 code units', () => {
    expect(decodeName(encodeName({ commonName: '😀'.repeat(64) })).commonName).toBe('😀'.repeat(64));
  });

  // RFC 4514, section 4.
  it.each([
    [
      { organizationalUnit: 'Sales', commonName: 'J.  Smith', domainComponents: ['example', 'net'] },
      'CN=J.  Smith,OU=Sales,DC=example,DC=net',
    ],
    [
      { commonName: 'James "Jim" Smith, III', domainComponents: ['example', 'net'] },
      String.raw`CN=James \"Jim\" Smith\, III,DC=example,DC=net`,
    ],
    [{ commonName: ' #a=b ', organization: '#1', country: 'DE' }, String.raw`CN=\ #a=b\ ,O=\#1,C=DE`],
    [{ commonName: ' ' }, String.raw`CN=\ `],
    [{}, ''],
  ])('is written as RFC 4514 has it', (subject, text) => {
    expect(nameText(subject)).toBe(text);
  });

  it('reports attributes that it does not have', () => {
    const unit = (text: string) => der(TAG.set, sequence(oid('2.5.4.11'), der(TAG.utf8String, Buffer.from(text))));
    const email = der(TAG.set, sequence(oid('1.2.840.113549.1.9.1'), der(TAG.ia5String, Buffer.from('a@b'))));
    expect(decodeName(sequence(unit('one'), unit('two'), email))).toEqual({
      organizationalUnit: 'one',
      other: ['2.5.4.11', '1.2.840.113549.1.9.1'],
    });
  });

  it('throws only rejections, for any input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(400), arbitrarySubject, (noise, bit, subject) => {
        const flipped = Buffer.from(encodeName(subject));
        if (bit >> 3 < flipped.length) flipped[bit >> 3]! ^= 1 << (bit & 7);
        for (const bytes of [noise, flipped]) {
          expect([undefined, 'name.malformed']).toContain(refusalOf(() => decodeName(bytes)));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
