import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from './harness/bundle.ts';
import { commandLine, world, type World } from './harness/command-line.ts';

let at: World;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.close());

/** A folder of its own in dev. */
let folders = 0;
async function folder(): Promise<string> {
  const name = `folder-${++folders}`;
  const made = await at.test.admin('POST', '/api/v2/folders', {
    projectId: at.projectId,
    environment: 'dev',
    path: '/',
    name,
  });
  expect(made.status).toBe(200);
  return `/${name}`;
}

describe('coffer secrets', () => {
  it('sets, lists, reads, compares and deletes', async () => {
    const cli = at.administrator();
    const path = await folder();
    const set = await cli.run(['secrets', 'set', 'A=1', `B=it's`, '--path', path, '--output', 'json']);
    expect([set.code, JSON.parse(set.stdout)]).toEqual([
      0,
      [
        { secretKey: 'A', secretValue: '***', operation: 'SECRET CREATED' },
        { secretKey: 'B', secretValue: '***', operation: 'SECRET CREATED' },
      ],
    ]);
    const again = await cli.run(['secrets', 'set', 'A=2', `B=it's`, '--path', path, '-o', 'json', '--show-values']);
    expect(JSON.parse(again.stdout)).toEqual([
      { secretKey: 'A', secretValue: '2', operation: 'SECRET VALUE MODIFIED' },
      { secretKey: 'B', secretValue: `it's`, operation: 'SECRET VALUE UNCHANGED' },
    ]);
    expect((await cli.run(['secrets', '--path', path, '--plain'])).stdout).toBe(`A=2\nB=it's\n`);
    expect((await cli.run(['secrets', '--path', path])).stdout).toContain(
      '│ A           │ 2            │ shared      │',
    );
    expect((await cli.run(['secrets', 'get', 'B', 'A', '--path', path, '--plain'])).stdout).toBe(`it's\n2\n`);
    expect(JSON.parse((await cli.run(['secrets', 'get', 'A', '--path', path, '--json'])).stdout)).toEqual([
      { secretKey: 'A', secretValue: '2' },
    ]);
    const diff = await cli.run(['secrets', 'diff', `dev:${path}`, 'prod', '--json', '--show-values']);
    expect([diff.code, JSON.parse(diff.stdout)]).toEqual([
      1,
      [
        { secretKey: 'A', change: 'removed', from: '2' },
        { secretKey: 'B', change: 'removed', from: `it's` },
      ],
    ]);
    const dry = await cli.run(['secrets', 'delete', 'A', '--type', 'shared', '--path', path, '--dry-run']);
    expect([dry.code, dry.stderr]).toEqual([0, 'Would delete: A\n']);
    expect((await cli.run(['secrets', 'delete', 'A', 'B', '--type', 'shared', '--path', path])).code).toBe(0);
    expect((await cli.run(['secrets', '--path', path, '--plain'])).stdout).toBe('');
  });

  it('reads values from files, standard input, dotenv and YAML, and a leading @', async () => {
    const cli = at.administrator();
    const path = await folder();
    writeFileSync(join(cli.home, 'key.pem'), 'line 1\nline 2\n');
    await cli.run(['secrets', 'set', 'FILE=@key.pem', 'INPUT=-', String.raw`AT=\@home`, '--path', path], {
      input: 'typed\n',
    });
    writeFileSync(join(cli.home, 'more.env'), `X='1 # no comment'\nexport Y=2\n`);
    writeFileSync(join(cli.home, 'more.yaml'), 'Z: 3\nPIN: 0042\nVERSION: 1.10\nIS_ON: TRUE\nTEXT: |\n  a\n  b\n');
    for (const file of ['more.env', 'more.yaml'])
      expect((await cli.run(['secrets', 'set', '--file', file, '--path', path])).code).toBe(0);
    const read = await cli.run(['secrets', '--path', path, '-o', 'json']);
    const all = Object.fromEntries(
      (JSON.parse(read.stdout) as { secretKey: string; secretValue: string }[]).map((one) => [
        one.secretKey,
        one.secretValue,
      ]),
    );
    expect(all).toEqual({
      FILE: 'line 1\nline 2\n',
      INPUT: 'typed',
      AT: '@home',
      X: '1 # no comment',
      Y: '2',
      Z: '3',
      PIN: '0042',
      VERSION: '1.10',
      IS_ON: 'TRUE',
      TEXT: 'a\nb\n',
    });
  });

  it('changes nothing with --dry-run, and nothing where one of several is refused', async () => {
    const cli = at.administrator();
    const path = await folder();
    const dry = await cli.run(['secrets', 'set', 'A=1', '--path', path, '--dry-run']);
    expect([dry.code, dry.stderr]).toEqual([0, 'Nothing was changed\n']);
    expect((await cli.run(['secrets', 'set', 'A=1', 'NOT/A NAME=2', '--path', path])).code).toBe(1);
    expect((await cli.run(['secrets', '--path', path, '--plain'])).stdout).toBe('');
  });

  it('says what a command would change with --dry-run, and sends nothing', async () => {
    const cli = at.administrator();
    const dry = async (...args: string[]) => {
      const { code, stdout, stderr } = await cli.run([...args, '--dry-run'], {
        env: { COFFER_ADMIN_PASSWORD: 'hidden' },
      });
      expect([args, code, stderr]).toEqual([args, 0, expect.stringContaining('Nothing was changed')]);
      expect(stdout).not.toContain('hidden');
      return JSON.parse(stdout) as { operation: string; input: Record<string, unknown> };
    };
    const made = await dry('secrets', 'folders', 'create', '--name', 'never');
    expect(made).toMatchObject({ operation: 'folders.create', input: { name: 'never', path: '/' } });
    expect((await cli.run(['secrets', 'folders', 'get'])).stdout).not.toContain('never');
    const lease = ['dynamic-secrets', 'lease'];
    const account = ['--email', 'a@example.com', '--organization', 'A'];
    for (const [operation, ...args] of [
      ['folders.delete', 'secrets', 'folders', 'delete', '--name', 'never'],
      ['dynamicSecretLeases.create', ...lease, 'create', 'x'],
      ['dynamicSecretLeases.renew', ...lease, 'renew', 'x'],
      ['dynamicSecretLeases.revoke', ...lease, 'delete', 'x'],
      ['serviceTokens.create', 'service-token', 'create', '--scope', 'dev:/**', '--access-level', 'read'],
      ['instance.bootstrap', 'bootstrap', ...account],
    ] as const)
      expect((await dry(...args)).operation).toBe(operation);
  });

  it('has an exit code for each kind of failure', async () => {
    const cli = at.administrator();
    const { token } = await at.test.identity();
    const failures: [string[], Record<string, string>, number][] = [
      [['secrets', 'get', 'NOPE'], {}, 1],
      [['secrets', '--env', 'nowhere'], {}, 1],
      [['secrets', 'get'], {}, 2],
      [['secrets', 'set', 'A'], {}, 2],
      [['secrets', 'nope'], {}, 2],
      [['secrets', '--nope'], {}, 2],
      [['gateway'], {}, 2],
      [['secrets'], { COFFER_TOKEN: '' }, 3],
      [['secrets'], { COFFER_TOKEN: token }, 1],
      [['secrets'], { COFFER_DOMAIN: 'http://127.0.0.1:9' }, 5],
    ];
    for (const [args, env, code] of failures) {
      const done = await cli.run(args, { env });
      expect([args, done.code, done.stdout]).toEqual([args, code, '']);
      expect(done.stderr).toMatch(/^error: /);
      expect(done.stderr).not.toMatch(/ at .*\.(?:ts|mjs):\d+/);
    }
  });

  it('is denied to who may not read or write', async () => {
    const { id, token } = await at.test.identity();
    await at.test.admin('POST', `/api/v1/projects/${at.projectId}/memberships/identities/${id}`, { role: 'viewer' });
    const cli = at.administrator();
    const denied = await cli.run(['secrets', 'set', 'A=1'], { env: { COFFER_TOKEN: token } });
    expect([denied.code, denied.stdout]).toEqual([4, '']);
  });

  it('creates, lists and deletes folders', async () => {
    const cli = at.administrator();
    const path = await folder();
    const flags = ['--path', path, '--json'];
    expect((await cli.run(['secrets', 'folders', 'create', '--name', 'sub', ...flags])).code).toBe(0);
    expect(JSON.parse((await cli.run(['secrets', 'folders', 'get', ...flags])).stdout)).toEqual([
      { folderId: expect.any(String), folderName: 'sub', folderPath: path },
    ]);
    expect((await cli.run(['secrets', 'folders', 'create', '--name', 'sub-2', ...flags])).code).toBe(0);
    const dotenv = await cli.run(['secrets', 'folders', 'get', '--path', path, '-o', 'dotenv']);
    expect(dotenv.stdout).toBe("sub='sub'\nsub-2='sub-2'\n");
    expect((await cli.run(['secrets', 'folders', 'delete', '-n', 'sub-2', ...flags])).code).toBe(0);
    expect((await cli.run(['secrets', 'folders', 'delete', '-n', 'sub', ...flags])).code).toBe(0);
    expect(JSON.parse((await cli.run(['secrets', 'folders', 'get', ...flags])).stdout)).toEqual([]);
    expect((await cli.run(['secrets', 'folders', 'delete', '-n', 'sub', ...flags])).code).toBe(1);
  });

  it('writes an example of a .env file without values', async () => {
    const cli = at.administrator();
    const path = await folder();
    const at4 = { projectId: at.projectId, environment: 'dev', secretPath: path };
    await at.test.admin('POST', '/api/v4/secrets/B', {
      ...at4,
      secretValue: 'secret',
      secretComment: 'line 1\nline 2',
    });
    await at.test.admin('POST', '/api/v4/secrets/A', { ...at4, secretValue: 'secret' });
    expect((await cli.run(['secrets', 'generate-example-env', '--path', path])).stdout).toBe(
      'A=\n# line 1\n# line 2\nB=\n',
    );
  });
});

