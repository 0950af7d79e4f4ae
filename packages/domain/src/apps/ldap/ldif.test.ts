import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badRequest } from '../../kernel/index.ts';
import { readLdif, renderLdif, type LdifOperation } from './ldif.ts';

const ALL = ['username', 'password', 'EncodedPassword'] as const;
const read = (text: string) => readLdif(text, ALL, (why) => badRequest('ldif', `creationLdif: ${why}`));
const render = (text: string, username = 'ann', password = 'secret') => renderLdif(read(text), { username, password });
type Filled = Extract<LdifOperation, { change: 'add' }>;
/** With values as text. */
const shown = (operations: readonly LdifOperation[]) =>
  operations.map((one) =>
    'attributes' in one
      ? {
          ...one,
          attributes: one.attributes.map((attribute) => ({ ...attribute, values: attribute.values.map(String) })),
        }
      : one,
  );

describe('an LDIF', () => {
  it('adds entries', () => {
    const text = `version: 1
# A comment,
 which goes on
dn: cn=Barbara {{username}},dc=airius,dc=com
objectclass: top
objectClass: person
description:Babs is a big sailing fan, and travels extensively in sea
 rch of perfect sailing conditions.
title;lang-en:   Product Manager
photo:: AAEC
`;
    expect(shown(render(text))).toEqual([
      {
        change: 'add',
        dn: 'cn=Barbara ann,dc=airius,dc=com',
        attributes: [
          { type: 'objectclass', values: ['top', 'person'] },
          {
            type: 'description',
            values: ['Babs is a big sailing fan, and travels extensively in search of perfect sailing conditions.'],
          },
          { type: 'title;lang-en', values: ['Product Manager'] },
          { type: 'photo', values: ['\0\u0001\u0002'] },
        ],
      },
    ]);
  });

  it('changes and deletes them', () => {
    const text = `dn: cn=a,dc=x
changetype: modify
add: mail
mail: a@x
mail: b@x
-
delete: phone
-
replace: userPassword
userPassword: {{password}}
-

dn:: ${Buffer.from('cn=Jürgen,dc=x').toString('base64')}
changetype: delete

dn: cn=b,dc=x
changetype: modify
replace: title`;
    expect(shown(render(text))).toEqual([
      {
        change: 'modify',
        dn: 'cn=a,dc=x',
        attributes: [
          { operation: 'add', type: 'mail', values: ['a@x', 'b@x'] },
          { operation: 'delete', type: 'phone', values: [] },
          { operation: 'replace', type: 'userPassword', values: ['secret'] },
        ],
      },
      { change: 'delete', dn: 'cn=Jürgen,dc=x' },
      { change: 'modify', dn: 'cn=b,dc=x', attributes: [{ operation: 'replace', type: 'title', values: [] }] },
    ]);
  });

  it('may have blanks at the ends of lines, and any line ends', () => {
    expect(render('dn: cn=a \r\nobjectClass: x\t\r\n \t\r\ndn: cn=b\r\nchangetype: delete\r\n')).toMatchObject([
      { change: 'add', dn: 'cn=a' },
      { change: 'delete', dn: 'cn=b' },
    ]);
  });

  it('encodes a password for Active Directory', () => {
    const [add] = render('dn: cn={{Username}}\nunicodePwd::{{EncodedPassword}}', 'ann', 'pä"s');
    // Microsoft: `"new"` is 22 00 6e 00 65 00 77 00 22 00.
    expect(render('dn: cn=a\nunicodePwd:: {{encodedpassword}}', 'ann', 'new')).toMatchObject([
      { attributes: [{ values: [Buffer.from('22006e00650077002200', 'hex')] }] },
    ]);
    expect((add as Filled).attributes[0]!.values[0]!.toString('utf16le')).toBe('"pä"s"');
  });

  it.each([
    ['', 'it has no entry'],
    ['# nothing', 'it has no entry'],
    ['version: 1', 'it has no entry'],
    ['cn: x', 'an entry must begin with dn:'],
    ['dn x', 'is not a valid line of LDIF'],
    ['dn: x\na: b', 'is no name of an entry'],
    ['dn: cn=x', 'has no attributes'],
    ['dn: cn=x\nchangetype: add', 'has no attributes'],
    ['dn: cn=x\nchangetype: delete\na: b', 'has attributes'],
    ['dn: cn=x\nchangetype: modrdn\nnewrdn: cn=y', 'changetype: modrdn'],
    ['dn: cn=x\ncontrol: 1.2.3\nchangetype: delete', 'controls'],
    ['dn: cn=x\nphoto:< file:///etc/passwd', 'from a file'],
    ['dn:< file:///etc/passwd', 'from a file'],
    ['dn: cn=x\nphoto:: {{password}}', 'base64'],
    ['dn: cn=x\nphoto:: é', 'not base64'],
    ['dn: cn=x\nphoto:: YQ', 'not base64'],
    ['dn: cn=x\na b: c', 'not a valid line of LDIF'],
    ['dn: cn=x\n-', 'not a valid line of LDIF'],
    ['dn: cn=x\nunicodePwd: {{EncodedPassword}}', 'after two colons'],
    ['dn: cn=x\nunicodePwd:: YQ=={{EncodedPassword}}', 'after two colons'],
    ['dn: cn={{EncodedPassword}}\na: b', 'it does not know {{EncodedPassword}}, but {{username}}'],
    ['dn: cn=x\na: {{unknown}}', 'it does not know {{unknown}}, but {{username}}, {{password}}, {{EncodedPassword}}'],
    ['dn: cn=x\na: {{password', 'it does not know {{password'],
    ['dn: cn=x\n{{username}}: a', 'not a valid line of LDIF'],
    ['dn: cn=x\nchangetype: {{username}}', 'changetype: {{username}} is not supported'],
    ['dn: cn=x\nchangetype: modify', 'has no changes'],
    ['dn: cn=x\nchangetype: modify\n-', 'a - ends'],
    ['dn: cn=x\nchangetype: modify\nmail: a', 'must begin with add:, delete: or replace:'],
    ['dn: cn=x\nchangetype: modify\nincrement: a\na: 1', 'must begin with add:, delete: or replace:'],
    ['dn: cn=x\nchangetype: modify\nadd: mail\nphone: 1', 'end that with a -'],
    ['dn: cn=x\nchangetype: modify\nadd: mail', 'has no values'],
    ['dn: cn=x\nchangetype: modify\nadd: {{username}}\n-', 'names no attribute'],
    ['dn: cn=x\nchangetype: modify\nadd: a:b\n-', 'names no attribute'],
  ])('cannot be %j', (text, why) => {
    expect(() => read(text)).toThrow(new RegExp(`^creationLdif: .*${why.replaceAll(/[{}()]/g, '\\$&')}`, 's'));
  });

  it('has at most fifty entries', () => {
    expect(() => read('dn: cn=x\na: b\n\n'.repeat(51))).toThrow('more than 50 entries');
  });

  it('has each value only at its position, whatever it contains', () => {
    const text = `dn: uid={{username}},ou=x
cn: {{username}}
description: <{{password}}> {{username}}
manager: uid={{username}},ou=x
userPassword: {{password}}
unicodePwd:: {{EncodedPassword}}

dn: cn=readers,ou=x
changetype: modify
add: member
member: uid={{username}},ou=x
-
`;
    const line = fc.constantFrom(
      '\n',
      '\r\n',
      '\n-\n',
      '\n\ndn: cn=evil',
      '\nchangetype: delete',
      ':: ',
      ':< file:///',
      ' ',
      '{{password}}',
      '$&',
      '\\',
      ',ou=y',
      '+cn=z',
      '=',
      '"',
    );
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(line).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const [username, password] = [`u${one.toWellFormed()}`, other.toWellFormed()];
        const name = Array.from(Buffer.from(username), (octet) => `\\${octet.toString(16).padStart(2, '0')}`).join('');
        const octets = (value: string) => Buffer.from(value).toString('hex');
        const operations = render(text, username, password);
        expect(operations.map(({ change }) => change)).toEqual(['add', 'modify']);
        const [add, modify] = operations as Filled[];
        expect(add!.attributes.map(({ type, values }) => [type, values.map((value) => value.toString('hex'))])).toEqual(
          [
            ['cn', [octets(username)]],
            ['description', [octets(`<${password}> ${username}`)]],
            ['manager', [octets(add!.dn)]],
            ['userPassword', [octets(password)]],
            ['unicodePwd', [Buffer.from(`"${password}"`, 'utf16le').toString('hex')]],
          ],
        );
        expect(modify!.dn).toBe('cn=readers,ou=x');
        expect(modify!.attributes.map(({ values }) => values.map(String))).toEqual([[add!.dn]]);
        // Octet by octet the name, and nothing of another part in it.
        const value = /^uid=(.*),ou=x$/s.exec(add!.dn)![1]!;
        const all = value.replaceAll(/\\[0-9a-f]{2}|[A-Za-z0-9._@-]/g, (piece) =>
          piece.length === 3 ? piece : `\\${piece.charCodeAt(0).toString(16)}`,
        );
        expect(all).toBe(name);
      }),
      { numRuns: 1000 },
    );
  });
});
