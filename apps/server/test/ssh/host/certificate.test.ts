import { enqueueDueSshHostCertificates, lostSshCertificates, renewSshHostCertificateJob } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, nameOf, ok } from '../../harness/certificates.ts';
import { openssl } from '../../harness/openssl.ts';
import {
  endLogins,
  groupUrl,
  HOSTS,
  hostUrl,
  issueUserCert,
  mapping,
  onHosts,
  SshHosts,
  type Person,
} from '../../harness/ssh-hosts.ts';
import { newPublicKey, SSH_CA } from '../../harness/ssh.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let ssh: SshHosts;
let ann: Person;
beforeAll(async () => {
  test = await testServer();
  ssh = await SshHosts.in(test);
  ann = await ssh.person();
});
afterAll(() => test.close());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const config = () => `/api/v1/workspace/${ssh.projectId}/ssh-config`;
/** What `ssh-keygen -L` says of a certificate. */
const shown = (line: string): string => openssl(['-L', '-f', 'c.pub'], { 'c.pub': line }, 'ssh-keygen').text;
const issueHostCert = (host: { id: string }, more: object = {}, call = test.admin) =>
  call('POST', hostUrl(host, '/issue-host-cert'), { publicKey: newPublicKey(), ...more });
const current = (host: { id: string }) => test.as()('GET', hostUrl(host, '/host-certificate'));
const isRevoked = async (serialNumber: string): Promise<boolean> =>
  ok(await test.admin('GET', `/api/v1/ssh/certificates/${serialNumber}`)).certificate.revokedAt !== null;
/** Waits until somebody waits for a lock of this connection. */
async function waiting(holder: { query(text: string): Promise<{ rows: { is: boolean }[] }> }): Promise<void> {
  const is =
    'select exists (select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))) as is';
  while (!(await holder.query(is)).rows[0]!.is) await new Promise((done) => setTimeout(done, 5));
}
/** Runs the jobs that are due for the organization. */
async function renew(host: { id: string }): Promise<void> {
  const platform = test.coffer.contextFor({ type: 'platform', organizationId: test.organizationId });
  await enqueueDueSshHostCertificates(platform);
  await renewSshHostCertificateJob.run(platform, { organizationId: test.organizationId, id: host.id }, {} as never);
}