describe('names, comments and values of somebody else', () => {
  const put = async (path: string, name: string, more: object = {}) => {
    const place = { projectId: at.projectId, environment: 'dev', secretPath: path };
    const made = await at.test.admin('POST', `/api/v4/secrets/${encodeURIComponent(name)}`, {
      ...{ ...place, secretValue: 'x' },
      ...more,
    });
    expect([name, made.status]).toEqual([name, 200]);
  };

  it('reach no terminal as control characters or marks of direction: in messages, tables, examples', async () => {
    const cli = at.administrator();
    for (const name of ['A\u001B]52;c;ZXZpbA==\u0007', 'A\u202EB', 'A\u0085B', 'A\u2066B', 'A\rB']) {
      const path = await folder();
      await put(path, name, { secretComment: `${name}\u2028` });
      const shown = await Promise.all(
        [['secrets'], ['export'], ['secrets', 'generate-example-env'], ['secrets', 'delete', `${name}?`]].map((args) =>
          cli.run([...args, '--path', path]),
        ),
      );
      const all = shown.map(({ stdout, stderr }) => stdout + stderr).join('');
      expect(all).toContain('A');
      expect(all.match(/[^\P{Cc}\n]|[\p{Zl}\u202A-\u202E\u2066-\u2069]/gu)).toBeNull();
    }
  });

  it('run no command in a shell that sources -o dotenv, and set nothing that loaders or shells obey', async () => {
    const cli = at.administrator();
    const marker = join(cli.home, 'ran');
    const reading = (path: string, name: string) => [
      ['secrets', '-o', 'dotenv', '--path', path],
      ['secrets', 'get', name, '-o', 'dotenv', '--path', path],
      ['secrets', 'diff', `dev:${path}`, 'prod', '-o', 'dotenv'],
      ['export', '--path', path],
      ['export', '--format', 'dotenv-eval', '--path', path],
    ];
    const writing = (path: string, name: string) => [
      ['secrets', 'set', '-o', 'dotenv', '--path', path, '--show-values', `${name}=it's $(touch ${marker})`],
      ['secrets', 'delete', '-o', 'dotenv', '--path', path, '--type', 'shared', name],
    ];
    const refused = [1, expect.stringContaining('is no name of a variable')];
    const leftOut = [expect.any(Number), expect.stringContaining('is left out')];
    for (const [name, secretValue, outcome] of [
      ['A`touch ran`', 'x', refused],
      ['A\ntouch ran', 'x', refused],
      ['NOTE', `it's $(touch ${marker})`, [expect.any(Number), expect.any(String)]],
      ['RANDOM', `a[$(touch ${marker})]`, leftOut],
      ['PATH', '/nowhere', leftOut],
      ['TAR_OPTIONS', '--checkpoint=1', leftOut],
    ] as const) {
      const path = await folder();
      await put(path, name, { secretValue });
      const check = async (command: readonly string[]) => {
        const { code, stdout, stderr } = await cli.run(command);
        const sourced = spawnSync('bash', [], { input: `${stdout}\nset +x; command -v ls`, cwd: cli.home });
        expect([command, sourced.stdout.toString(), existsSync(marker)]).toEqual([
          command,
          expect.stringMatching(/^\/.*ls\n$/),
          false,
        ]);
        // What it cannot hold is an error, which changes nothing; what is left out is said.
        expect([command, code, stderr]).toEqual([command, ...outcome]);
      };
      await Promise.all(reading(path, name).map(check));
      for (const command of writing(path, name)) await check(command);
    }
    const path = await folder();
    await put(path, 'TAR_OPTIONS', { secretValue: '-v' });
    const wanted = await cli.run(['secrets', '-o', 'dotenv', '--path', path, '--loader-variables']);
    expect([wanted.code, wanted.stdout]).toEqual([0, `TAR_OPTIONS='-v'\n`]);
  });

  it('are no messages of their own', async () => {
    const cli = at.administrator();
    const path = await folder();
    await put(path, 'A\nWrote 3 secrets', {});
    const { stderr } = await cli.run(['export', '--path', path]);
    expect(stderr.match(/^Wrote/m)).toBeNull();
    expect(stderr).toContain('Wrote 3 secrets');
    expect((await cli.run(['secrets', '--plain', '--path', path])).stdout).toBe('A\u240AWrote 3 secrets=x\n');
  });

  it('are no further variables of an example', async () => {
    const cli = at.administrator();
    const example = async (path: string) => cli.run(['secrets', 'generate-example-env', '--path', path]);
    const [commented, quoted] = [await folder(), await folder()];
    await put(commented, 'A', { secretComment: 'one\rNODE_OPTIONS=--inspect\r\nTWO=2\nTHREE=3' });
    expect((await example(commented)).stdout).toBe('# one\n# NODE_OPTIONS=--inspect\n# TWO=2\n# THREE=3\nA=\n');
    await put(quoted, 'A', { secretComment: 'DEFAULT: $(id) # "' });
    await put(quoted, 'NODE_OPTIONS', { secretComment: 'DEFAULT: --require ./x.cjs' });
    await put(quoted, 'PATH');
    expect(await example(quoted)).toMatchObject({
      stdout: `A='$(id) # "'\n`,
      stderr: expect.stringMatching(/NODE_OPTIONS is left out: [^]*PATH is left out: /),
    });
    for (const [name, comment] of [
      ['A', 'DEFAULT: 1\nNODE_OPTIONS=--inspect'],
      ['A', 'DEFAULT: 1\rNODE_OPTIONS=--inspect'],
      ['A\nNODE_OPTIONS=--inspect', ''],
    ] as const) {
      const path = await folder();
      await put(path, name, { secretComment: comment });
      expect([name, await example(path)]).toEqual([name, expect.objectContaining({ code: 1, stdout: '' })]);
    }
  });
});

