// @long: runs programs
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { commandLine, type CommandLine } from './harness/command-line.ts';

const opened: CommandLine[] = [];
afterAll(() => {
  for (const one of opened) one.remove();
});

/** A token as GitHub makes them, of nobody: it is in no file of this repository. */
const tokenOf = (name: string): string => `ghp_${createHash('sha256').update(name).digest('hex').slice(0, 36)}`;
const [first, second] = [tokenOf('first'), tokenOf('second')];
const RULE = 'github-personal-access-token';

let cli: CommandLine;
let at: string;
beforeEach(() => {
  cli = commandLine();
  opened.push(cli);
  at = join(cli.home, 'shop');
  mkdirSync(at);
});

const write = (name: string, text: string | Buffer) => {
  mkdirSync(join(at, name, '..'), { recursive: true });
  writeFileSync(join(at, name), text);
};
const git = (...args: string[]) => {
  const names = {
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.com',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.com',
  };
  const env = { PATH: process.env['PATH']!, HOME: cli.home, ...names };
  const { status, stdout, stderr } = spawnSync('git', ['-C', at, ...args], { env, encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr };
};
const commit = (message: string) => {
  git('add', '--all');
  expect(git('commit', '--quiet', '--message', message)).toMatchObject({ status: 0 });
  return git('rev-parse', 'HEAD').stdout;
};
const scan = (...args: string[]) => cli.run(['scan', ...args], { cwd: at });
const found = async (...args: string[]) => {
  const { stdout, stderr } = await scan(...args, '--json');
  expect(stderr).not.toContain('error');
  return JSON.parse(stdout) as readonly Record<string, unknown>[];
};

describe('coffer scan of files', () => {
  it('finds secrets, ends with 1, and shows them only if asked', async () => {
    write('src/settings.ts', `export const nothing = 1;\nexport const token = '${first}';\n`);
    const quiet = await scan('--no-git');
    expect([quiet.code, quiet.stdout, quiet.stderr]).toEqual([1, '', expect.stringContaining('leaks found: 1')]);
    const verbose = await scan('--no-git', '-v');
    expect(verbose.stdout).toMatch(new RegExp(`^Finding: +.*${first}.*\nSecret: +${first}\nRuleID: +${RULE}\n`));
    expect(verbose.stdout).toContain(`Fingerprint: src/settings.ts:${RULE}:2`);
    const redacted = await scan('--no-git', '-v', '--redact');
    expect(redacted.stdout).toContain('Secret:      REDACTED');
    expect(redacted.stdout).not.toContain(first);
  });

  it('ends with 0 if there are none, and with the exit code that is asked for otherwise', async () => {
    write('a.txt', 'nothing');
    expect(await scan('--no-git')).toMatchObject({ code: 0, stderr: expect.stringContaining('no leaks found') });
    write('a.txt', first);
    expect((await scan('--no-git', '--exit-code', '7')).code).toBe(7);
    expect((await scan('--no-git', '--exit-code=0')).code).toBe(0);
  });

  it('searches files where there is no repository, and says so', async () => {
    write('a.txt', first);
    expect(await scan()).toMatchObject({ code: 1, stderr: expect.stringContaining('its files are searched') });
    expect((await scan('-s', 'missing')).stderr).toContain('does not exist');
  });

  it('reads UTF-16, leaves out what is no text, and what is too large with a warning', async () => {
    write('utf16.txt', Buffer.from(`\uFEFFtoken = ${first}`, 'utf16le'));
    write('binary', Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from(second)]));
    expect(await found('--no-git')).toMatchObject([{ File: 'utf16.txt', Secret: first }]);
    write('large.txt', `${'x\n'.repeat(600_000)}${second}`);
    const limited = await scan('--no-git', '--max-target-megabytes', '1');
    expect(limited.stderr).toContain('large.txt is left out: it has 2 MB');
    expect(await found('--no-git', '--max-target-megabytes', '0')).toHaveLength(2);
  });

  it('follows links to files only if asked', async () => {
    writeFileSync(join(cli.home, 'outside.txt'), first);
    symlinkSync(join(cli.home, 'outside.txt'), join(at, 'link.txt'));
    symlinkSync(at, join(at, 'loop'));
    expect(await found('--no-git')).toEqual([]);
    expect(await found('--no-git', '--follow-symlinks')).toMatchObject([
      { SymlinkFile: 'link.txt', File: '../outside.txt' },
    ]);
  });

  it('reads standard input', async () => {
    const { code, stdout } = await cli.run(['scan', '--pipe', '-v'], { input: `TOKEN=${first}\n` });
    expect([code, stdout]).toEqual([1, expect.stringContaining(first)]);
    expect((await cli.run(['scan', '--pipe'], { input: 'nothing' })).code).toBe(0);
  });

  it('searches a file of one line of megabytes', async () => {
    write('large.js', `${'token("abc");'.repeat(200_000)}const t="${first}"`);
    expect(await found('--no-git')).toMatchObject([{ StartLine: 1, Secret: first }]);
  });
});

