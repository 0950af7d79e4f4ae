import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { CommandError } from '../exit.ts';
import type { Secret } from '../secrets.ts';
import { FORMATS } from './formats.ts';
import { dotenvValue } from './quote.ts';
import { tableOf } from './table.ts';

const secretOf = (secretKey: string, secretValue: string): Secret => ({
  secretKey,
  secretValue,
  type: 'shared',
  id: 'id',
  workspace: 'project',
  secretPath: '/',
  secretComment: '',
  skipMultilineEncoding: null,
  tags: [],
});
const quiet = { say: () => undefined };
const render = async (format: string, values: readonly string[]): Promise<string> =>
  FORMATS[format]!.render(
    values.map((value, index) => secretOf(`K${index}`, value)),
    quiet,
  );

/** Texts that break quoting, and any others. No variable holds a NUL character. */
const awkward = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        '`',
        '$',
        '\\',
        '\n',
        '\t',
        ' ',
        '#',
        '!',
        '$(id)',
        '${A}',
        '%',
        '=',
        ';',
        '&',
        '\r',
        'ü',
        '😀',
        '\\n',
        "'\\''",
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
  )
  .map((parts) => parts.join('').replaceAll('\0', ''))
  .filter((text) => text.isWellFormed());
const values = fc.sample(awkward, 400);

/** What a program reads, each value followed by a NUL character. */
function ask(program: string, args: readonly string[], input: string): string[] {
  const { stdout, stderr, status } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { PATH: process.env['PATH'], HOME: tmpdir(), LC_ALL: 'C.UTF-8' },
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\0').slice(0, -1);
}
const isInstalled = (program: string, args = ['-c', ':']): boolean => spawnSync(program, args).status === 0;