describe('coffer export', () => {
  it('writes to a file of mode 0600, whole or not at all', async () => {
    const cli = at.administrator();
    const path = await folder();
    await cli.run(['secrets', 'set', 'A=1', '--path', path]);
    mkdirSync(join(cli.home, 'out'));
    expect((await cli.run(['export', '--path', path, '-o', 'out', '-f', 'json'])).code).toBe(0);
    const file = join(cli.home, 'out/secrets.json');
    expect([statSync(file).mode & 0o777, JSON.parse(readFileSync(file, 'utf8'))[0]]).toMatchObject([
      0o600,
      { key: 'A', value: '1' },
    ]);
    expect(await cli.run(['export', '--path', path, '-o', 'missing/x'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written'),
    });
  });

  it('reports a full disk and a closed pipe', async () => {
    const cli = at.administrator();
    const path = await folder();
    await cli.run(['secrets', 'set', 'A=-', '--path', path], { input: 'x'.repeat(500_000) });
    const run = (command: string) => cli.run(['run', '--path', '/', '--keep-credentials', '-c', command]);
    const program = `"${process.execPath}" "${await bundle()}"`;
    const full = await run(`${program} export --path ${path} > /dev/full`);
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('cannot be written (ENOSPC)')]);
    const closed = await run(`${program} export --path ${path} | head -c 10 | wc -c`);
    expect([closed.stdout.trim(), closed.stderr]).toEqual(['10', '']);
  });

  it('renders a template, as the agent has it, and names the line of a fault', async () => {
    const [cli, path] = [at.administrator(), await folder()];
    await cli.run(['secrets', 'set', 'A=1', 'B=it is "2"', '--path', path]);
    const write = (content: string) => writeFileSync(join(cli.home, 'app.tmpl'), content);
    write(
      `{{- range listSecrets "${at.projectId}" "dev" "${path}" }}{{ .Key }}: {{ .Value | toJson }}\n{{ end }}{{ (getSecretByName "${at.projectId}" "dev" "${path}" "A").Value }}\n`,
    );
    const done = await cli.run(['export', '--template', 'app.tmpl']);
    expect([done.code, done.stdout, done.stderr]).toEqual([0, 'A: "1"\nB: "it is \\"2\\""\n1\n', '']);
    expect((await cli.run(['export', '--template=app.tmpl', '-o', 'app.conf'])).code).toBe(0);
    expect(readFileSync(join(cli.home, 'app.conf'), 'utf8')).toBe(done.stdout);
    expect(statSync(join(cli.home, 'app.conf')).mode & 0o777).toBe(0o600);
    write(`{{ listSecrets "${at.projectId}" "dev" "${path}" | dotenv }}{{ dotenv 1 }}`);
    expect((await cli.run(['export', '--template', 'app.tmpl'])).stderr).toContain('expected secrets, found int');
    write(`{{ listSecrets "${at.projectId}" "dev" "${path}" | dotenv }}`);
    await cli.run(['secrets', 'set', 'PATH=/nowhere', 'TAR_OPTIONS=-v', '--path', path]);
    expect(await cli.run(['export', '--template', 'app.tmpl'])).toMatchObject({
      code: 0,
      stdout: `A='1'\nB='it is "2"'\n`,
      stderr: expect.stringMatching(/PATH is left out: [^]*TAR_OPTIONS is left out: /),
    });
    await cli.run(['secrets', 'set', `B=it's $(id)`, '--path', path]);
    expect(await cli.run(['export', '--template', 'app.tmpl'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('The value of B has no form'),
    });
    write('one\n{{ nothing }}\n');
    expect(await cli.run(['export', '--template', 'app.tmpl'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('app.tmpl, line 2'),
    });
    write(`{{ (dynamicSecret "a" "dev" "/" "b").X }}`);
    expect((await cli.run(['export', '--template', 'app.tmpl'])).stderr).toContain('is for coffer agent');
  });

  it('includes imports, resolves references and takes several folders, the last of which wins', async () => {
    const cli = at.administrator();
    const [one, two] = [await folder(), await folder()];
    await cli.run(['secrets', 'set', 'A=one', 'B=one', '--path', one]);
    await cli.run(['secrets', 'set', 'B=two', 'C=${B}!', '--path', two]);
    const values = async (...args: string[]) => (await cli.run(['export', '-f', 'docker', ...args])).stdout;
    expect(await values('--path', one, '--path', two)).toBe('A=one\nB=two\nC=two!\n');
    expect(await values('--path', two, '--path', one)).toBe('A=one\nB=one\nC=two!\n');
    expect(await values('--path', two, '--expand=false')).toBe('B=two\nC=${B}!\n');
    await at.test.admin('POST', '/api/v2/secret-imports', {
      projectId: at.projectId,
      environment: 'dev',
      path: two,
      import: { environment: 'dev', path: one },
    });
    expect(await values('--path', two)).toBe('A=one\nB=two\nC=two!\n');
    expect(await values('--path', two, '--include-imports=false')).toBe('B=two\nC=two!\n');
  });
});

describe('a project file', () => {
  it('names the project, the environment of a branch and defaults of flags, also for directories below it', async () => {
    const path = await folder();
    const cli = at.administrator();
    const env = { COFFER_PROJECT_ID: '' };
    await cli.run(['secrets', 'set', 'A=1', '--path', path]);
    for (const [name, content] of [
      [
        '.infisical.json',
        {
          workspaceId: at.projectId,
          defaultEnvironment: 'dev',
          defaultSecretPath: path,
          gitBranchToEnvironmentMapping: null,
        },
      ],
      [
        '.coffer.json',
        { projectId: at.projectId, defaultEnvironment: 'dev', flags: { export: { path, format: 'yaml' } } },
      ],
    ] as const) {
      writeFileSync(join(cli.home, name), JSON.stringify(content));
      mkdirSync(join(cli.home, 'below'), { recursive: true });
      const done = await cli.run(['export'], { env, cwd: join(cli.home, 'below') });
      expect([done.code, done.stdout]).toEqual([0, name === '.coffer.json' ? 'A: "1"\n' : `A='1'\n`]);
    }
    spawnSync('git', ['init', '-q', '-b', 'main'], { cwd: cli.home });
    const mapped = {
      projectId: at.projectId,
      defaultEnvironment: 'dev',
      gitBranchToEnvironmentMapping: { main: 'staging' },
    };
    writeFileSync(join(cli.home, '.coffer.json'), JSON.stringify(mapped));
    await cli.run(['secrets', 'set', 'STAGED=1', '--env', 'staging']);
    expect((await cli.run(['export'], { env })).stdout).toBe(`STAGED='1'\n`);
    writeFileSync(join(cli.home, '.coffer.json'), 'nope');
    expect(await cli.run(['export'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is no JSON'),
    });
  });

  it('gets credentials to no server that it alone names', async () => {
    const cli = commandLine({ COFFER_PROJECT_ID: at.projectId });
    const { email } = await makeUser(at.test.coffer, {
      organizationId: at.test.organizationId,
      password: 'a-long-password',
    });
    writeFileSync(join(cli.home, '.coffer.json'), JSON.stringify({ domain: at.url }));
    const token = { COFFER_TOKEN: at.test.adminIdentity.token };
    const machine = { COFFER_UNIVERSAL_AUTH_CLIENT_ID: 'id', COFFER_UNIVERSAL_AUTH_CLIENT_SECRET: 'secret' };
    for (const [args, env] of [
      [['export'], token],
      [['export'], machine],
      [['secrets', '--token', token.COFFER_TOKEN], {}],
      [['login', '--email', email], { COFFER_PASSWORD: 'a-long-password' }],
      [['login', '--method', 'universal-auth'], machine],
    ] as const) {
      const done = await cli.run(args, { env });
      expect([done.code, done.stderr]).toEqual([3, expect.stringContaining(`names the server ${at.url}`)]);
    }
    expect((await cli.run(['export'], { env: { ...token, COFFER_DOMAIN: at.url } })).code).toBe(0);
    const inOrganization = ['--organization-id', at.test.organizationId];
    const login = ['login', '--email', email, '--domain', at.url, ...inOrganization];
    expect((await cli.run(login, { env: { COFFER_PASSWORD: 'a-long-password' } })).code).toBe(0);
    expect((await cli.run(['export'], { env: token })).code).toBe(0);
    // Neither another path of that server, nor the usual one of this machine, is the one that the caller has named.
    for (const domain of [`${at.url}/other`, 'http://127.0.0.1:8080']) {
      writeFileSync(join(cli.home, '.coffer.json'), JSON.stringify({ domain }));
      for (const env of [token, {}]) expect([domain, (await cli.run(['export'], { env })).code]).toEqual([domain, 3]);
    }
    cli.remove();
  });

  it.each([
    ['export', { '': { domain: 'https://other.example' } }, 'domain'],
    ['export', { export: { 'output-file': '.profile' } }, 'output-file'],
    ['run', { run: { command: 'echo mine' } }, 'command'],
    ['login', { login: { password: 'a password' } }, 'password'],
  ])('cannot set what only callers say: coffer %s with %j', async (command, flags, name) => {
    const cli = at.administrator();
    writeFileSync(join(cli.home, '.coffer.json'), JSON.stringify({ flags }));
    const done = await cli.run([command]);
    expect([done.code, done.stderr]).toEqual([2, expect.stringContaining(`A project file cannot set --${name}`)]);
  });

  it('is written by init, which replaces none', async () => {
    const cli = at.administrator();
    const done = await cli.run(['init', '--projectId', at.projectId]);
    expect([done.code, JSON.parse(readFileSync(join(cli.home, '.coffer.json'), 'utf8'))]).toEqual([
      0,
      { workspaceId: at.projectId, defaultEnvironment: 'dev', gitBranchToEnvironmentMapping: null, domain: at.url },
    ]);
    expect((await cli.run(['init', '--projectId', at.projectId])).code).toBe(1);
  });

  it('is not needed by a service token, which has a project; other tokens need one', async () => {
    const cli = commandLine({ COFFER_DOMAIN: at.url });
    const none = await cli.run(['secrets'], { env: { COFFER_TOKEN: at.test.adminIdentity.token } });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('No project is named')]);
    const { token: user, email } = await makeUser(at.test.coffer, {
      organizationId: at.test.organizationId,
      role: 'member',
    });
    const added = { usernames: [email], emails: [], roleSlugs: ['admin'] };
    await at.test.admin('POST', `/api/v1/projects/${at.projectId}/memberships`, added);
    const flags = ['--projectId', at.projectId, '--scope', 'dev:/**', '--access-level', 'read', '--token-only'];
    const made = await cli.run(['service-token', 'create', ...flags], { env: { COFFER_TOKEN: user } });
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^st\.\S+\n$/)]);
    const own = await cli.run(['secrets', '--plain'], { env: { INFISICAL_TOKEN: made.stdout.trim() } });
    expect(own.code).toBe(0);
    cli.remove();
  });
});