describe('coffer scan of a repository', () => {
  beforeEach(() => {
    git('init', '--quiet', '--initial-branch=main');
  });

  it('finds what is in the history only, with its commit', async () => {
    write('a b/ü "x".txt', `one\n\n\nTOKEN=${first}\n`);
    const id = commit('Add it\n\nand explain');
    write('a b/ü "x".txt', 'nothing\n');
    commit('Remove it');
    expect(await found()).toMatchObject([
      {
        RuleID: RULE,
        Secret: first,
        File: 'a b/ü "x".txt',
        StartLine: 4,
        Commit: id,
        Author: 'Ann',
        Email: 'ann@example.com',
        Date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        Message: 'Add it\n\nand explain',
        Fingerprint: `${id}:a b/ü "x".txt:${RULE}:4`,
      },
    ]);
    expect(await found('--no-git')).toEqual([]);
  });

  it('reads all branches, or those commits that --log-opts says', async () => {
    write('a.txt', first);
    commit('one');
    git('checkout', '--quiet', '-b', 'topic');
    write('b.txt', second);
    commit('two');
    git('checkout', '--quiet', 'main');
    expect(await found()).toHaveLength(2);
    expect(await found('--log-opts=main..topic')).toMatchObject([{ Secret: second }]);
    expect(await found('--log-opts', `--grep 'one'`)).toMatchObject([{ Secret: first }]);
    const failed = await scan('--log-opts', 'nowhere');
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('git log has failed')]);
  });

  it('is not confused by files that look like patches, or by lines that look like headers', async () => {
    write(
      'a.patch',
      [
        'x\n'.repeat(5000),
        'diff --git a/x b/x',
        '++ b/other.txt',
        '@@ -1 +1 @@',
        `+${first}`,
        '-- a',
        '\u0000deadbeef',
        second,
      ].join('\n'),
    );
    commit('one');
    write('a.patch', '++ b/other.txt\n');
    commit('two');
    const all = await found();
    expect(all.every(({ File }) => File === 'a.patch')).toBe(true);
    expect(all.map(({ Secret }) => Secret)).toEqual(expect.arrayContaining([first]));
  });

  it('runs no program that a repository names: to compare, to filter, to watch, to fetch, as a hook', async () => {
    write('a.txt', `${first}\n`);
    write('b.txt', 'one\n');
    write('.gitattributes', '*.txt diff=evil filter=evil\nb.txt filter=e=vil.x\n');
    commit('one');
    const [witness, program] = [join(cli.home, 'witness'), join(cli.home, 'evil.sh')];
    writeFileSync(program, `#!/bin/sh\ntouch '${witness}'\nexit 1\n`, { mode: 0o755 });
    const ran = () => {
      const hasRun = statSync(witness, { throwIfNoEntry: false }) !== undefined;
      rmSync(witness, { force: true });
      return hasRun;
    };
    for (const name of ['diff.external', 'diff.evil.command', 'diff.evil.textconv', 'core.fsmonitor', 'core.pager'])
      git('config', name, program);
    for (const name of ['filter.evil.clean', 'filter.evil.process', 'filter.e=vil.x.clean'])
      git('config', name, program);
    git('config', 'filter.evil.required', 'true');
    writeFileSync(join(at, '.git/hooks/post-index-change'), readFileSync(program), { mode: 0o755 });
    write('a.txt', `${first}\n${second}\n`);
    write('b.txt', 'two\n');
    const changes = async (...args: string[]) => {
      const { stdout } = await cli.run(['scan', 'git-changes', '--json', ...args], { cwd: at });
      return JSON.parse(stdout) as readonly object[];
    };
    expect(await found()).toMatchObject([{ Secret: first }]);
    expect(await changes()).toMatchObject([{ Secret: second, File: 'a.txt', StartLine: 2 }]);
    expect(await changes('--staged')).toEqual([]);
    // Git itself looks into files that are as old as the index.
    const now = new Date();
    for (const name of ['a.txt', 'b.txt', '.git/index']) utimesSync(join(at, name), now, now);
    expect(await changes()).toHaveLength(1);
    // An object that is missing is fetched by a program, where the repository has one for it.
    const id = git('rev-parse', 'HEAD:b.txt').stdout;
    rmSync(join(at, '.git/objects', id.slice(0, 2), id.slice(2)));
    const remote = { url: at, promisor: 'true', partialclonefilter: 'blob:none', uploadpack: program };
    for (const [name, value] of Object.entries(remote)) git('config', `remote.origin.${name}`, value);
    for (const [name, value] of [
      ['protocol.file.allow', 'always'],
      ['extensions.partialClone', 'origin'],
    ])
      git('config', name!, value!);
    git('config', 'core.repositoryFormatVersion', '1');
    expect((await scan()).stderr).toContain('git log has failed');
    expect((await cli.run(['scan', 'git-changes'], { cwd: at })).code).toBe(1);
    expect(ran()).toBe(false);
    // They would run.
    git('cat-file', 'blob', id);
    expect(ran()).toBe(true);
    git('diff', '--no-ext-diff', '--no-textconv', '--', 'a.txt');
    expect(ran()).toBe(true);
  });

  it('finds in merges what none of the merged has, once, with its line', async () => {
    write('a.txt', 'one\ntwo\nthree\n');
    commit('base');
    git('checkout', '--quiet', '-b', 'topic');
    write('a.txt', `one\ntwo\nthree\n${second}\n`);
    commit('topic');
    git('checkout', '--quiet', 'main');
    write('a.txt', 'zero\none\ntwo\nthree\n');
    commit('main');
    git('merge', '--quiet', '--no-commit', 'topic');
    // The merge has a line that neither has, a conflict that is solved by hand, and a file of its own.
    write('a.txt', `zero\none\n${first}\nthree\n${second}\nend\n`);
    write('new.txt', `x\n${first}\n`);
    const id = commit('merge');
    const all = await found();
    expect(all.filter(({ Secret }) => Secret === second)).toMatchObject([{ Message: 'topic', StartLine: 4 }]);
    expect(all.filter(({ Secret }) => Secret === first)).toMatchObject([
      { Commit: id, File: 'a.txt', StartLine: 3 },
      { Commit: id, File: 'new.txt', StartLine: 2 },
    ]);
    expect(await found('--log-opts=--no-merges --all')).toHaveLength(1);
    expect(await found('--log-opts=-m --all')).toHaveLength(6);
  });

  it('is not misled by settings of a repository', async () => {
    write('sub/a.txt', `one\ntwo\n${first}\nfour\n`);
    commit('one');
    write('sub/a.txt', `ONE\ntwo\n${first}\nfour\n${second}\n`);
    commit('two');
    const settings = {
      'diff.interHunkContext': '9',
      'diff.relative': 'true',
      'diff.noprefix': 'true',
      'diff.mnemonicPrefix': 'true',
      'log.showRoot': 'false',
      'log.diffMerges': 'off',
      'i18n.logOutputEncoding': 'UTF-16',
      'diff.wsErrorHighlight': 'all',
      'color.ui': 'always',
    };
    for (const [name, value] of Object.entries(settings)) git('config', name, value);
    write('sub/b.txt', 'x');
    const { stdout } = await cli.run(['scan', '--json'], { cwd: join(at, 'sub') });
    expect(JSON.parse(stdout)).toMatchObject([
      { Secret: second, File: 'sub/a.txt', StartLine: 5 },
      { Secret: first, File: 'sub/a.txt', StartLine: 3 },
    ]);
  });

  it('gives the addresses of findings on a platform', async () => {
    git('remote', 'add', 'origin', 'git@git.example.com:acme/shop.git');
    write('a.txt', first);
    const id = commit('one');
    expect(await found('--platform', 'gitlab')).toMatchObject([
      { Link: `https://git.example.com/acme/shop/-/blob/${id}/a.txt#L1-1` },
    ]);
  });

  it('finds changes that are not committed, or staged ones only', async () => {
    write('a.txt', 'one\n');
    commit('one');
    write('a.txt', `one\n${first}\n`);
    const changes = (...args: string[]) => cli.run(['scan', 'git-changes', '-v', ...args], { cwd: at });
    expect(await changes()).toMatchObject({ code: 1, stdout: expect.stringContaining(`a.txt:${RULE}:2`) });
    expect((await changes('--staged')).code).toBe(0);
    git('add', '--all');
    expect((await changes('--staged')).code).toBe(1);
    expect((await changes()).code).toBe(0);
  });

  it('installs a hook that refuses commits with secrets, beside one that is there', async () => {
    writeFileSync(join(at, '.git/hooks/pre-commit'), '#!/bin/sh\necho before >> ran\n', { mode: 0o755 });
    const install = () => cli.run(['scan', 'install', '--pre-commit-hook'], { cwd: at });
    expect((await install()).code).toBe(0);
    expect((await install()).stderr).toContain('scans already');
    const hook = readFileSync(join(at, '.git/hooks/pre-commit'), 'utf8');
    expect(hook.match(/coffer scan/g)).toHaveLength(1);
    expect(hook).toContain('echo before');
    // The program of the hook is that on the path of git.
    const start = await cli.start(['--version']);
    const bin = join(cli.home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'coffer'), `#!/bin/sh\nexec ${start.spawnargs.slice(0, 2).join(' ')} "$@"\n`, {
      mode: 0o755,
    });
    const attempt = (name: string) => {
      git('add', '--all');
      const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: cli.home, GIT_CONFIG_COUNT: '0' };
      const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
      return spawnSync('git', ['-C', at, ...who, 'commit', '--quiet', '-m', name], { env, encoding: 'utf8' });
    };
    write('a.txt', first);
    const refused = attempt('with');
    expect([refused.status, refused.stdout + refused.stderr]).toEqual([1, expect.stringContaining('leaks found: 1')]);
    expect(refused.stdout + refused.stderr).not.toContain(first);
    write('a.txt', 'nothing');
    expect(attempt('without').status).toBe(0);
    expect(readFileSync(join(at, 'ran'), 'utf8')).toBe('before\nbefore\n');
  });

  it('adds no lines of a shell to a hook in another language', async () => {
    writeFileSync(join(at, '.git/hooks/pre-commit'), '#!/usr/bin/env python3\n', { mode: 0o755 });
    const { code, stderr } = await cli.run(['scan', 'install', '--pre-commit-hook'], { cwd: at });
    expect([code, stderr]).toEqual([1, expect.stringContaining('is no shell script')]);
  });
});

