// @long: holds statements of many operations
import { renewSshHostCertificateJob, UpdateSshConfig, UpdateSshHost, UpdateSshHostGroup } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf, ok } from '../harness/certificates.ts';
import { HeldStatements } from '../harness/held-statement.ts';
import { groupUrl, hostUrl, issueUserCert, mapping, SshHosts, type Person } from '../harness/ssh-hosts.ts';
import { newPublicKey, SSH_CA, SSH_CERTIFICATES, SSH_TEMPLATES, SshProject } from '../harness/ssh.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

// An order of an SSH certificate waits while something changes by which it was checked: a setting of the host, of its group or
// of the project, the template, the authority. It is not stored.

let test: TestServer;
let held: HeldStatements;
let ssh: SshProject;
let hosts: SshHosts;
let eve: Person;
beforeAll(async () => {
  test = await testServer();
  held = new HeldStatements(test);
  ssh = await SshProject.in(test);
  hosts = new SshHosts(test, ssh.projectId);
  eve = await hosts.person();
});
afterAll(() => test.close());

interface Host {
  readonly id: string;
  readonly hostname: string;
  readonly userSshCaId: string;
  readonly hostSshCaId: string;
}
type Change = (host: Host, group: { id: string }) => Promise<unknown>;

const patch =
  (body: object): Change =>
  async (host) =>
    ok(await test.admin('PATCH', hostUrl(host), body));
const authority = async (): Promise<string> => (await ssh.authority()).id;
const config = () => `/api/v1/workspace/${ssh.projectId}/ssh-config`;
const disable = async (sshCaId: string) =>
  ok(await test.admin('PATCH', `${SSH_CA}/${sshCaId}`, { status: 'disabled' }));

const issued = async (hostId: string): Promise<number> => {
  const { rows } = await test.coffer.pool.query('select from ssh_certificates where ssh_host_id = $1', [hostId]);
  return rows.length;
};

/** A host in a group without settings. */
async function grouped(more: object = {}): Promise<{ host: Host; group: { id: string } }> {
  const host = await hosts.host({ loginMappings: [mapping('root', { users: [eve] })], ...more });
  const group = await hosts.hostGroup();
  await hosts.join(host, group);
  return { host, group };
}

const INSERT = /insert into ssh_certificates/;
const notIssued = [400, expect.stringContaining('in the meantime; try again')];
const outcome = ({ status, body }: Answer) => [status, body.message];

/** What a certificate for a host is by, with what a host issues by afterwards. */
const OF_USERS: readonly (readonly [what: string, change: Change])[] = [
  ['the TTL of the host', patch({ userCertTtl: '1m' })],
  ['its principal mode', patch({ principalMode: 'host-bound' })],
  ['its authority', async (host, group) => patch({ userSshCaId: await authority() })(host, group)],
  [
    'the principal mode of its group',
    async (_, group) => ok(await test.admin('PATCH', groupUrl(group), { principalMode: 'host-bound' })),
  ],
  [
    'the authority of its group',
    async (_, group) => ok(await test.admin('PATCH', groupUrl(group), { userSshCaId: await authority() })),
  ],
  [
    'its group',
    async (host) =>
      hosts.join(host, await hosts.hostGroup({ principalMode: 'host-bound', userSshCaId: await authority() })),
  ],
  [
    'the default authority of the project',
    async () => ok(await test.admin('PATCH', config(), { defaultUserSshCaId: await authority() })),
  ],
];
const OF_HOSTS: readonly (readonly [what: string, change: Change])[] = [
  ['the TTL of the host', patch({ hostCertTtl: '1d' })],
  ['its name', async (host, group) => patch({ hostname: `${nameOf('new')}.example.com` })(host, group)],
  ['its authority', async (host, group) => patch({ hostSshCaId: await authority() })(host, group)],
  [
    'the default authority of the project',
    async () => ok(await test.admin('PATCH', config(), { defaultHostSshCaId: await authority() })),
  ],
];

interface Template {
  readonly id: string;
  readonly sshCaId: string;
}
const patchTemplate =
  (body: object) =>
  async ({ id }: Template) =>
    ok(await test.admin('PATCH', `${SSH_TEMPLATES}/${id}`, body));
const BY_TEMPLATE: readonly (readonly [what: string, change: (template: Template) => Promise<unknown>])[] = [
  ['its TTL', patchTemplate({ ttl: '1m' })],
  ['its users', patchTemplate({ allowedUsers: ['deploy', 'root'] })],
  ['its critical options', patchTemplate({ defaultCriticalOptions: { 'force-command': 'date' } })],
  ['its extensions', patchTemplate({ defaultExtensions: {} })],
  ['its types', patchTemplate({ allowUserCertificates: false })],
  ['it was disabled', patchTemplate({ status: 'disabled' })],
  ['it was deleted', async ({ id }) => ok(await test.admin('DELETE', `${SSH_TEMPLATES}/${id}`))],
  ['its authority was disabled', async ({ sshCaId }) => disable(sshCaId)],
  ['its authority was deleted', async ({ sshCaId }) => ok(await test.admin('DELETE', `${SSH_CA}/${sshCaId}`))],
];

const issueHostCert = (host: Host, more: object = {}) =>
  test.admin('POST', hostUrl(host, '/issue-host-cert'), { publicKey: newPublicKey(), ...more });