describe('a user certificate for a host', () => {
  it('names the login user or the host, lives as long as the host says, and is listed with the others', async () => {
    const loginMappings = [mapping('deploy', { users: [ann] })];
    const host = await ssh.host({ loginMappings, userCertTtl: '30m' });
    const issued = ok(await issueUserCert(ann.call, host, 'deploy'));
    expect(issued).toEqual({
      serialNumber: expect.stringMatching(/^\d+$/),
      signedKey: expect.stringMatching(/^ssh-ed25519-cert-v01@openssh\.com /),
      privateKey: expect.stringContaining('BEGIN OPENSSH PRIVATE KEY'),
      publicKey: expect.stringMatching(/^ssh-ed25519 /),
      keyAlgorithm: 'ED25519',
    });
    expect(shown(issued.signedKey)).toMatch(/user certificate[^]*Principals: \n\s+deploy\n[^]*permit-pty/);
    ok(await test.admin('PATCH', hostUrl(host), { principalMode: 'host-bound' }));
    const bound = ok(await issueUserCert(ann.call, host, 'deploy'));
    expect(shown(bound.signedKey)).toContain(`Principals: \n                host:${host.id}:deploy\n`);
    const { certificates } = ok(await test.admin('GET', `/api/v2/workspace/${ssh.projectId}/ssh-certificates`));
    const listed = certificates.find((one: { serialNumber: string }) => one.serialNumber === issued.serialNumber);
    expect(listed).toMatchObject({ sshHostId: host.id, sshCaId: host.userSshCaId, principals: ['deploy'] });
    expect(new Date(listed.notAfter).getTime() - new Date(listed.createdAt).getTime()).toBeLessThanOrEqual(1_800_000);
    expect(await eventsOf(test, { serialNumber: issued.serialNumber })).toEqual(['ssh_certificate.issued']);
  });

  it('is revoked with its host', async () => {
    const host = await ssh.host({ loginMappings: [mapping('deploy', { users: [ann] })] });
    const { serialNumber } = ok(await issueUserCert(ann.call, host, 'deploy'));
    expect(await isRevoked(serialNumber)).toBe(false);
    ok(await test.admin('DELETE', hostUrl(host)));
    expect(await isRevoked(serialNumber)).toBe(true);
    expect(await eventsOf(test, { serialNumber })).toEqual(['ssh_certificate.issued', 'ssh_certificate.revoked']);
  });

  it('is revoked in parts if there are many of its host', async () => {
    const host = await ssh.host({ loginMappings: [mapping('deploy', { users: [ann] })] });
    ok(await issueUserCert(ann.call, host, 'deploy'));
    const columns = `organization_id, project_id, ca_id, ca_key_id, ssh_host_id, cert_type, principals, key_id, key_algorithm,
      critical_options, extensions, not_before, not_after, body, created_at, actor_id`;
    await test.owner.query(
      `insert into ssh_certificates (id, serial_number, ${columns}) select gen_random_uuid(), n, ${columns}
       from ssh_certificates, generate_series(1, 2500) n where ssh_host_id = $1`,
      [host.id],
    );
    const unrevoked = async () => {
      const { rows } = await test.owner.query(
        'select count(*)::integer as count from ssh_certificates where ssh_host_id = $1 and revoked_at is null',
        [host.id],
      );
      return rows[0].count;
    };
    ok(await test.admin('DELETE', hostUrl(host)));
    expect(await unrevoked()).toBe(1501);
    const platform = test.coffer.contextFor({ type: 'platform', organizationId: test.organizationId });
    const lost = { organizationId: test.organizationId, sshHostId: host.id };
    await lostSshCertificates.run(platform, lost, {} as never);
    expect(await unrevoked()).toBe(0);
  });

  interface Login {
    readonly person: Person;
    readonly host: { id: string };
    readonly team: { id: string };
    readonly hostGroup: { id: string };
  }
  const ways: [way: string, end: (login: Login) => Promise<unknown>][] = [
    ['its mapping', ({ hostGroup }) => test.admin('PATCH', groupUrl(hostGroup), { loginMappings: [] })],
    ['its host group', ({ hostGroup, host }) => test.admin('DELETE', groupUrl(hostGroup, `/hosts/${host.id}`))],
    ['the user group', ({ team, person }) => test.admin('DELETE', `/api/v1/groups/${team.id}/users/${person.email}`)],
    [
      'the membership of the group',
      ({ team }) => test.admin('DELETE', `/api/v1/projects/${ssh.projectId}/memberships/groups/${team.id}`),
    ],
    [
      'the account',
      async ({ person }) => {
        const all = `/api/v2/organizations/${test.organizationId}/memberships`;
        const { users } = ok(await test.admin('GET', `/api/v1/organization/${test.organizationId}/users`));
        const { id } = users.find((one: { user: { id: string } }) => one.user.id === person.id);
        ok(await test.admin('PATCH', `${all}/${id}`, { isActive: false }));
      },
    ],
  ];
  it.each(ways)('is revoked within a minute after its login has ended: by %s', async (_, end) => {
    const [person, other] = [await ssh.person({ isOutside: true }), await ssh.person()];
    const team = await ssh.group(person);
    const hostGroup = await ssh.hostGroup({ loginMappings: [mapping('deploy', { groups: [team] })] });
    const host = await ssh.host({
      principalMode: 'host-bound',
      loginMappings: [mapping('deploy', { users: [other] })],
    });
    await ssh.join(host, hostGroup);
    const issued = [person, other].map(async ({ call }) => ok(await issueUserCert(call, host, 'deploy')).serialNumber);
    const whichAre = async () => Promise.all(issued.map(async (serial) => isRevoked(await serial)));
    await Promise.all(issued);
    await endLogins(test, test.organizationId);
    expect(await whichAre()).toEqual([false, false]);
    await end({ person, host, team, hostGroup });
    await endLogins(test, test.organizationId);
    expect(await whichAre()).toEqual([true, false]);
    expect(await eventsOf(test, { serialNumber: (await issued[0])! })).toEqual([
      'ssh_certificate.issued',
      'ssh_certificate.revoked',
    ]);
  });

  it('is revoked together with those of other logins that have ended', async () => {
    const host = await ssh.host({ loginMappings: [mapping('deploy', { users: [ann] })] });
    const { serialNumber } = ok(await issueUserCert(ann.call, host, 'deploy'));
    const { pool } = test.coffer;
    await pool.query(
      `insert into ssh_certificates select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
         'serial_number', 5000000 + n, 'principals', array['former-' || n],
         'actor_id', case when n > 1 then c.actor_id end))).*
       from ssh_certificates c, generate_series(1, 30) n where c.serial_number = $1`,
      [serialNumber],
    );
    await endLogins(test, test.organizationId);
    const { rows } = await pool.query(
      `select count(*)::int as revoked, count(distinct txid)::int as transactions from audit_events
       where type = 'ssh_certificate.revoked' and data ->> 'sshHostId' = $1`,
      [host.id],
    );
    expect(rows).toEqual([{ revoked: 30, transactions: 1 }]);
    expect(await isRevoked(serialNumber)).toBe(false);
  });

  it('is revoked after its login has ended, whatever the certificates of another organization wait for', async () => {
    const others = await test.foreign();
    const { project } = ok(await others.call('POST', '/api/v1/projects', { projectName: 'Others' }));
    const bob = await makeUser(test.coffer, { organizationId: others.organizationId });
    const memberships = { usernames: [bob.email], emails: [], roleSlugs: ['no-access'] };
    ok(await others.call('POST', `/api/v1/projects/${project.id}/memberships`, memberships));
    const theirs = ok(
      await others.call('POST', HOSTS, {
        projectId: project.id,
        hostname: 'others.example.com',
        loginMappings: [mapping('deploy', { users: [bob] })],
      }),
    );
    const ours = await ssh.host({ loginMappings: [mapping('deploy', { users: [ann] })] });
    const held = ok(await issueUserCert(test.as(bob.token), theirs, 'deploy'));
    const { serialNumber } = ok(await issueUserCert(ann.call, ours, 'deploy'));
    ok(await others.call('PATCH', hostUrl(theirs), { loginMappings: [] }));
    ok(await test.admin('PATCH', hostUrl(ours), { loginMappings: [] }));
    const holder = await test.owner.connect();
    try {
      await holder.query('begin');
      await holder.query('select from ssh_certificates where serial_number = $1 for update', [held.serialNumber]);
      await endLogins(test, test.organizationId);
      expect(await isRevoked(serialNumber)).toBe(true);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    await endLogins(test, others.organizationId);
    const { certificate } = ok(await others.call('GET', `/api/v1/ssh/certificates/${held.serialNumber}`));
    expect(certificate.revokedAt).not.toBeNull();
  });

  it.each([
    ['principal mode', { principalMode: 'host-bound' }],
    ['user authority', undefined],
  ] as const)('is revoked within a minute after its host has another %s', async (_, change) => {
    const host = await ssh.host({ loginMappings: [mapping('deploy', { users: [ann] })] });
    const { serialNumber } = ok(await issueUserCert(ann.call, host, 'deploy'));
    const authority = { projectId: ssh.projectId, friendlyName: 'next' };
    const { ca } = ok(await test.admin('POST', '/api/v1/ssh/ca', authority));
    ok(await test.admin('PATCH', hostUrl(host), change ?? { userSshCaId: ca.id }));
    await endLogins(test, test.organizationId);
    expect(await isRevoked(serialNumber)).toBe(true);
    const { serialNumber: next } = ok(await issueUserCert(ann.call, host, 'deploy'));
    await endLogins(test, test.organizationId);
    expect(await isRevoked(next)).toBe(false);
  });

  it('is not issued by a disabled authority', async () => {
    const { ca } = ok(await test.admin('POST', '/api/v1/ssh/ca', { projectId: ssh.projectId, friendlyName: 'off' }));
    const host = await ssh.host({ userSshCaId: ca.id, loginMappings: [mapping('deploy', { users: [ann] })] });
    ok(await test.admin('PATCH', `/api/v1/ssh/ca/${ca.id}`, { status: 'disabled' }));
    expect((await issueUserCert(ann.call, host, 'deploy')).status).toBe(400);
    // It has a host, so that it cannot be deleted either.
    const { status, body } = await test.admin('DELETE', `/api/v1/ssh/ca/${ca.id}`);
    expect([status, body.message]).toEqual([400, expect.stringContaining('SSH hosts have this')]);
  });
});

describe('a host certificate', () => {
  it('has the hostname as its only principal, and takes the right to issue it for that name', async () => {
    const host = await ssh.host({ hostname: 'one.dev.example.com' });
    const { call } = await ssh.who(onHosts('issue-host-cert', '*.prod.example.com'));
    expect((await issueHostCert(host, {}, call)).status).toBe(403);
    const { call: bootstrapper } = await test.identity({
      projectId: ssh.projectId,
      projectRole: 'ssh-host-bootstrapper',
    });
    const { signedKey } = ok(await issueHostCert(host, {}, bootstrapper));
    expect(shown(signedKey)).toMatch(
      /host certificate[^]*Principals: \n\s+one\.dev\.example\.com\n\s+Critical Options: \(none\)/,
    );
    const { body, headers } = await current(host);
    expect(body.trim().split(' ')[1]).toBe(signedKey.split(' ')[1]);
    const known = { 'if-none-match': String(headers['etag']) };
    expect((await test.as()('GET', hostUrl(host, '/host-certificate'), undefined, known)).status).toBe(304);
  });

  it.each([['no key'], ['ssh-ed25519 AAAA'], ['ecdsa-sha2-nistp521 AAAA']])('is refused for %s', async (given) => {
    expect((await issueHostCert(await ssh.host(), { publicKey: given })).status).toBe(400);
  });

  it('is renewed for the same key in the last third of its time', async () => {
    const host = await ssh.host({ hostCertTtl: '30d' });
    const { signedKey } = ok(await issueHostCert(host));
    const isFirst = async () => (await current(host)).body.trim().split(' ')[1] === signedKey.split(' ')[1];
    await renew(host);
    expect(await isFirst()).toBe(true);
    test.advance(21 * DAY);
    await renew(host);
    expect(await isFirst()).toBe(false);
    const keyOf = (line: string) => /Public key: (.*)/.exec(shown(line))![1];
    expect(keyOf((await current(host)).body)).toBe(keyOf(signedKey));
  });

  it('is renewed once another key of its authority signs', async () => {
    const own = await SshHosts.in(test);
    const host = await own.host();
    const { signedKey } = ok(await issueHostCert(host));
    const isFirst = async () => (await current(host)).body.trim().split(' ')[1] === signedKey.split(' ')[1];
    ok(await test.admin('POST', `${SSH_CA}/${host.hostSshCaId}/rotate`, { signAfter: '1h' }));
    await renew(host);
    expect(await isFirst()).toBe(true);
    test.advance(2 * HOUR);
    await renew(host);
    expect(await isFirst()).toBe(false);
    const [second] = (await current(host)).body.split('\n');
    await renew(host);
    expect((await current(host)).body).toContain(second);
  });

  it('is revoked when its host gets another name, with those before it', async () => {
    const person = await ssh.person();
    const host = await ssh.host({ loginMappings: [mapping('deploy', { users: [person] })] });
    const former = [ok(await issueHostCert(host)).serialNumber, ok(await issueHostCert(host)).serialNumber];
    const { serialNumber: ofUser } = ok(await issueUserCert(person.call, host, 'deploy'));
    ok(await test.admin('PATCH', hostUrl(host), { alias: nameOf('short') }));
    expect(await Promise.all(former.map(isRevoked))).toEqual([false, false]);
    ok(await test.admin('PATCH', hostUrl(host), { hostname: `${nameOf('new')}.example.com` }));
    expect(await Promise.all(former.map(isRevoked))).toEqual([true, true]);
    expect((await current(host)).status).toBe(404);
    const { serialNumber } = ok(await issueHostCert(host));
    expect([await isRevoked(serialNumber), await isRevoked(ofUser)]).toEqual([false, false]);
  });

  it('is not issued for a name that the host has lost in the meantime', async () => {
    const host = await ssh.host();
    const renaming = await test.coffer.pool.connect();
    try {
      await renaming.query('begin');
      await renaming.query('update ssh_hosts set hostname = $2 where id = $1', [
        host.id,
        `${nameOf('new')}.example.com`,
      ]);
      const issuing = issueHostCert(host);
      await waiting(renaming);
      await renaming.query('commit');
      const { status, body } = await issuing;
      expect([status, body.message]).toEqual([400, expect.stringContaining('renamed or deleted in the meantime')]);
    } finally {
      renaming.release();
    }
    expect((await current(host)).status).toBe(404);
  });

  it.each<[string, boolean]>([
    ['renewed by itself', true],
    ['renewed by nobody', false],
  ])('that is %s has a successor for another key by the right to edit the host', async (_, autoRenewal) => {
    const issuing = onHosts(['read', 'create', 'issue-host-cert']);
    const { call } = await ssh.who(issuing);
    const { call: editor } = await ssh.who(issuing, onHosts('edit'));
    const host = ok(await call('POST', '/api/v1/ssh/hosts', ssh.wanted()));
    const publicKey = newPublicKey();
    ok(await issueHostCert(host, { publicKey, autoRenewal }, call));
    ok(await issueHostCert(host, { publicKey, autoRenewal }, call));
    for (const renewed of [true, false])
      expect((await issueHostCert(host, { autoRenewal: renewed }, call)).body).toMatchObject({
        statusCode: 403,
        error: 'PermissionDenied',
      });
    const ending = await issueHostCert(host, { publicKey, autoRenewal: false }, call);
    expect(ending.status).toBe(autoRenewal ? 403 : 200);
    const { serialNumber } = ok(await issueHostCert(host, {}, editor));
    // Nobody has a certificate that is revoked.
    ok(await test.admin('POST', `/api/v1/ssh/certificates/${serialNumber}/revoke`));
    ok(await issueHostCert(host, {}, call));
  });

  const ended: [what: string, end: (host: { id: string }, serialNumber: string) => Promise<unknown>, more?: object][] =
    [
      ['it was issued without renewal', async () => undefined, { autoRenewal: false }],
      [
        'the host has another name',
        (host) => test.admin('PATCH', hostUrl(host), { hostname: `${nameOf('new')}.example.com` }),
      ],
      ['it was revoked', (_, serial) => test.admin('POST', `/api/v1/ssh/certificates/${serial}/revoke`)],
    ];
  it.each(ended)('is not renewed if %s', async (_, end, more = {}) => {
    const host = await ssh.host({ hostCertTtl: '30d' });
    const { serialNumber } = ok(await issueHostCert(host, more));
    await end(host, serialNumber);
    test.advance(29 * DAY);
    await renew(host);
    const { rows } = await test.coffer.pool.query('select from ssh_certificates where ssh_host_id = $1', [host.id]);
    expect(rows).toHaveLength(1);
  });
});

describe('the SSH settings of a project', () => {
  it('are the authorities of hosts without their own, whose keys everybody may read', async () => {
    const host = await ssh.host();
    const settings = ok(await test.admin('GET', config()));
    expect(settings).toMatchObject({ defaultUserSshCaId: host.userSshCaId, defaultHostSshCaId: host.hostSshCaId });
    const { ca } = ok(await test.admin('POST', '/api/v1/ssh/ca', { projectId: ssh.projectId, friendlyName: 'new' }));
    ok(await test.admin('PATCH', config(), { defaultUserSshCaId: ca.id }));
    expect(ok(await test.admin('GET', hostUrl(host))).userSshCaId).toBe(ca.id);
    expect(ok(await test.as()('GET', hostUrl(host, '/user-ca-public-key')))).toBe(`${ca.publicKey}\n`);
    expect(ok(await test.as()('GET', hostUrl(host, '/host-ca-public-key')))).toMatch(/^ssh-ed25519 /);
    ok(await test.admin('PATCH', config(), { defaultUserSshCaId: settings.defaultUserSshCaId }));
  });

  it('take the rights to edit them, the authority, and the hosts that accept it then', async () => {
    const of = await SshHosts.in(test);
    const loginMappings = [mapping('root', { groups: [await of.group()] })];
    await of.host({ loginMappings });
    const url = `/api/v1/workspace/${of.projectId}/ssh-config`;
    const { ca } = ok(await test.admin('POST', '/api/v1/ssh/ca', { projectId: of.projectId, friendlyName: 'other' }));
    await of.host({ userSshCaId: ca.id, loginMappings: [mapping('admin', { groups: [await of.group()] })] });
    const rules: object[] = [];
    for (const next of [
      { subject: 'settings', action: ['read', 'edit'] },
      { subject: 'ssh-certificate-authorities', action: 'edit' },
      onHosts('edit'),
    ]) {
      const { call } = await of.who(...rules);
      expect((await call('PATCH', url, { defaultUserSshCaId: ca.id })).status).toBe(403);
      rules.push(next);
    }
    const { call } = await of.who(...rules);
    ok(await call('PATCH', url, { defaultUserSshCaId: ca.id }));
    const elsewhere = ok(
      await test.admin('POST', '/api/v1/ssh/ca', { projectId: ssh.projectId, friendlyName: 'far' }),
    ).ca;
    expect((await test.admin('PATCH', url, { defaultUserSshCaId: elsewhere.id })).status).toBe(404);
  });
});
