import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDn, escapeDnValue, isSameDn, pairsOf, readDn, renderDn } from './dn.ts';
import { badRequest } from '../../kernel/index.ts';

const refuse = (why: string) => badRequest('ldif', `creationLdif: ${why}`);
const read = (text: string) => readDn(text, ['username'], refuse);
const render = (text: string, username: string) => renderDn(read(text), { username });
const hexOf = (text: string) =>
  text.replaceAll(/[^]/gu, (one) => Buffer.from(one).toString('hex').replaceAll(/../g, '\\$&'));
const values = (text: string) => pairsOf(text)?.map((rdn) => rdn.map(({ type, value }) => [type, value]));

describe('a name of an entry', () => {
  it.each([
    // RFC 4514, section 4.
    ['UID=jsmith,DC=example,DC=net', [[['UID', 'jsmith']], [['DC', 'example']], [['DC', 'net']]]],
    [
      'OU=Sales+CN=J.  Smith,DC=example,DC=net',
      [
        [
          ['OU', 'Sales'],
          ['CN', 'J.  Smith'],
        ],
        [['DC', 'example']],
        [['DC', 'net']],
      ],
    ],
    [
      String.raw`CN=James \"Jim\" Smith\, III,DC=example,DC=net`,
      [[['CN', 'James "Jim" Smith, III']], [['DC', 'example']], [['DC', 'net']]],
    ],
    [String.raw`CN=Before\0dAfter,DC=example`, [[['CN', 'Before\rAfter']], [['DC', 'example']]]],
    [String.raw`CN=Lu\C4\8Di\C4\87`, [[['CN', 'Lučić']]]],
    ['1.3.6.1.4.1.1466.0=x', [[['1.3.6.1.4.1.1466.0', 'x']]]],
    ['cn=é😀,dc=x', [[['cn', 'é😀']], [['dc', 'x']]]],
    ['cn=a=b', [[['cn', 'a=b']]]],
  ])('that is %s is read by its parts', (text, parts) => {
    expect(values(text)).toEqual(parts);
  });

  it.each([
    '',
    'x',
    'cn',
    '=x',
    'cn=',
    'cn= ',
    'cn=x,',
    ',cn=x',
    'cn=x+',
    'cn=x,,dc=y',
    'cn=x;dc=y',
    'cn="x"',
    'cn=#0401',
    String.raw`cn=x\y`,
    String.raw`cn=x\4`,
    'cn=x\\',
    'c n=x',
    'cn=<x>',
  ])('cannot be %j', (text) => {
    expect(pairsOf(text)).toBeUndefined();
    expect(() => read(text)).toThrow(/^creationLdif: /);
  });

  it.each([
    '{{username}}',
    '{{username}}=x',
    'cn=x,{{username}}',
    'cn=x+{{username}},dc=y',
    'cn=#{{username}}',
    String.raw`cn=\{{username}}`,
    String.raw`cn=\4{{username}}`,
    'cn={{password}}',
    'cn={{user}}',
    'cn={{username',
    'cn={{username }x}',
  ])('has no placeholder anywhere but in a value: %s', (text) => {
    expect(() => read(text)).toThrow(/^creationLdif: /);
  });

  it('has every value at its position, whatever it contains', () => {
    const text = 'uid=pre {{ Username }} post+cn={{username}},ou=x,dc={{USERNAME}}';
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom(...Array.from(`,+"\\<>;=# \0\r\n{}aé😀`), '{{username}}', '\\2c', 'uid='))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, (given) => {
        const username = given.toWellFormed();
        const rendered = render(text, username);
        expect(rendered).toMatch(/^[\x20-\x7e]*$/);
        if (username === '') return;
        expect(values(rendered)).toEqual([
          [
            ['uid', `pre ${username} post`],
            ['cn', username],
          ],
          [['ou', 'x']],
          [['dc', username]],
        ]);
      }),
      { numRuns: 2000 },
    );
  });

  it('escapes every special character of a value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(escapeDnValue(value.toWellFormed())).toMatch(/^(?:[A-Za-z0-9._@-]|\\[0-9a-f]{2})*$/);
      }),
    );
  });

  it('equals an equivalent one', () => {
    const dn = 'uid=Ann\\2c B,ou=People,dc=example';
    for (const same of ['UID=ann\\, b,OU=people,DC=EXAMPLE', 'uid = Ann\\,  B , ou=People, dc=example'])
      expect([same, isSameDn(dn, same)]).toEqual([same, true]);
    expect(isSameDn('a=1+b=2,c=3', 'b=2+a=1,c=3')).toBe(true);
    for (const other of [
      'uid=ann,ou=People,dc=example',
      'uid=Ann\\2c B,ou=People',
      'cn=Ann\\2c B,ou=People,dc=example',
      '',
    ])
      expect([other, isSameDn(dn, other)]).toEqual([other, false]);
    expect(isSameDn('', '')).toBe(false);
  });

  it('that is longer than any entry has it is none: it is not even compared', () => {
    const long = (marks: number) => `cn=a${'\u0301\u0327'.repeat(marks / 2)}`;
    expect(canonicalDn(long(1_000))).toBeDefined();
    expect([canonicalDn(long(20_000)), isSameDn(long(20_000), long(20_000))]).toEqual([undefined, false]);
  });

  it('has one canonical form, however it is spelled', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .map((text) => `x${text.toWellFormed().replaceAll('\0', '')}y`);
    const pair = fc.tuple(fc.constantFrom('cn', 'ou', 'uid', 'dc', 'x-own'), value);
    const other = { cn: '2.5.4.3', ou: 'organizationalUnitName', uid: 'UserId', dc: 'DC', 'x-own': 'X-OWN' };
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.boolean()), (pairs, coins) => {
        const flip = () => coins.next().value as boolean;
        const plain = pairs.map(([type, text]) => `${type}=${escapeDnValue(text)}`).join(',');
        const spelled = pairs.map(([type, text]) => {
          const written = Array.from(text, (one) => (flip() ? hexOf(one) : escapeDnValue(one))).join('');
          return `${flip() ? ' ' : ''}${flip() ? other[type] : type}${flip() ? ' ' : ''}=${flip() ? ' ' : ''}${written}`;
        });
        const text = spelled.join(flip() ? ' , ' : ',');
        expect([text, canonicalDn(text)]).toEqual([text, canonicalDn(plain)]);
      }),
      { numRuns: 1000 },
    );
  });
});
