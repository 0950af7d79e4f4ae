// @long: runs programs
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf, ok } from '../../harness/certificates.ts';
import { hostUrl, issueUserCert, mapping, SshHosts, type Person } from '../../harness/ssh-hosts.ts';
import { hasSshd, LOGIN_USER, Sshd, type ClientKey, type LoginAttempt } from '../../harness/sshd.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

// A real sshd with the configuration of the guide, and a real ssh. Certificates are issued for the user that runs the tests,
// the only one that an sshd without the rights of root can log in.

const GUIDE = readFileSync(new URL('../../../../../docs/ssh.md', import.meta.url), 'utf8');
/** The example of the guide that contains this text, as printed. */
const example = (text: string): string =>
  Array.from(GUIDE.matchAll(/```\w*\n(.*?)```/gs), ([, block]) => block!).find((block) => block.includes(text))!;
const CONFIGURATION = example('# sshd of hosts');
const HOST_BOUND = `${CONFIGURATION}${example('# sshd of host-bound hosts')}`;
const FETCH = example('user_ca.pub');
const PRINCIPALS = example('/principals/deploy').replaceAll('deploy', LOGIN_USER);
const CERTIFY = example('/issue-host-cert');

/** Of the login user by itself, and of a file of principals. */
const NOT_LISTED = /name is not a listed principal|does not contain an authorized principal/;

const HOUR = 3_600_000;

interface Server {
  readonly host: { id: string; hostname: string; userSshCaId: string; hostSshCaId: string };
  readonly sshd: Sshd;
}

/** Runs `work` as if it were some time ago; sshd has the clock of the machine. */
async function earlier<T>(test: TestServer, milliseconds: number, work: () => Promise<T>): Promise<T> {
  test.advance(-milliseconds);
  try {
    return await work();
  } finally {
    test.advance(milliseconds);
  }
}

