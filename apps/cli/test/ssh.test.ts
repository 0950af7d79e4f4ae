// @long: runs programs
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { commandLine, world, type CommandLine, type World } from './harness/command-line.ts';

const hasSsh = spawnSync('ssh-keygen', ['-?']).error === undefined || process.env['CI'] !== undefined;

const SSHD = '/usr/sbin/sshd';

let at: World;
let cli: CommandLine;
let template: string;
beforeAll(async () => {
  at = await world();
  cli = at.administrator();
  const { admin } = at.test;
  const ca = await admin('POST', '/api/v1/ssh/ca', { projectId: at.projectId, friendlyName: 'users' });
  const made = await admin('POST', '/api/v1/ssh/certificate-templates', {
    sshCaId: ca.body.ca.id,
    name: 'deploy',
    ttl: '1h',
    maxTTL: '1d',
    allowedUsers: ['deploy'],
    allowedHosts: [],
    allowUserCertificates: true,
    allowHostCertificates: false,
    allowCustomKeyIds: false,
  });
  template = made.body.id;
});
afterAll(() => at.close());

/** What ssh-keygen says of a certificate. */
const described = (path: string): string => spawnSync('ssh-keygen', ['-L', '-f', path], { encoding: 'utf8' }).stdout;

describe.runIf(hasSsh)('coffer ssh', () => {
  it('makes a key with a certificate, of which only its owner reads the key', async () => {
    const flags = ['--certificateTemplateId', template, '--principals', 'deploy', '--outFilePath', 'id_deploy'];
    const done = await cli.run(['ssh', 'issue-credentials', ...flags]);
    expect([done.code, done.stdout]).toEqual([0, '']);
    const path = join(cli.home, 'id_deploy');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(described(`${path}-cert.pub`)).toMatch(/Principals:\s+deploy/);
    const publicKey = spawnSync('ssh-keygen', ['-y', '-f', path], { encoding: 'utf8' }).stdout.split(' ')[1];
    expect(readFileSync(`${path}.pub`, 'utf8')).toContain(publicKey);
  });

  it('adds the key to the agent, for as long as the certificate is valid, and writes no file', async () => {
    const socket = join(cli.home, 'agent');
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void agent.kill());
    await once(agent.stdout, 'data');
    const flags = ['--certificateTemplateId', template, '--principals', 'deploy', '--addToAgent'];
    const done = await cli.run(['ssh', 'issue-credentials', ...flags], { env: { SSH_AUTH_SOCK: socket } });
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('is in the SSH agent')]);
    const held = spawnSync('ssh-add', ['-l'], { encoding: 'utf8', env: { ...process.env, SSH_AUTH_SOCK: socket } });
    expect(held.stdout).toContain('(ED25519-CERT)');
    const without = await cli.run(['ssh', 'issue-credentials', ...flags]);
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('There is no SSH agent')]);
  });

  it('signs a key beside it, or to standard output', async () => {
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(cli.home, 'own')]);
    const flags = ['--certificateTemplateId', template, '--principals', 'deploy'];
    const done = await cli.run(['ssh', 'sign-key', ...flags, '--publicKeyFilePath', 'own.pub', '--ttl', '10m']);
    expect(done.code).toBe(0);
    expect(described(join(cli.home, 'own-cert.pub'))).toMatch(/Principals:\s+deploy/);
    const publicKey = readFileSync(join(cli.home, 'own.pub'), 'utf8').trim();
    const printed = await cli.run(['ssh', 'sign-key', ...flags, '--publicKey', publicKey]);
    expect(printed.stdout).toMatch(/^ssh-ed25519-cert-v01@openssh\.com \S+/);
    expect((await cli.run(['ssh', 'sign-key', ...flags])).code).toBe(2);
    const refused = await cli.run([
      'ssh',
      'sign-key',
      '--certificateTemplateId',
      template,
      '--principals',
      'root',
      '--publicKey',
      publicKey,
    ]);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
  });

  it('registers a host with its authority and certificate, on which a user may then log in', async () => {
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(cli.home, 'host_key')]);
    const file = (name: string) => join(cli.home, name);
    const done = await cli.run([
      ...['ssh', 'add-host', '--hostname', 'web.example.com', '--json'],
      ...['--write-user-ca-to-file', '--user-ca-out-file-path', file('user_ca.pub')],
      ...['--write-host-cert-to-file', '--host-key-path', file('host_key.pub')],
      ...['--configure-sshd', '--sshd-config-path', file('sshd.conf')],
    ]);
    expect([done.code, done.stderr.split('\n').length]).toEqual([0, 5]);
    expect(described(file('host_key-cert.pub'))).toMatch(/Type: \S+ host certificate/);
    expect(readFileSync(file('user_ca.pub'), 'utf8')).toMatch(/^ssh-ed25519 \S+/);
    expect(readFileSync(file('sshd.conf'), 'utf8').split('\n')).toEqual([
      `TrustedUserCAKeys ${file('user_ca.pub')}`,
      `HostKey ${file('host_key')}`,
      `HostCertificate ${file('host_key-cert.pub')}`,
      '',
    ]);
    const { id } = JSON.parse(done.stdout) as { id: string };
    const again = await cli.run([
      'ssh',
      'add-host',
      '--hostname',
      'other.example.com',
      '--write-user-ca-to-file',
      '--user-ca-out-file-path',
      file('user_ca.pub'),
    ]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('--force')]);

    const user = await makeUser(at.test.coffer, { organizationId: at.test.organizationId });
    await at.test.admin('POST', `/api/v1/projects/${at.projectId}/memberships`, {
      usernames: [user.email],
      emails: [],
      roleSlugs: ['no-access'],
    });
    const loginMappings = [{ loginUser: 'deploy', allowedPrincipals: { usernames: [user.email], groups: [] } }];
    expect((await at.test.admin('PATCH', `/api/v1/ssh/hosts/${id}`, { loginMappings })).status).toBe(200);
    const theirs = commandLine({ COFFER_DOMAIN: at.url, COFFER_TOKEN: user.token });
    onTestFinished(() => theirs.remove());
    const connect = ['ssh', 'connect', '--hostname', 'web.example.com', '--out-file-path', '.'];
    // Then nothing is missing, so that nothing has to be written: /proc is read-only.
    for (const options of [{}, { env: { XDG_CONFIG_HOME: '/proc/none' } }])
      expect((await theirs.run([...connect, '--login-user', 'deploy'], options)).code).toBe(0);
    const known = readFileSync(join(theirs.home, '.ssh/known_hosts'), 'utf8');
    expect(known).toMatch(/^@cert-authority web\.example\.com ssh-\S+ \S+ coffer:\S+\n$/);
    expect(described(join(theirs.home, 'id_web.example.com-cert.pub'))).toMatch(/Principals:\s+deploy/);
    const root = await theirs.run([...connect, '--login-user', 'root']);
    expect([root.code, root.stderr]).toEqual([1, expect.stringContaining('You may as: deploy')]);
    expect(existsSync(join(theirs.home, 'id_other'))).toBe(false);
    expect((await cli.run(['ssh', 'connect', '--hostname', 'web.example.com'])).code).toBe(1);

    // A host of another project is not taken for it: neither by its alias, nor by the same name.
    const { id: projectId } = await at.test.project();
    const member = { usernames: [user.email], emails: [], roleSlugs: ['no-access'] };
    await at.test.admin('POST', `/api/v1/projects/${projectId}/memberships`, member);
    const another = { projectId, hostname: 'a.example.com', alias: 'web.example.com', loginMappings };
    const made = await at.test.admin('POST', '/api/v1/ssh/hosts', another);
    expect((await theirs.run([...connect, '--login-user', 'deploy'])).stderr).toContain('deploy@web.example.com');
    const change = (hostId: string, body: object) => at.test.admin('PATCH', `/api/v1/ssh/hosts/${hostId}`, body);
    await change(id, { loginMappings: [] });
    expect((await theirs.run(connect)).stderr).toContain('You may not log in on web.example.com');
    await change(id, { loginMappings, alias: 'web' });
    const byAlias = ['ssh', 'connect', '--hostname', 'web', '--out-file-path', '.'];
    expect((await theirs.run(byAlias)).stderr).toContain('deploy@web.example.com');
    await change(made.body.id, { hostname: 'web' });
    expect((await theirs.run(byAlias)).stderr).toContain('the name of several hosts');
    await at.test.admin('PATCH', `/api/v1/ssh/hosts/${made.body.id}`, { hostname: 'web.example.com' });
    const several = await theirs.run([...connect, '--login-user', 'deploy']);
    expect([several.code, several.stderr]).toEqual([1, expect.stringContaining('the name of several hosts')]);
  });

  it('trusts the keys of the authority of a host that count now, on a line each, and none that counted before', async () => {
    // Its clock is its own.
    const own = await world();
    onTestFinished(() => own.close());
    const { admin } = own.test;
    const user = await makeUser(own.test.coffer, { organizationId: own.test.organizationId });
    const member = { usernames: [user.email], emails: [], roleSlugs: ['no-access'] };
    await admin('POST', `/api/v1/projects/${own.projectId}/memberships`, member);
    const loginMappings = [{ loginUser: 'deploy', allowedPrincipals: { usernames: [user.email], groups: [] } }];
    const wanted = { projectId: own.projectId, hostname: 'db.example.com', loginMappings };
    const { id, hostSshCaId, userSshCaId } = (await admin('POST', '/api/v1/ssh/hosts', wanted)).body;
    const theirs = commandLine({ COFFER_DOMAIN: own.url, COFFER_TOKEN: user.token });
    onTestFinished(() => theirs.remove());
    const path = join(theirs.home, '.ssh/known_hosts');
    const connect = async () => {
      const args = ['--hostname', 'db.example.com', '--out-file-path', '.', '--login-user', 'deploy'];
      expect((await theirs.run(['ssh', 'connect', ...args])).code).toBe(0);
      return readFileSync(path, 'utf8');
    };
    const now = async () => {
      const { body } = await own.test.app.inject(`/api/v1/ssh/hosts/${id}/host-ca-public-key`);
      return body.trim().split('\n');
    };
    const lineOf = (key: string) =>
      `@cert-authority db.example.com ${key.split(' ').slice(0, 2).join(' ')} coffer:${id}`;
    const [former] = await now();
    // Lines of others, and of the user, who has said more, or something for more hosts.
    const others = [
      `db.example.com ${former}`,
      `@cert-authority *.example.com ${former}`,
      `@cert-authority web.example.com ${former}`,
      `@cert-authority db.example.com ${former} my own`,
      '# a comment',
    ];
    mkdirSync(join(theirs.home, '.ssh'), { mode: 0o700 });
    // Those of an earlier release, and of a host that had the name before.
    const ours = [`@cert-authority db.example.com ${former}`, former, `${lineOf(former!)}0`];
    writeFileSync(path, [...others, ...ours, ''].join('\n'), { mode: 0o640 });
    expect(await connect()).toBe([...others, lineOf(former!), ''].join('\n'));
    expect(statSync(path).mode & 0o777).toBe(0o640);

    const rotate = (body: object) => admin('POST', `/api/v1/ssh/ca/${hostSshCaId}/rotate`, body);
    expect((await rotate({ overlap: '30d', signAfter: '1h' })).status).toBe(200);
    const both = await now();
    expect(both).toHaveLength(2);
    const during = await connect();
    expect(during.split('\n').toSorted()).toEqual([...others, ...both.map(lineOf), ''].toSorted());
    expect(await connect()).toBe(during);
    const added = [
      '--hostname',
      'new.example.com',
      '--write-user-ca-to-file',
      '--user-ca-out-file-path',
      'user_ca.pub',
    ];
    const administrator = own.administrator();
    const announced = { overlap: '30d', signAfter: '1h' };
    expect((await admin('POST', `/api/v1/ssh/ca/${userSshCaId}/rotate`, announced)).status).toBe(200);
    expect((await administrator.run(['ssh', 'add-host', ...added])).code).toBe(0);
    expect(readFileSync(join(administrator.home, 'user_ca.pub'), 'utf8').match(/^ssh-/gm)).toHaveLength(2);
    // The former keys are compromised.
    own.test.advance(2 * 3_600_000);
    expect((await rotate({ overlap: '1s' })).status).toBe(200);
    own.test.advance(60_000);
    const [last, ...more] = await now();
    expect([more, both.includes(last!)]).toEqual([[], false]);
    expect(await connect()).toBe([...others, lineOf(last!), ''].join('\n'));
  });

  it('takes no path, option or further line from a server for a name or a key', async () => {
    const key = readFileSync(join(cli.home, 'id_deploy.pub'), 'utf8').trim();
    const privateKey = readFileSync(join(cli.home, 'id_deploy'), 'utf8');
    const signedKey = readFileSync(join(cli.home, 'id_deploy-cert.pub'), 'utf8');
    const usual = { hostname: 'web.example.com', loginUser: 'deploy', privateKey, signedKey, authority: key };
    let says = usual;
    const server = createHttpServer((request, response) => {
      const answers: Record<string, object> = {
        listOwn: [
          {
            ...{ id: 'h', projectId: 'p', alias: 'web', hostname: says.hostname },
            loginMappings: [{ loginUser: says.loginUser }],
          },
        ],
        issueUserCert: { ...says, publicKey: key, serialNumber: '1' },
        hostCaPublicKey: { body: Buffer.from(says.authority).toString('base64'), contentType: 'text/plain' },
      };
      const { pathname, searchParams } = new URL(request.url!, 'http://server');
      const results = pathname
        .split('/')
        .at(-1)!
        .split(',')
        .map((name) => ({ result: { data: answers[name.split('.')[1]!] } }));
      response.setHeader('content-type', 'application/json');
      request.resume().on('end', () => response.end(JSON.stringify(searchParams.has('batch') ? results : results[0])));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const domain = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const theirs = commandLine({ COFFER_DOMAIN: domain, COFFER_TOKEN: 'x' });
    onTestFinished(() => theirs.remove());
    const connect = async (change: Partial<typeof usual>) => {
      says = { ...usual, ...change };
      const { code, stderr } = await theirs.run(['ssh', 'connect', '--hostname', 'web', '--out-file-path', 'out']);
      const known = join(theirs.home, '.ssh/known_hosts');
      return { code, stderr, known: existsSync(known) ? readFileSync(known, 'utf8') : '' };
    };
    mkdirSync(join(theirs.home, 'out/id_x'), { recursive: true });
    for (const change of [
      { hostname: 'x/../../.profile' },
      { hostname: '-oProxyCommand=id' },
      { hostname: '*' },
      { hostname: 'a b' },
      { loginUser: '-oProxyCommand=id' },
      { loginUser: 'a b' },
      { privateKey: 'echo evil\n' },
      { signedKey: 'echo evil' },
      { authority: `${key}\n@cert-authority * ${key}` },
    ]) {
      const refused = await connect(change);
      expect([change, refused]).toEqual([
        change,
        { code: 1, stderr: expect.stringMatching(/^error: The server (?:names|answered no)/), known: '' },
      ]);
    }
    expect(existsSync(join(theirs.home, '.profile'))).toBe(false);
    expect(await connect({})).toMatchObject({
      code: 0,
      known: `@cert-authority web.example.com ${key.split(' ', 2).join(' ')} coffer:h\n`,
    });
    expect(readFileSync(join(theirs.home, 'out/id_web.example.com'), 'utf8')).toBe(privateKey);
  });

  it.runIf(existsSync(SSHD))(
    'logs in at a real sshd that it has configured, and ends as the session does',
    async () => {
      const host = (name: string) => join(cli.home, 'sshd', name);
      mkdirSync(host('.'));
      spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', host('host_key')]);
      const added = await cli.run([
        ...['ssh', 'add-host', '--hostname', 'login.example.com', '--json'],
        ...['--write-user-ca-to-file', '--user-ca-out-file-path', host('user_ca.pub')],
        ...['--write-host-cert-to-file', '--host-key-path', host('host_key.pub')],
        ...['--configure-sshd', '--sshd-config-path', host('coffer.conf')],
      ]);
      const { id } = JSON.parse(added.stdout) as { id: string };
      const port = await freePort();
      const basics = ['ListenAddress 127.0.0.1', `Port ${port}`, 'PidFile none', 'StrictModes no', 'UsePAM no'];
      const login = ['KbdInteractiveAuthentication no', 'PasswordAuthentication no', `Include ${host('coffer.conf')}`];
      writeFileSync(host('sshd_config'), [...basics, ...login, ''].join('\n'));
      if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
      const sshd = spawn(SSHD, ['-D', '-e', '-f', host('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
      onTestFinished(() => void sshd.kill());
      let said = '';
      sshd.stderr.on('data', (part: Buffer) => (said += part.toString()));
      await expect.poll(() => said).toContain('Server listening');

      const user = await makeUser(at.test.coffer, { organizationId: at.test.organizationId });
      const member = { usernames: [user.email], emails: [], roleSlugs: ['no-access'] };
      await at.test.admin('POST', `/api/v1/projects/${at.projectId}/memberships`, member);
      const { username } = userInfo();
      const loginMappings = [{ loginUser: username, allowedPrincipals: { usernames: [user.email], groups: [] } }];
      await at.test.admin('PATCH', `/api/v1/ssh/hosts/${id}`, { loginMappings });
      const theirs = commandLine({ COFFER_DOMAIN: at.url, COFFER_TOKEN: user.token });
      onTestFinished(() => theirs.remove());
      const socket = join(theirs.home, 'agent');
      const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
      onTestFinished(() => void agent.kill());
      await once(agent.stdout, 'data');
      // The name leads to this machine and port; ssh looks for its files where the account has its home.
      mkdirSync(join(theirs.home, 'bin'));
      const options = {
        HostName: '127.0.0.1',
        Port: port,
        HostKeyAlias: 'login.example.com',
        UserKnownHostsFile: join(theirs.home, '.ssh/known_hosts'),
        GlobalKnownHostsFile: '/dev/null',
        StrictHostKeyChecking: 'yes',
      };
      const given = Object.entries(options).map(([name, value]) => `-o ${name}=${value}`);
      const wrapper = `#!/bin/sh\nexec /usr/bin/ssh -T -F none ${given.join(' ')} "$@"\n`;
      writeFileSync(join(theirs.home, 'bin/ssh'), wrapper, { mode: 0o755 });
      const session = await theirs.run(['ssh', 'connect', '--hostname', 'login.example.com'], {
        env: { SSH_AUTH_SOCK: socket, PATH: `${join(theirs.home, 'bin')}:${process.env['PATH']}` },
        input: 'echo "in as $(whoami)"; exit 7\n',
      });
      expect([session.code, session.stdout], session.stderr + said).toEqual([
        7,
        expect.stringContaining(`in as ${username}`),
      ]);
      expect(said).toContain(`ID user-${user.id}`);
    },
  );
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
