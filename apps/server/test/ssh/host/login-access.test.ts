import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../harness/certificates.ts';
import { groupUrl, hostUrl, mapping, onHosts, SshHosts, type Person } from '../../harness/ssh-hosts.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../../harness/test-server.ts';

// One project: `web` and `db` share an authority, `vault` is bound to its name. `ops` may log in everywhere by a host group.

let test: TestServer;
let ssh: SshHosts;
let ann: Person;
let bob: Person;
let ops: { id: string; slug: string };
let servers: { id: string; name: string };
let web: { id: string };
let db: { id: string };
let vault: { id: string };
beforeAll(async () => {
  test = await testServer();
  ssh = await SshHosts.in(test);
  [ann, bob] = [await ssh.person(), await ssh.person({ isOutside: true })];
  ops = await ssh.group(bob);
  servers = await ssh.hostGroup({ name: 'servers', loginMappings: [mapping('root', { groups: [ops] })] });
  web = await ssh.host({ hostname: 'web.example.com', loginMappings: [mapping('deploy', { users: [ann] })] });
  db = await ssh.host({ hostname: 'db.example.com' });
  vault = await ssh.host({ hostname: 'vault.example.com', principalMode: 'host-bound' });
  await ssh.join(web, servers);
  await ssh.join(vault, servers);
});
afterAll(() => test.close());

const asked = (query: Record<string, string>, call: Caller = test.admin): Promise<Answer> =>
  call('GET', `/api/v1/projects/${ssh.projectId}/access/ssh-logins?${new URLSearchParams(query).toString()}`);

interface Login {
  host: { hostname: string };
  loginUser: string;
  actor: { username: string };
  grants: { hostGroup: { name: string } | null; group: { slug: string } | null }[];
  otherHosts: { hostname: string }[];
}
/** `deploy@web.example.com ann: host` */
const told = ({ logins }: { logins: Login[] }): string[] =>
  logins.map(({ host, loginUser, actor, grants, otherHosts }) => {
    const who = actor.username === ann.email ? 'ann' : 'bob';
    const why = [
      ...grants.map(({ hostGroup, group }) => `${hostGroup?.name ?? 'host'}${group ? ` of ${group.slug}` : ''}`),
      ...otherHosts.map(({ hostname }) => `as ${hostname}`),
    ];
    return `${loginUser}@${host.hostname} ${who}: ${why.join(', ')}`;
  });

describe('who may log in', () => {
  it('is listed for a host, with the mapping, the host group and the group that let them', async () => {
    expect(told(ok(await asked({ sshHostId: web.id })))).toEqual([
      'deploy@web.example.com ann: host',
      `root@web.example.com bob: servers of ${ops.slug}`,
    ]);
    expect(told(ok(await asked({ sshHostId: vault.id })))).toEqual([
      `root@vault.example.com bob: servers of ${ops.slug}`,
    ]);
  });

  it('includes those whose certificates for other hosts of the same authority open the host', async () => {
    expect(told(ok(await asked({ sshHostId: db.id })))).toEqual([
      'deploy@db.example.com ann: as web.example.com',
      'root@db.example.com bob: as web.example.com',
    ]);
  });

  it('is listed for a user, a login user, and all hosts, by pages', async () => {
    expect(told(ok(await asked({ userId: ann.id })))).toEqual([
      'deploy@db.example.com ann: as web.example.com',
      'deploy@web.example.com ann: host',
    ]);
    expect(ok(await asked({ identityId: ann.id })).totalCount).toBe(0);
    expect(ok(await asked({ loginUser: 'root' })).totalCount).toBe(3);
    const page = ok(await asked({ offset: '1', limit: '2' }));
    expect([page.totalCount, told(page).map((one) => one.split(' ')[0])]).toEqual([
      5,
      ['root@db.example.com', 'root@vault.example.com'],
    ]);
  });

  it('shows hosts and actors that the caller may read; others are left out or counted', async () => {
    const { call: reader } = await ssh.who(onHosts('read', 'web.*'), { subject: 'member', action: 'read' });
    const { logins, totalCount, hiddenCount } = ok(await asked({}, reader));
    // Bob is a member by a group alone, which the caller may not read.
    expect([told({ logins }), totalCount, hiddenCount]).toEqual([['deploy@web.example.com ann: host'], 1, 1]);
    expect((await asked({ sshHostId: db.id }, reader)).status).toBe(403);
    const { call: blind } = await ssh.who(onHosts('read'));
    expect(ok(await asked({}, blind))).toEqual({ logins: [], totalCount: 0, hiddenCount: 5 });
    expect(told(ok(await asked({ userId: ann.id }, ann.call)))).toEqual([
      'deploy@db.example.com ann: as web.example.com',
      'deploy@web.example.com ann: host',
    ]);
    expect((await asked({ userId: bob.id }, ann.call)).status).toBe(200);
    expect(ok(await asked({ userId: bob.id }, ann.call)).logins).toEqual([]);
  });

  it('is what certificates open: it agrees with the principals and authorities of issued ones', async () => {
    for (const [person, login, hosts] of [
      [ann, 'deploy', ['web']],
      [bob, 'root', ['web', 'vault']],
    ] as const)
      for (const [name, host] of Object.entries({ web, db, vault })) {
        const { status } = await person.call('POST', hostUrl(host, '/issue-user-cert'), { loginUser: login });
        expect([name, status === 200]).toEqual([name, hosts.some((one) => one === name)]);
      }
    ok(await test.admin('DELETE', groupUrl(servers, `/hosts/${vault.id}`)));
    expect(ok(await asked({ sshHostId: vault.id })).totalCount).toBe(0);
  });
});
