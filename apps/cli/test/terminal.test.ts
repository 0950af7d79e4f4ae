import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { world, type CommandLine, type World } from './harness/command-line.ts';
import { Terminal } from './harness/terminal.ts';

const password = 'correct horse battery';
let at: World;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.close());

const terminal = (cli: CommandLine, args: string, env: Readonly<Record<string, string>> = {}) =>
  Terminal.run(args, cli, { COFFER_DOMAIN: at.url, ...env });

describe('at a terminal', () => {
  it('coffer login asks for what is missing, and does not show the password', async () => {
    const cli = at.open();
    const { email } = await makeUser(at.test.coffer, { organizationId: at.test.organizationId, password });
    const person = await terminal(cli, 'login --interactive');
    await person.sees('E-mail address: ');
    person.types(`${email}\r`);
    await person.sees('Password: ');
    person.types(`${password}\r`);
    expect([await person.ended, person.shown]).toEqual([
      0,
      expect.stringContaining(`Logged in at ${at.url} as ${email}`),
    ]);
    expect(person.shown).not.toContain(password);
    expect((await cli.run(['login', 'status'])).code).toBe(0);
  });

  it('coffer init lets choose a project by its number, also after a wrong one', async () => {
    const cli = at.open();
    await at.test.project();
    const person = await terminal(cli, 'init', { COFFER_TOKEN: at.test.adminIdentity.token });
    await person.sees('2) ');
    await person.sees('[1-');
    person.types('99\r');
    await person.sees('[1-');
    person.types('1\r');
    expect(await person.ended).toBe(0);
    const read = await cli.run(['secrets', 'folders', 'get', '--json'], {
      env: { COFFER_TOKEN: at.test.adminIdentity.token },
    });
    expect([read.stderr, read.code]).toEqual(['', 0]);
  });

  it('coffer init shows names as text, whatever the terminal would do by them', async () => {
    for (const projectName of ['Plain', 'A\u001B]52;c;ZXZpbA==\u0007\u202EB'])
      await at.test.admin('POST', '/api/v1/projects', { projectName });
    const person = await terminal(at.open(), 'init', { COFFER_TOKEN: at.test.adminIdentity.token });
    await person.sees('[1-');
    person.types('\u0003');
    await person.ended;
    expect(person.shown).toContain('A\u241B]52');
    for (const obeyed of ['\u001B]52', '\u202E']) expect(person.shown).not.toContain(obeyed);
  });

  it('results show values as text, whatever the terminal would do by them, and programs get them as they are', async () => {
    const cli = at.administrator();
    const value = '\u001B]52;c;ZXZpbA==\u0007\u202Ea\tb';
    await cli.run(['secrets', 'set', 'OBEYED=-'], { input: value });
    const env = { COFFER_TOKEN: at.test.adminIdentity.token, COFFER_PROJECT_ID: at.projectId };
    for (const args of ['secrets get OBEYED --plain', 'secrets -o yaml', 'secrets --json', 'export', 'export -f csv']) {
      const person = await terminal(cli, args, env);
      expect([args, await person.ended, person.shown]).toEqual([args, 0, expect.stringContaining('ZXZpbA==')]);
      expect([args, /[^\P{Cc}\t\r\n]|\u202E/u.exec(person.shown)]).toEqual([args, null]);
    }
    expect((await cli.run(['secrets', 'get', 'OBEYED', '--plain'])).stdout).toBe(`${value}\n`);
  });

  it('Ctrl-C ends a question, and Ctrl-D too', async () => {
    for (const key of ['\u0003', '\u0004']) {
      const person = await terminal(at.open(), 'login --interactive');
      await person.sees('E-mail address: ');
      person.types(key);
      expect(await person.ended).not.toBe(0);
    }
  });

  it('coffer run leaves the terminal to the program, with Ctrl-C once', async () => {
    const cli = at.administrator();
    const program = join(cli.home, 'program.sh');
    writeFileSync(
      program,
      `test -t 0 && echo a terminal\ntrap 'echo interrupted; exit 9' INT\necho ready\nwhile :; do sleep 0.1; done\n`,
    );
    const person = await terminal(cli, `run -- sh ${program}`, {
      COFFER_TOKEN: at.test.adminIdentity.token,
      COFFER_PROJECT_ID: at.projectId,
    });
    await person.sees('ready');
    person.types('\u0003');
    expect(await person.ended).toBe(9);
    expect(person.shown.match(/interrupted/g)).toHaveLength(1);
    expect(person.shown).toContain('a terminal');
  });
});
