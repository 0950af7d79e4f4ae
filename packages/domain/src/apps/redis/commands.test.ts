import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badRequest } from '../../kernel/index.ts';
import { readCommands, renderCommands } from './commands.ts';

const KNOWN = ['username', 'password', 'expiration'];
const refuse = (why: string) => badRequest('statement', `creationStatement: ${why}`);
const read = (text: string) => readCommands(text, KNOWN, refuse);
const render = (text: string, values: Record<string, string> = {}) =>
  renderCommands(read(text), { username: 'u', password: 'p', expiration: 'e', ...values });

describe('commands', () => {
  it.each([
    [
      'ACL SETUSER {{username}} on >{{password}} ~* &* +@all',
      [['ACL', 'SETUSER', 'u', 'on', '>p', '~*', '&*', '+@all']],
    ],
    ['ACL DELUSER {{username}};', [['ACL', 'DELUSER', 'u']]],
    [
      ' ACL DELUSER {{ username }} ;; ACL SAVE ; ',
      [
        ['ACL', 'DELUSER', 'u'],
        ['ACL', 'SAVE'],
      ],
    ],
    ['ACL SETUSER {{username}}\n  on\r\n\t>{{password}}', [['ACL', 'SETUSER', 'u', 'on', '>p']]],
    ['SET "a b;c" \'d e\' ""', [['SET', 'a b;c', 'd e', '']]],
    ['SET "\\"\\\\\\n\\x41" \'it\\\'s\' \\n', [['SET', '"\\\nA', "it's", '\\n']]],
    ['SET a"b c" "{{username}} x"', [['SET', 'ab c', 'u x']]],
    ['SET {{username}}:{{expiration}} {{username}}{{password}}', [['SET', 'u:e', 'up']]],
  ])('%j are split before values are known', (text, expected) => {
    expect(render(text)).toEqual(expected);
  });

  it.each([
    ['', 'contains no command'],
    [' ; ;', 'contains no command'],
    ['SET {{user}}', 'it does not know {{user}}'],
    ['SET {{constructor}}', 'it does not know {{constructor}}'],
    ['SET {{username', 'it does not know {{'],
    ['SET "{{user}}"', 'it does not know {{user}}'],
    ['{{username}} x', 'cannot be the name of the command'],
    ['SET {{username}}; a{{username}} x', 'cannot be the name of the command'],
    ['SET "a', 'a " is not closed'],
    ["SET 'a", "a ' is not closed"],
    ['SET "a"b', 'follows a closing quote'],
    ['SET "a"{{username}}', 'follows a closing quote'],
    ['SET "\\xff"', 'write \\xff as the character'],
  ])('for %j are refused: %s', (text, why) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ kind: 'bad_request', message: expect.stringContaining('creationStatement: ') }),
    );
    expect(() => read(text)).toThrow(why);
  });

  const nested = [
    `EVAL "return '{{password}}'" 0`,
    'eval_ro {{password}} 0',
    'FUNCTION LOAD {{password}}',
    'ACL SETUSER x (~{{password}}* +get)',
    'ACL SETUSER x ( ~{{password}} +get )',
  ];
  it.each(nested)('accept only plain values where they are parsed again: %s', (text) => {
    expect(JSON.stringify(render(text, { password: '2031-01-01T00:00:00.000Z' }))).toContain(
      '2031-01-01T00:00:00.000Z',
    );
    for (const password of ["a'b", 'a b', 'a)b', 'a"b', 'a]b', 'a\nb', 'é'])
      expect(() => render(text, { password })).toThrow('not allowed in this command');
  });

  it('accept any value after a list of rules in parentheses', () => {
    expect(render('ACL SETUSER x (~* +get) >{{password}}', { password: 'a b)' })).toEqual([
      ['ACL', 'SETUSER', 'x', '(~*', '+get)', '>a b)'],
    ]);
  });

  it('keep their word boundaries, for any value', () => {
    const hostile = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            ' ',
            ';',
            '\r\n',
            '\n',
            '"',
            "'",
            '\\',
            '{{username}}',
            '*1\r\n',
            '$3\r\n',
            '\0',
            '>',
            '+@all',
          ),
          fc.string({ unit: 'grapheme', maxLength: 3 }),
        ),
        { maxLength: 8 },
      )
      .map((parts) => parts.join(''));
    const texts = [
      'ACL SETUSER x on >{{password}} ~*; ACL SAVE',
      `SET "a {{password}} b" '{{password}}'; PING`,
      'SET {{password}} {{password}}:{{password}}',
    ];
    const MARK = 'MARK';
    fc.assert(
      fc.property(fc.constantFrom(...texts), hostile, (text, value) => {
        const expected = render(text, { password: MARK }).map((words) =>
          words.map((word) => word.split(MARK).join(value)),
        );
        expect(render(text, { password: value })).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