describe('what coffer scan leaves out', () => {
  beforeEach(() => write('a.txt', `one\n${first}\n`));

  it('are fingerprints in an ignore file, Coffer’s own or the published one', async () => {
    for (const name of ['.cofferignore', '.infisicalignore']) {
      write(name, `# known\na.txt:${RULE}:2\n`);
      expect((await scan('--no-git')).code).toBe(0);
      write(name, '');
    }
    expect((await scan('--no-git')).code).toBe(1);
  });

  it('are findings of an earlier report, also of one without secrets, and not others of the same kind', async () => {
    for (const redact of [[], ['--redact']]) {
      const report = join(cli.home, 'leaks.json');
      expect((await scan('--no-git', '-r', report, ...redact)).code).toBe(1);
      expect(statSync(report).mode & 0o777).toBe(0o600);
      expect((await scan('--no-git', '-b', report)).code).toBe(0);
      appendFileSync(join(at, 'a.txt'), `${second}\n`);
      expect(await found('--no-git', '-b', report)).toMatchObject([{ Secret: second }]);
      write('a.txt', `one\n${first}\n`);
    }
    write('report.json', '{}');
    expect(await scan('--no-git', '-b', 'report.json')).toMatchObject({ code: 2 });
  });

  it('is decided by a file of rules: --config, its variable, or one beside the source', async () => {
    const own = String.raw`[[rules]]
id = "own"
regex = 'o(n)e'
`;
    write('.infisical-scan.toml', own);
    expect(await found('--no-git')).toMatchObject([{ RuleID: 'own', Secret: 'n' }]);
    write('other.toml', `[extend]\nuseDefault = true\ndisabledRules = ["generic-api-key"]\n${own}`);
    expect(await found('--no-git', '-c', 'other.toml')).toHaveLength(2);
    write(
      'third.toml',
      `[extend]\npath = "other.toml"\n[[rules]]\nid = "${RULE}"\n[rules.allowlist]\npaths = ['a.txt']\n`,
    );
    const byVariable = await cli.run(['scan', '--no-git', '--json'], {
      cwd: at,
      env: { INFISICAL_SCAN_CONFIG: 'third.toml' },
    });
    const ids = (JSON.parse(byVariable.stdout) as readonly { RuleID: string }[]).map(({ RuleID }) => RuleID);
    expect(new Set(ids)).toEqual(new Set(['own']));
    write('circle.toml', '[extend]\npath = "circle.toml"\n');
    expect(await scan('--no-git', '-c', 'circle.toml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('2 times'),
    });
  });
});

