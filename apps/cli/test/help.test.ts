import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { helpOf } from '../src/help.ts';
import { flagsOf } from '../src/parse.ts';
import type { Command } from '../src/table/command.ts';
import { table } from '../src/table/table.ts';
import { VERSION } from '../src/version.ts';
import manifest from '../package.json' with { type: 'json' };
import { commandLine } from './harness/command-line.ts';

const cli = commandLine();
afterAll(() => cli.remove());

const pathsIn = (path: readonly Command[]): (readonly Command[])[] => [
  path,
  ...(path.at(-1)!.commands ?? []).flatMap((one) => pathsIn([...path, one])),
];
const all = pathsIn([table]);
const isInstalled = (shell: string): boolean =>
  process.env['CI'] !== undefined || spawnSync(shell, ['-c', 'true']).status === 0;

describe('the table of commands', () => {
  it('has names once, summaries, and short flags once for each command', () => {
    for (const path of all) {
      const { commands = [], summary } = path.at(-1)!;
      expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
      expect(summary).toMatch(/\S[^.]$/);
      const shorts = Object.values(flagsOf(path)).flatMap(({ short }) => short ?? []);
      expect([path.map(({ name }) => name), shorts]).toEqual([path.map(({ name }) => name), [...new Set(shorts)]]);
    }
  });

  it('has files of the machine, the server and what is run from nobody but the caller', () => {
    // The directory of a user name is no folder.
    const given = all.flatMap((path) =>
      Object.entries(flagsOf(path)).flatMap(([name, { summary, secret, byCaller }]) =>
        /\b(?:file|directory|server|shell|known_hosts|sshd_config)\b/.test(summary) && !secret && !byCaller
          ? [name]
          : [],
      ),
    );
    expect([...new Set(given)]).toEqual(['username', 'project-config-dir', 'offline-cache']);
  });

  it('loads each command that it offers', async () => {
    const loaded = await Promise.all(all.map(async (path) => path.at(-1)!.load?.()));
    expect(loaded.filter((one) => one !== undefined).every((one) => typeof one === 'function')).toBe(true);
  });
});

describe('coffer', () => {
  it('prints its version, which is that of its package', async () => {
    expect((await cli.run(['--version'])).stdout).toBe(`coffer version ${VERSION}\n`);
    expect((await cli.run(['--version', '--json'])).stdout).toBe(`${JSON.stringify({ version: VERSION })}\n`);
    expect(VERSION).toBe(manifest.version);
  });

  it('prints the help of a command for --help, -h and, where it has only subcommands, for nothing', async () => {
    const path = [table, table.commands!.find(({ name }) => name === 'user')!];
    for (const args of [
      ['user', '--help'],
      ['user', '-h'],
    ])
      expect(await cli.run(args)).toMatchObject({ code: 0, stdout: helpOf(path), stderr: '' });
    expect(await cli.run(['user'])).toMatchObject({ code: 2, stdout: helpOf(path) });
    expect((await cli.run([])).code).toBe(0);
  });

  it('says which commands it does not offer, and which was meant', async () => {
    expect(await cli.run(['kmip', 'start'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not offered'),
    });
    expect(await cli.run(['secert'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean secrets?'),
    });
  });

  it('prints a manual page without warnings of man', async () => {
    const { stdout, code } = await cli.run(['man']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('.SH EXIT STATUS')]);
    const shown = spawnSync('man', ['--warnings', '-l', '-'], {
      input: stdout,
      encoding: 'utf8',
      env: { ...process.env, MANPAGER: 'cat', LC_ALL: 'C.UTF-8' },
    });
    if (shown.error) return;
    expect([shown.status, shown.stderr]).toEqual([0, '']);
  });

  it('writes messages as JSON, and none but errors with --silent', async () => {
    const json = await cli.run(['reset', '--log-format', 'json']);
    expect(JSON.parse(json.stderr)).toEqual({ level: 'info', message: expect.stringContaining('deleted') });
    expect((await cli.run(['reset', '--silent'])).stderr).toBe('');
    expect((await cli.run(['reset', '--log-level', 'warn'])).stderr).toBe('');
  });
});

describe('completions', () => {
  it('of bash offer the commands and flags of the command that is typed', async () => {
    writeFileSync(join(cli.home, 'coffer.bash'), (await cli.run(['completion', 'bash'])).stdout);
    const offered = (...words: string[]) => {
      const script = `source coffer.bash; COMP_WORDS=(coffer "$@"); COMP_CWORD=$#; _coffer; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], {
        cwd: cli.home,
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      return stdout.trim().split('\n');
    };
    expect(offered('sec')).toEqual(['secrets']);
    expect(offered('secrets', 'fol')).toEqual(['folders']);
    expect(offered('secrets', 'folders', '')).toEqual(expect.arrayContaining(['get', 'create', 'delete']));
    expect(offered('export', '--for')).toEqual(['--format']);
    expect(offered('run', '--', 'whoam')).toContain('whoami');
  });

  it.runIf(isInstalled('fish'))('of fish offer the same', async () => {
    writeFileSync(join(cli.home, 'coffer.fish'), (await cli.run(['completion', 'fish'])).stdout);
    const offered = (line: string) => {
      const script = `source coffer.fish; complete -C ${JSON.stringify(line)}`;
      const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script], { cwd: cli.home, encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout
        .trim()
        .split('\n')
        .map((one) => one.split('\t')[0]);
    };
    expect(offered('coffer sec')).toEqual(['secrets']);
    expect(offered('coffer secrets fol')).toContain('folders');
    expect(offered('coffer export --form')).toContain('--format');
  });

  it.runIf(isInstalled('zsh'))('of zsh are accepted by it', async () => {
    const script = (await cli.run(['completion', 'zsh'])).stdout;
    const { status, stderr } = spawnSync(
      'zsh',
      ['-f', '-c', 'autoload -Uz compinit; compinit -D; eval "$1"', 'zsh', script],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
  });

  it('of other shells are an error', async () => expect((await cli.run(['completion', 'tcsh'])).code).toBe(2));
});
