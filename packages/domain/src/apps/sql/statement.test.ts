import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSql, readStatements, renderSql, type Dialect } from './statement.ts';

const KNOWN = ['username', 'password', 'expiration'];
const read = (text: string, dialect: Dialect = 'postgres') =>
  readSql(text, dialect, KNOWN, (why) => new Error(`creationStatement: ${why}`));
const render = (text: string, values: Record<string, string>, dialect: Dialect = 'postgres') =>
  renderSql(read(text, dialect), { username: 'u', password: 'p', expiration: 'e', ...values });

describe('a statement', () => {
  it('is as it was written but for its placeholders', () => {
    const text = `create role "{{username}}" login password '{{ password }}' valid until '{{expiration}}'; -- done\n/* a /* b */ */ select 'it''s', $$ $x$ ' $$`;
    expect(render(text, {})).toBe(
      text.replace('{{username}}', 'u').replace('{{ password }}', 'p').replace('{{expiration}}', 'e'),
    );
  });

  it.each([
    ['postgres', `'{{password}}'`, `a'b"c\\d`, `'a''b"c\\d'`],
    ['postgres', `E'{{password}}'`, `a'b\\`, `E'a''b\\\\'`],
    ['postgres', `e'x{{password}}'`, `\\'`, `e'x\\\\'''`],
    ['postgres', `name'{{password}}'`, `\\`, `name'\\'`],
    ['postgres', `"{{password}}"`, `a'b"c`, `"a'b""c"`],
    ['postgres', `select {{password}};`, `a'b"c\\`, `select 'a''b"c\\';`],
    ['postgres', `drop role {{username}};`, `a'b"c`, `drop role "a'b""c";`],
    ['postgres', `select '\\', '{{password}}'`, `'`, `select '\\', ''''`],
    ['mysql', `'{{password}}'`, `a'b"c\\d`, `'a''b"c\\\\d'`],
    ['mysql', `"{{password}}"`, `a'b"c\\`, `"a'b""c\\\\"`],
    ['mysql', '`{{username}}`', 'a`b\\', '`a``b\\`'],
    ['mysql', `drop user {{username}}@'%'`, 'a`b', "drop user `a``b`@'%'"],
    ['mysql', `identified by {{password}}`, `a'\\`, `identified by 'a''\\\\'`],
    ['mysql', `select '\\'', '{{password}}' # it's`, `'`, `select '\\'', '''' # it's`],
    ['mysql', `select 1--1, '{{password}}'`, `'`, `select 1--1, ''''`],
    ['cql', `drop role {{username}}`, `a"b'c`, `drop role "a""b'c"`],
    ['cql', `with password = {{password}}`, `a"b'c`, `with password = 'a"b''c'`],
    ['cql', `'{{password}}' // it's`, `'\\`, `'''\\' // it's`],
    ['mssql', `[{{username}}]`, `a]b[c"'`, `[a]]b[c"']`],
    ['mssql', `"{{username}}"`, `a]b"c`, `"a]b""c"`],
    ['mssql', `N'{{password}}'`, `a'b\\`, `N'a''b\\'`],
    ['mssql', `drop login {{username}}`, `a]; --`, `drop login [a]]; --]`],
    ['mssql', `with password = {{password}}`, `a'b`, `with password = N'a''b'`],
    ['mssql', `select 'a' [x'y], '{{password}}'`, `'`, `select 'a' [x'y], ''''`],
    ['mssql', `select '\\', $1, '{{password}}'`, `'`, `select '\\', $1, ''''`],
  ] as const)('writes for %s a value into %s so that it stays there', (dialect, text, value, expected) => {
    const name = text.includes('{{username}}') ? 'username' : 'password';
    expect(render(text, { [name]: value }, dialect)).toBe(expected);
  });

  it.each([
    ['postgres', `select '{{user}}'`, 'it does not know {{user}}'],
    ['postgres', `select '{{constructor}}'`, 'it does not know {{constructor}}'],
    ['postgres', `select '{{password'`, 'it does not know {{'],
    ['postgres', `select '{{{password}}}'`, 'it does not know {{{password}}'],
    ['postgres', `select U&'{{password}}'`, 'U&'],
    ['postgres', `select u&"{{username}}"`, 'U&'],
    ['postgres', `create role app_{{username}}`, 'quote {{username}}'],
    ['postgres', `select E{{password}}`, 'quote {{password}}'],
    ['postgres', `select U&{{password}}`, 'quote {{password}}'],
    ['postgres', `select '{{username}}'{{password}}`, 'quote {{password}}'],
    ['postgres', `select e'\\''\n {{password}}`, 'adjoins a string literal'],
    ['postgres', `select 'a' -- b\n {{password}}`, 'adjoins a string literal'],
    ['postgres', `select 1 -- {{username}}`, 'within a comment'],
    ['postgres', `/* /* */ {{username}} */ select 1`, 'within a comment'],
    ['mysql', `select 1 # {{username}}`, 'within a comment'],
    ['mysql', `select 1 -- {{username}}`, 'within a comment'],
    ['mysql', `/*! create user '{{username}}' */`, 'within a comment'],
    ['postgres', `select 'a`, `a ' is not closed`],
    ['postgres', `select "a`, `a " is not closed`],
    ['mysql', 'select `a', 'a ` is not closed'],
    ['mysql', `select 'a\\'`, `a ' is not closed`],
    ['cql', `select 1 // {{username}}`, 'within a comment'],
    ['cql', `/* /* */ select '{{username}}`, `a ' is not closed`],
    ['mssql', `select 1 --{{username}}`, 'within a comment'],
    ['mssql', `/* /* */ {{username}} */ select 1`, 'within a comment'],
    ['mssql', `create login app_{{username}}`, 'quote {{username}}'],
    ['mssql', `set password = N{{password}}`, 'quote {{password}}'],
    ['mssql', `drop login [a]]`, 'a ] is not closed'],
    ['postgres', `select $x$ a $y$`, '$x$ is not closed'],
    ['postgres', `select /* a /* b */`, 'a comment is not closed'],
  ] as const)('for %s is refused as %s, which says why', (dialect, text, why) => {
    expect(() => read(text, dialect)).toThrow('creationStatement: ');
    expect(() => read(text, dialect)).toThrow(why);
  });

  it.each(['DOLLAR', `'x'\n'{{password}}'`, `E'x' -- y\n '{{password}}'`])(
    'takes nothing but plain values where it is read twice, or goes on: %s',
    (place) => {
      const text = place === 'DOLLAR' ? `do $a$ begin execute 'x {{password}}'; end $a$` : `select ${place}`;
      expect(render(text, { password: '2031-01-01T00:00:00.000Z' })).toContain('2031-01-01T00:00:00.000Z');
      for (const password of [`a'b`, 'a"b', 'a$b', 'a\\b', 'a b', 'a;b', 'a--b', 'a/b', '{{x}}', 'é'])
        expect(() => render(text, { password })).toThrow('not allowed in this statement');
    },
  );

  it('accepts only text as values of a statement', () => {
    for (const password of ['a\0b', 'a\nb', 'a\u007fb', '\ud800'])
      expect(() => render(`select '{{password}}'`, { password })).toThrow('not allowed in this statement');
    expect(() => renderSql(read(`select '{{password}}'`), { username: 'u' })).toThrow('There is no password');
  });
});