describe('attack: an SSH order that waits', () => {
  it.each(OF_USERS)('brings no user certificate once this has changed: %s', async (_, change) => {
    const { host, group } = await grouped();
    const order = () => issueUserCert(eve.call, host, 'root');
    const answer = await held.during(INSERT, order, () => change(host, group), { isShared: true });
    expect(outcome(answer)).toEqual(notIssued);
    expect(await issued(host.id)).toBe(0);
    ok(await order());
  });

  it('brings no certificate of a host by an authority that was disabled', async () => {
    const sshCaId = await authority();
    const { host } = await grouped({ userSshCaId: sshCaId, hostSshCaId: sshCaId });
    const ofUser = () => issueUserCert(eve.call, host, 'root');
    expect(outcome(await held.during(INSERT, ofUser, () => disable(sshCaId), { isShared: true }))).toEqual(notIssued);
    ok(await test.admin('PATCH', `${SSH_CA}/${sshCaId}`, { status: 'active' }));
    expect(
      outcome(
        await held.during(
          INSERT,
          () => issueHostCert(host),
          () => disable(sshCaId),
        ),
      ),
    ).toEqual(notIssued);
    expect(await issued(host.id)).toBe(0);
  });

  it.each(BY_TEMPLATE)('brings no certificate by a template once this has changed: %s', async (_, change) => {
    const template = await ssh.template(await authority());
    for (const order of [() => ssh.issue(template.id), () => ssh.sign(template.id)]) {
      const answer = await held.during(INSERT, order, () => change(template), { isShared: true });
      expect(outcome(answer)).toEqual(notIssued);
      if ((await order()).status !== 200) return;
    }
  });

  it('brings a user certificate if nothing has changed that it is by', async () => {
    const { host, group } = await grouped({ userCertTtl: '8h' });
    const order = () => issueUserCert(eve.call, host, 'root');
    const others: Change[] = [
      patch({ hostname: `${nameOf('new')}.example.com`, hostCertTtl: '1d', userCertTtl: '8h' }),
      async () => hosts.join(host, await hosts.hostGroup()),
    ];
    for (const change of others) ok(await held.during(INSERT, order, () => change(host, group), { isShared: true }));
    expect(await issued(host.id)).toBe(others.length);
  });

  it.each(OF_HOSTS)('brings no host certificate once this has changed: %s', async (_, change) => {
    const { host, group } = await grouped();
    const order = () => issueHostCert(host);
    const answer = await held.during(/^select id from ssh_hosts .* for no key update$/, order, () =>
      change(host, group),
    );
    expect(outcome(answer)).toEqual(notIssued);
    expect(await issued(host.id)).toBe(0);
    ok(await order());
  });

  it('brings no host certificate for what has changed while it waited for a lock', async () => {
    const { host } = await grouped();
    const changing = await test.coffer.pool.connect();
    try {
      await changing.query('begin');
      await changing.query(`update ssh_hosts set host_cert_ttl = '1d' where id = $1`, [host.id]);
      const ordered = issueHostCert(host);
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await test.coffer.pool.query(waiting)).rowCount).toBe(1);
      await changing.query('commit');
      expect(outcome(await ordered)).toEqual(notIssued);
    } finally {
      changing.release();
    }
    expect(await issued(host.id)).toBe(0);
  });

  const serialOf = async (host: Host): Promise<string> => {
    const { rows } = await test.coffer.pool.query(
      `select serial_number::text as serial from ssh_certificates where ssh_host_id = $1 order by created_at desc limit 1`,
      [host.id],
    );
    return rows[0].serial;
  };
  const renewing: readonly (readonly [what: string, made: number, change: Change])[] = [
    ...OF_HOSTS.map(([what, change]) => [what, what === 'its name' ? 0 : 1, change] as const),
    [
      'its certificate was revoked',
      0,
      async (host) => ok(await test.admin('POST', `${SSH_CERTIFICATES}/${await serialOf(host)}/revoke`)),
    ],
    ['it has another key', 1, async (host) => ok(await issueHostCert(host))],
    ['it is renewed no more', 1, async (host) => ok(await issueHostCert(host, { autoRenewal: false }))],
    ['it was deleted', 0, async (host) => ok(await test.admin('DELETE', hostUrl(host)))],
  ];
  it.each(renewing)('renews no host certificate by what was before: %s', async (_, made, change) => {
    const { host, group } = await grouped({ hostCertTtl: '30d' });
    ok(await issueHostCert(host));
    await test.owner.query(
      `update ssh_certificates set not_before = not_before - interval '29 days', not_after = not_after - interval '29 days'
       where ssh_host_id = $1`,
      [host.id],
    );
    const { organizationId } = test;
    const platform = test.coffer.contextFor({ type: 'platform', organizationId });
    const renew = () => renewSshHostCertificateJob.run(platform, { organizationId, id: host.id }, {} as never);
    await held.during(/for no key update/, renew, () => change(host, group));
    expect(await issued(host.id)).toBe(1 + made);
  });

  it('is by no other settings', () => {
    const fields = (schema: { readonly shape: object }) => Object.keys(schema.shape).toSorted();
    // Neither an alias nor a change of the logins of others is in a certificate; its own login is asked with it.
    const [ref, names] = [['sshHostId'], ['alias', 'hostname', 'loginMappings']];
    const settings = ['hostCertTtl', 'hostSshCaId', 'principalMode', 'userCertTtl', 'userSshCaId'];
    expect(fields(UpdateSshHost)).toEqual([...ref, ...names, ...settings].toSorted());
    const ofGroups = ['sshHostGroupId', 'name', 'loginMappings', 'principalMode', 'userSshCaId'];
    expect(fields(UpdateSshHostGroup)).toEqual(ofGroups.toSorted());
    expect(fields(UpdateSshConfig)).toEqual(['defaultHostSshCaId', 'defaultUserSshCaId', 'projectId']);
  });
});