describe('reports of coffer scan', () => {
  beforeEach(() => write('dir/a b.txt', `x "${first}", "${second}"\n`));
  const report = async (format: string) => {
    const path = join(cli.home, 'report');
    await scan('--no-git', '-f', format, '-r', path);
    return readFileSync(path, 'utf8');
  };

  it('are JSON with the published fields, and an empty list without findings', async () => {
    expect((JSON.parse(await report('json')) as object[])[0]).toMatchObject({
      RuleID: RULE,
      File: 'dir/a b.txt',
      StartLine: 1,
    });
    write('dir/a b.txt', '');
    expect(JSON.parse(await report('json'))).toEqual([]);
  });

  it('are CSV with the published columns', async () => {
    const [head, row] = (await report('csv')).split('\n');
    expect(head).toMatch(/^RuleID,Commit,File,SymlinkFile,Secret,Match,StartLine,.*,Fingerprint$/);
    expect(row).toContain(`${RULE},,dir/a b.txt,,${first},"`);
  });

  it('are SARIF with a rule and a place for each result', async () => {
    const { version, runs } = JSON.parse(await report('sarif')) as {
      version: string;
      runs: readonly [
        {
          tool: { driver: { rules: readonly { id: string }[] } };
          results: readonly { ruleId: string; locations: unknown }[];
        },
      ];
    };
    expect(version).toBe('2.1.0');
    const [{ tool, results }] = runs;
    const ids = tool.driver.rules.map(({ id }) => id);
    expect(results).toHaveLength(2);
    expect(results.every(({ ruleId }) => ids.includes(ruleId))).toBe(true);
    expect(results[0]!.locations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: 'dir/a%20b.txt' }, region: { startLine: 1, startColumn: 4 } } },
    ]);
  });
});