describe.runIf(hasSshd || process.env['CI'])('a real sshd', () => {
  let test: TestServer;
  let ssh: SshHosts;
  let ann: Person;
  let url: string;
  let knownHosts: string;
  /** That of most tests, in the mode login-user. */
  let server: Server;
  const servers: Server[] = [];
  beforeAll(async () => {
    test = await testServer();
    ssh = await SshHosts.in(test);
    ann = await ssh.person();
    url = await test.app.listen({ port: 0, host: '127.0.0.1' });
    server = await serve(mapped());
    knownHosts = `@cert-authority *.example.com ${await text(hostUrl(server.host, '/host-ca-public-key'))}`;
  });
  afterAll(async () => {
    await Promise.all(servers.map(({ sshd }) => sshd.stop()));
    await test.close();
  });

  const text = async (path: string): Promise<string> => ok(await test.as()('GET', path));
  const run = async (script: string, more: Record<string, string> = {}): Promise<string> => {
    const env = { PATH: process.env['PATH'], COFFER: url, TOKEN: test.adminIdentity.token, PROJECT: ssh.projectId };
    const args = ['-euo', 'pipefail', '-c', script];
    return (await promisify(execFile)('bash', args, { env: { ...env, ...more }, timeout: 60_000 })).stdout;
  };
  const krl = async (sshCaId: string): Promise<Buffer> =>
    (await test.app.inject({ url: `/api/v1/ssh/ca/${sshCaId}/krl` })).rawPayload;

  /** Registers a host and starts its sshd, as the guide says. */
  async function serve(more: object = {}, group?: { id: string }): Promise<Server> {
    const made = await ssh.host({ hostname: `${nameOf('db')}.example.com`, ...more });
    if (group) await ssh.join(made, group);
    const host = ok(await test.admin('GET', hostUrl(made)));
    const isBound = host.principalMode === 'host-bound';
    const script = [FETCH, ...(isBound ? [PRINCIPALS] : []), CERTIFY].join('\n');
    const sshd = await Sshd.start(isBound ? HOST_BOUND : CONFIGURATION, (directory) =>
      run(script.replaceAll('/etc/ssh/', `${directory}/`), { HOST: host.id, USER_CA: host.userSshCaId }),
    );
    servers.push({ host, sshd });
    return servers.at(-1)!;
  }
  const mapped = () => ({ loginMappings: [LOGIN_USER, 'another'].map((name) => mapping(name, { users: [ann] })) });
  const keyFor = async ({ host }: Server, loginUser = LOGIN_USER): Promise<ClientKey> =>
    ok(await issueUserCert(ann.call, host, loginUser));
  const logIn = ({ host, sshd }: Server, key: ClientKey, more: object = {}): Promise<LoginAttempt> =>
    sshd.logIn(key, { hostname: host.hostname, knownHosts, ...more });
  const expectIn = ({ code, output, log }: LoginAttempt) => {
    expect([code, output.trim()], log).toEqual([0, `logged in as ${LOGIN_USER}`]);
  };
  const expectOut = ({ code, output, log }: LoginAttempt, why: string | RegExp) => {
    expect([code, output], log).toEqual([255, expect.stringContaining('Permission denied')]);
    expect(log).toMatch(why);
  };

  it('is registered as the guide says', async () => {
    await ssh.add(await makeUser(test.coffer, { organizationId: test.organizationId, email: 'ann@example.com' }));
    const group = ok(await test.admin('POST', '/api/v1/groups', { name: 'Databases', slug: 'database-team' }));
    const path = `/api/v1/projects/${ssh.projectId}/memberships/groups/${group.id}`;
    ok(await test.admin('POST', path, { role: 'no-access' }));
    expect(JSON.parse(await run(example('"hostname": "db1.example.com"')))).toMatchObject({
      hostname: 'db1.example.com',
      loginMappings: [
        { loginUser: 'deploy', allowedPrincipals: { usernames: ['ann@example.com'], groups: ['database-team'] } },
      ],
    });
  });

  it('accepts a certificate for its login user, and logs whose it is', async () => {
    const attempt = await logIn(server, await keyFor(server));
    expectIn(attempt);
    expect(attempt.log).toContain(`ID user-${ann.id} ${ann.email}`);
  });

  it('rejects a certificate for another login user', async () => {
    expectOut(await logIn(server, await keyFor(server, 'another')), NOT_LISTED);
  });

  it('rejects a certificate that has expired', async () => {
    const key = await earlier(test, 9 * HOUR, () => keyFor(server));
    expectOut(await logIn(server, key), 'Certificate invalid: expired');
  });

  it('rejects a certificate that is revoked', async () => {
    const { serialNumber, ...key } = ok(await issueUserCert(ann.call, server.host, LOGIN_USER));
    expectIn(await logIn(server, key));
    ok(await test.admin('POST', `/api/v1/ssh/certificates/${serialNumber}/revoke`));
    server.sshd.write('coffer/revoked.krl', await krl(server.host.userSshCaId));
    expectOut(await logIn(server, key), 'revoked by file');
    expectIn(await logIn(server, await keyFor(server)));
  });

  it('rejects a certificate from another address than it is for', async () => {
    const template = ok(
      await test.admin('POST', '/api/v1/ssh/certificate-templates', {
        sshCaId: server.host.userSshCaId,
        name: nameOf('template'),
        allowedUsers: [LOGIN_USER],
        allowedHosts: [],
        allowUserCertificates: true,
        allowHostCertificates: false,
        allowCustomKeyIds: false,
        allowedCriticalOptions: ['source-address'],
      }),
    );
    const from = async (address: string): Promise<ClientKey> =>
      ok(
        await test.admin('POST', '/api/v1/ssh/certificates/issue', {
          certificateTemplateId: template.id,
          principals: [LOGIN_USER],
          criticalOptions: { 'source-address': address },
        }),
      );
    expectIn(await logIn(server, await from('127.0.0.0/8')));
    expectOut(await logIn(server, await from('192.0.2.0/24')), 'not from a permitted source address');
  });

  it('in the mode login-user accepts the certificates of all hosts of its authority', async () => {
    expectIn(await logIn(await serve(), await keyFor(server)));
  });

  it('in the mode host-bound accepts none of other hosts', async () => {
    const more = { principalMode: 'host-bound', ...mapped() };
    const [own, other] = [await serve(more), await serve(more)];
    expectIn(await logIn(own, await keyFor(own)));
    expectOut(await logIn(own, await keyFor(other)), NOT_LISTED);
    expectOut(await logIn(own, await keyFor(server)), NOT_LISTED);
    expectOut(await logIn(server, await keyFor(own)), NOT_LISTED);
  });

  it('in a host group with an authority of its own accepts no certificates from outside of the group', async () => {
    const { ca } = ok(
      await test.admin('POST', '/api/v1/ssh/ca', { projectId: ssh.projectId, friendlyName: 'of the group' }),
    );
    const group = await ssh.hostGroup({ userSshCaId: ca.id, ...mapped() });
    const inside = await serve({}, group);
    const key = await keyFor(inside);
    expectIn(await logIn(inside, key));
    expectOut(await logIn(server, key), /is not listed|Failed publickey/);
    expectOut(await logIn(inside, await keyFor(server)), /is not listed|Failed publickey/);
    const second = await serve({}, group);
    expectIn(await logIn(second, key));
  });

  it('is known by its host certificate, which clients reject when it has expired, and for another name', async () => {
    const key = await keyFor(server);
    const expectUnknown = async (more: object, of = server) =>
      expect((await logIn(of, key, more)).output).toContain('Host key verification failed');
    await expectUnknown({ hostname: 'other.example.com' });
    await expectUnknown({ knownHosts: knownHosts.replace('example.com', 'example.net') });
    await expectUnknown({}, await earlier(test, 48 * HOUR, () => serve({ hostCertTtl: '1d' })));
  });

  it('is not known any more by a host certificate that is revoked, to clients that have the list', async () => {
    const { sshd, host } = await serve(mapped());
    const key = await keyFor({ sshd, host });
    const { hostSshCaId } = host;
    const attempt = async () => logIn({ sshd, host }, key, { revokedHosts: await krl(hostSshCaId) });
    expectIn(await attempt());
    const { certificates } = ok(await test.admin('GET', `/api/v2/workspace/${ssh.projectId}/ssh-certificates`));
    const isIts = (one: { sshHostId: string; certType: string }) =>
      one.sshHostId === host.id && one.certType === 'host';
    ok(await test.admin('POST', `/api/v1/ssh/certificates/${certificates.find(isIts).serialNumber}/revoke`));
    expect((await attempt()).output).toContain('Host key verification failed');
  });

  it('accepts both keys of an authority while it is rotated', async () => {
    const before = await keyFor(server);
    ok(await test.admin('POST', `/api/v1/ssh/ca/${server.host.userSshCaId}/rotate`, { overlap: '1d' }));
    const keys = await text(hostUrl(server.host, '/user-ca-public-key'));
    expect(keys.trim().split('\n')).toHaveLength(2);
    server.sshd.write('coffer/user_ca.pub', keys);
    expectIn(await logIn(server, before));
    expectIn(await logIn(server, await keyFor(server)));
  });
});