describe('statements that run one at a time', () => {
  it('are divided at semicolons that separate them, and nowhere else', () => {
    const text = `a ';' "{{username}};"; /* ; */ b -- ;\n; ; $$ ; $$ // ;\n ;c {{password}}; -- end; of it`;
    const divided = readStatements(text, 'cql', KNOWN, (why) => new Error(why));
    expect(divided.map((one) => renderSql(one, { username: 'u', password: 'p;q' }).trim())).toEqual([
      `a ';' "u;"`,
      '/* ; */ b -- ;',
      '$$ ; $$ // ;',
      `c 'p;q'`,
    ]);
  });
});

/** A model of a server's parser: independent of the one under test, and without placeholders. */
function tokens(sql: string, dialect: Dialect): string[] {
  const found: string[] = [];
  const ofSqlServer = [
    /[nN]?'(?:[^']|'')*'/sy,
    /\[(?:[^\]]|\]\])*\]/sy,
    /"(?:[^"]|"")*"/sy,
    /--[^\r\n]*/y,
    /[A-Za-z_]\w*/y,
    /\s+/y,
    /./sy,
  ];
  const patterns =
    dialect === 'mssql' || dialect === 'cql'
      ? ofSqlServer
      : dialect === 'postgres'
        ? [
            /[eE]'(?:[^'\\]|\\.|'')*'/sy,
            /'(?:[^']|'')*'/sy,
            /"(?:[^"]|"")*"/sy,
            /--[^\r\n]*/y,
            /[A-Za-z_]\w*/y,
            /\s+/y,
            /./sy,
          ]
        : [
            /'(?:[^'\\]|\\.|'')*'/sy,
            /"(?:[^"\\]|\\.|"")*"/sy,
            /`(?:[^`]|``)*`/sy,
            /(?:--\s|#)[^\r\n]*/y,
            /[A-Za-z_]\w*/y,
            /\s+/y,
            /./sy,
          ];
  for (let at = 0; at < sql.length;) {
    for (const pattern of patterns) {
      pattern.lastIndex = at;
      const match = pattern.exec(sql)?.[0];
      if (!match) continue;
      found.push(match);
      at += match.length;
      break;
    }
  }
  return found;
}

/** The value of a quoted string or name. */
function meaning(token: string, dialect: Dialect): string {
  const isEscaped = /^[eE]'/.test(token) || (dialect === 'mysql' && !token.startsWith('`'));
  const quote = token.at(-1)!;
  const body = token.slice(token.indexOf(quote === ']' ? '[' : quote) + 1, -1);
  const undoubled = (text: string) => text.replaceAll(quote + quote, quote);
  return isEscaped
    ? body
        .split(/(\\.)/s)
        .map((part) => (part.startsWith('\\') ? part.slice(1) : undoubled(part)))
        .join('')
    : undoubled(body);
}