describe('exported secrets', () => {
  it.each(['bash', 'dash', 'zsh', 'ksh', 'busybox sh'])('are exactly the values after eval in %s', async (shell) => {
    const [program, ...args] = shell.split(' ') as [string, ...string[]];
    if (!isInstalled(program, [...args, '-c', ':'])) return;
    const names = values.map((_, index) => `"$K${index}"`).join(' ');
    for (const format of ['dotenv-eval', 'dotenv-export'])
      expect(ask(program, args, `${await render(format, values)}printf '%s\\0' ${names}\n`)).toEqual(values);
  });

  it('are exactly the values that Node reads from dotenv, which holds what a shell reads the same way', async () => {
    const possible = values.filter((value) => dotenvValue(value) !== undefined && !value.includes('\r'));
    expect(possible.length).toBeGreaterThan(values.length / 10);
    const text = await render('dotenv', possible);
    const read = parseEnv(text);
    expect(possible.map((_, index) => read[`K${index}`])).toEqual(possible);
    const names = possible.map((_, index) => `"$K${index}"`).join(' ');
    expect(ask('bash', [], `${text}printf '%s\\0' ${names}\n`)).toEqual(possible);
  });

  const python = isInstalled('python3', ['-c', 'import dotenv']);
  it.runIf(python)('are what Python reads from dotenv, or a warning says that it reads something else', async () => {
    const possible = values.filter((value) => dotenvValue(value) !== undefined && !value.includes('\r'));
    const warnings: string[] = [];
    const alike: string[] = [];
    for (const value of possible) {
      const before = warnings.length;
      await FORMATS['dotenv']!.render([secretOf('K', value)], {
        say: (_level, message) => void warnings.push(message),
      });
      if (warnings.length === before) alike.push(value);
    }
    expect(warnings).toContainEqual(expect.stringContaining("Python's dotenv"));
    expect(alike.length).toBeGreaterThan(possible.length / 2);
    const program = `
import dotenv, io, sys
read = dotenv.dotenv_values(stream=io.StringIO(sys.stdin.read()))
sys.stdout.write(''.join(read['K%d' % i] + chr(0) for i in range(${alike.length})))`;
    expect(ask('python3', ['-c', program], await render('dotenv', alike))).toEqual(alike);
  });

  it.runIf(isInstalled('fish'))('are exactly the values after source in fish', async () => {
    const names = values.map((_, index) => `"$K${index}"`).join(' ');
    const script = `${await render('fish', values)}printf '%s\\0' ${names}\n`;
    // From a pipe, as readers of the guide have it; fish does not read from a socket, as which Node makes pipes.
    expect(ask('sh', ['-c', `cat | fish --no-config -c 'source -'`], script)).toEqual(values);
  });

  it.runIf(isInstalled('direnv', ['version']))('are exactly the values after dotenv-export in an .envrc', async () => {
    const names = values.map((_, index) => `"$K${index}"`).join(' ');
    const script = await render('dotenv-export', values);
    const directory = mkdtempSync(join(tmpdir(), 'direnv-'));
    writeFileSync(join(directory, '.envrc'), script);
    const env = { PATH: process.env['PATH'], HOME: directory };
    spawnSync('direnv', ['allow', directory], { env });
    const { stdout } = spawnSync('direnv', ['exec', directory, 'bash', '-c', `printf '%s\\0' ${names}`], {
      env,
      encoding: 'utf8',
    });
    rmSync(directory, { recursive: true });
    expect(stdout.split('\0').slice(0, -1)).toEqual(values);
  });

  it('in dotenv that have no common form are an error that names the secret and another format', async () => {
    await expect(render('dotenv', ['ok', `it's $HOME`])).rejects.toMatchObject({
      message: expect.stringContaining('The value of K1 has no form'),
      hint: expect.stringContaining('dotenv-eval'),
    });
  });

  it('in JSON and YAML are exactly the values', async () => {
    const json = JSON.parse(await render('json', values)) as { key: string; value: string }[];
    expect(json.map(({ value }) => value)).toEqual(values);
    expect(json[0]).toEqual({
      key: 'K0',
      workspace: 'project',
      value: values[0],
      type: 'shared',
      _id: 'id',
      secretPath: '/',
      tags: [],
      comment: '',
      skipMultilineEncoding: false,
    });
    const blank = [' ', ' \n', '\n \n', '\t\n', ' \n\n'];
    expect(Object.values(parseYaml(await render('yaml', [...blank, ...values])) as object)).toEqual([
      ...blank,
      ...values,
    ]);
  });

  it('in YAML are texts for readers of YAML 1.1, too', async () => {
    const others = ['no', 'NO', 'on', 'y', '12_34', '1:30', '0b11', '0123', '1e3', '2001-01-01', 'null', '='];
    expect(Object.values(parseYaml(await render('yaml', others), { version: '1.1' }) as object)).toEqual(others);
  });

  it('in CSV have quotes where they need them', async () => {
    expect(await render('csv', ['a', 'a,b', 'a"b', 'a\nb'])).toBe('Key,Value\nK0,a\nK1,"a,b"\nK2,"a""b"\nK3,"a\nb"\n');
  });

  it('for Docker are lines without quotes, and line breaks are an error', async () => {
    expect(await render('docker', [`it's "a" $x`])).toBe(`K0=it's "a" $x\n`);
    await expect(render('docker', ['a\nb'])).rejects.toThrow(CommandError);
  });

  it.each(['dotenv', 'dotenv-export', 'dotenv-eval', 'fish', 'docker'])(
    'in %s need names that are variables',
    async (format) => {
      for (const name of ['A-B', '1A', 'A B', 'A;id', 'A\nB'])
        await expect((async () => FORMATS[format]!.render([secretOf(name, 'x')], quiet))()).rejects.toThrow(
          'is no name of a variable',
        );
    },
  );
});

describe('a table', () => {
  it('is as wide as its cells, which can have several lines, wide characters and control characters', () => {
    expect(
      tableOf(
        ['A', 'BB'],
        [
          ['1\n22', '漢字'],
          ['\u001B[31m', 'e\u0301'],
        ],
      ),
    ).toBe(
      [
        '┌───────┬──────┐',
        '│ A     │ BB   │',
        '├───────┼──────┤',
        '│ 1     │ 漢字 │',
        '│ 22    │      │',
        '│ ␛[31m │ e\u0301    │',
        '└───────┴──────┘',
        '',
      ].join('\n'),
    );
    expect(tableOf(['A'], [])).toBe('┌───┐\n│ A │\n└───┘\n');
  });
});