describe('for any value', () => {
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "'",
          '"',
          '`',
          '\\',
          '$$',
          '$a$',
          '--',
          '/*',
          '*/',
          '#',
          ';',
          ' ',
          '{{username}}',
          "\\'",
          "''",
          'U&',
          "E'",
          ');',
          ']',
          '[',
          "N'",
        ),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''))
    // oxlint-disable-next-line no-control-regex -- they are refused
    .filter((value) => !/[\u0000-\u001f\u007f]/.test(value) && value.isWellFormed());

  const shapes: Record<Dialect, readonly (readonly [text: string, token: number])[]> = {
    postgres: [
      [`create role x password '{{password}}' login`, 8],
      [`create role x password E'{{password}}' login`, 8],
      [`create role "{{password}}" login`, 4],
      [`create role x password {{password}} login`, 8],
      [`create role {{username}} login`, 4],
    ],
    mysql: [
      [`create user x identified by '{{password}}' account`, 10],
      [`create user x identified by "{{password}}" account`, 10],
      ['create user `{{username}}` account', 4],
      [`create user {{username}} account`, 4],
      [`create user x identified by {{password}} account`, 10],
    ],
    cql: [
      [`create role '{{username}}' with password`, 4],
      [`create role "{{username}}" with password`, 4],
      [`create role {{username}} with password`, 4],
      [`create role x with password = {{password}} and`, 12],
    ],
    mssql: [
      [`create login [{{username}}] with password`, 4],
      [`create login "{{username}}" with password`, 4],
      [`create login {{username}} with password`, 4],
      [`alter login x with password = N'{{password}}' check_policy`, 12],
      [`alter login x with password = '{{password}}' check_policy`, 12],
      [`alter login x with password = {{password}} check_policy`, 12],
    ],
  };

  it.each(Object.keys(shapes) as Dialect[])('for %s it is one token of its place, and means itself', (dialect) => {
    fc.assert(
      fc.property(fc.constantFrom(...shapes[dialect]), hostile, ([text, index], value) => {
        const plain = tokens(render(text, { password: 'p', username: 'u' }, dialect), dialect);
        const filled = tokens(render(text, { password: value, username: value }, dialect), dialect);
        expect(filled).toHaveLength(plain.length);
        expect(filled.toSpliced(index, 1)).toEqual(plain.toSpliced(index, 1));
        expect(meaning(filled[index]!, dialect)).toBe(value);
      }),
      { numRuns: 2000 },
    );
  });
});
