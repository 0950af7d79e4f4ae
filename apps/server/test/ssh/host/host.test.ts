import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, ok } from '../../harness/certificates.ts';
import {
  groupUrl,
  HOSTS,
  HOST_GROUPS,
  hostUrl,
  mapping,
  onHostGroups,
  onHosts,
  SshHosts,
} from '../../harness/ssh-hosts.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let ssh: SshHosts;
beforeAll(async () => {
  test = await testServer();
  ssh = await SshHosts.in(test);
});
afterAll(() => test.close());

describe('an SSH host', () => {
  it('is created in the published shape, read, listed, changed and deleted, with an event for each change', async () => {
    const [ann, group] = [await ssh.person(), await ssh.group()];
    const mappings = [mapping('root', { users: [ann] }), mapping('deploy', { groups: [group] }), mapping('empty', {})];
    const created = await ssh.host({ hostname: 'DB1.example.com', alias: 'db1', loginMappings: mappings });
    expect(created).toEqual({
      id: expect.any(String),
      projectId: ssh.projectId,
      hostname: 'db1.example.com',
      alias: 'db1',
      userCertTtl: '8h',
      hostCertTtl: '1y',
      principalMode: 'login-user',
      userSshCaId: expect.any(String),
      hostSshCaId: expect.any(String),
      loginMappings: mappings,
    });
    expect(ok(await test.admin('GET', hostUrl(created)))).toEqual(created);
    for (const all of ['/api/v2/workspace', '/api/v1/projects'])
      expect(ok(await test.admin('GET', `${all}/${ssh.projectId}/ssh-hosts`)).hosts).toContainEqual(created);
    const changed = {
      alias: null,
      userCertTtl: '1h',
      principalMode: 'host-bound',
      loginMappings: mappings.slice(0, 1),
    };
    expect(ok(await test.admin('PATCH', hostUrl(created), changed))).toEqual({ ...created, ...changed });
    expect(ok(await test.admin('DELETE', hostUrl(created)))).toEqual({ ...created, ...changed });
    expect((await test.admin('GET', hostUrl(created))).status).toBe(404);
    expect(await eventsOf(test, { sshHostId: created.id })).toEqual([
      'ssh_host.created',
      'ssh_host.updated',
      'ssh_host.deleted',
    ]);
  });

  const refused: [what: string, given: object, status: number, why: RegExp][] = [
    ['a second host of a name', { hostname: 'taken.example.com' }, 400, /with this hostname already exists/],
    ['a second host of an alias', { alias: 'taken' }, 400, /with this alias already exists/],
    ['a host name with a pattern', { hostname: '*.example.com' }, 422, /Expected a host name or an IP address/],
    [
      'a login user with a colon',
      { loginMappings: [mapping('host:1:root', {})] },
      422,
      /Expected the name of a local user/,
    ],
    [
      'a login user twice',
      { loginMappings: [mapping('root', {}), mapping('root', {})] },
      422,
      /can be in the list once/,
    ],
    [
      'a user who is no member',
      { loginMappings: [mapping('root', { users: [{ email: 'no@example.com' }] })] },
      400,
      /no@example.com/,
    ],
    [
      'a group that is no member',
      { loginMappings: [mapping('root', { groups: [{ slug: 'nobody' }] })] },
      400,
      /nobody/,
    ],
    ['user certificates for more than a year', { userCertTtl: '366d' }, 422, /Expected at most 365d/],
    ['an unknown authority', { userSshCaId: '0199a0a0-0000-7000-8000-000000000000' }, 404, /certificate authority/],
    ['an unknown principal mode', { principalMode: 'any' }, 422, /principalMode/],
  ];
  it.each(refused)('rejects %s', async (_, given, status, why) => {
    const taken = { hostname: 'taken.example.com', alias: 'taken' };
    await test.admin('POST', HOSTS, ssh.wanted(taken));
    const answer = await test.admin('POST', HOSTS, ssh.wanted(given));
    expect([answer.status, JSON.stringify(answer.body.message)]).toEqual([status, expect.stringMatching(why)]);
  });

  it('is seen and changed by the rights on its name', async () => {
    const [dev, prod] = [
      await ssh.host({ hostname: 'one.dev.example.com', principalMode: 'host-bound' }),
      await ssh.host({ hostname: 'one.prod.example.com', principalMode: 'host-bound' }),
    ];
    const { call } = await ssh.who(onHosts(['read', 'create', 'edit', 'delete'], '*.dev.example.com'));
    const { hosts } = ok(await call('GET', `/api/v2/workspace/${ssh.projectId}/ssh-hosts`));
    expect(hosts.map((host: { id: string }) => host.id)).toEqual([dev.id]);
    for (const [method, body] of [['GET'], ['PATCH', { alias: 'x' }], ['DELETE']] as const)
      expect([method, (await call(method, hostUrl(prod), body)).status]).toEqual([method, 403]);
    expect((await call('POST', HOSTS, ssh.wanted({ hostname: 'two.prod.example.com' }))).status).toBe(403);
    expect((await call('PATCH', hostUrl(dev), { hostname: 'three.prod.example.com' })).status).toBe(403);
    ok(await call('PATCH', hostUrl(dev), { hostname: 'three.dev.example.com' }));
    ok(await call('DELETE', hostUrl(dev)));
  });
});

describe('an SSH host group', () => {
  it('is created in the published shape, read, listed, changed and deleted, with an event for each change', async () => {
    const ann = await ssh.person();
    const loginMappings = [mapping('root', { users: [ann] })];
    const created = await ssh.hostGroup({ name: 'databases', loginMappings });
    expect(created).toEqual({
      id: expect.any(String),
      projectId: ssh.projectId,
      name: 'databases',
      principalMode: null,
      userSshCaId: null,
      loginMappings,
    });
    expect((await test.admin('POST', HOST_GROUPS, { projectId: ssh.projectId, name: 'databases' })).status).toBe(400);
    expect(ok(await test.admin('GET', groupUrl(created)))).toEqual(created);
    const { groups } = ok(await test.admin('GET', `/api/v2/workspace/${ssh.projectId}/ssh-host-groups`));
    expect(groups).toContainEqual({ ...created, hostCount: 0 });
    const changed = { name: 'stores', principalMode: 'host-bound', loginMappings: [] };
    expect(ok(await test.admin('PATCH', groupUrl(created), changed))).toEqual({ ...created, ...changed });
    expect(ok(await test.admin('DELETE', groupUrl(created)))).toEqual({ ...created, ...changed });
    expect((await test.admin('GET', groupUrl(created))).status).toBe(404);
    expect(await eventsOf(test, { sshHostGroupId: created.id })).toEqual([
      'ssh_host_group.created',
      'ssh_host_group.updated',
      'ssh_host_group.deleted',
    ]);
  });

  it('has hosts of its project, and lists those that the caller may read', async () => {
    const [group, inside, outside] = [
      await ssh.hostGroup(),
      await ssh.host({ hostname: 'in.lists.example.com' }),
      await ssh.host({ hostname: 'out.lists.example.com' }),
    ];
    const elsewhere = await (await SshHosts.in(test)).host();
    await ssh.join(inside, group);
    expect((await test.admin('POST', groupUrl(group, `/hosts/${inside.id}`))).status).toBe(400);
    expect((await test.admin('POST', groupUrl(group, `/hosts/${elsewhere.id}`))).status).toBe(404);
    expect((await test.admin('DELETE', groupUrl(group, `/hosts/${outside.id}`))).status).toBe(404);
    const { call } = await ssh.who(onHostGroups('read'), onHosts('read', '*.lists.example.com'));
    const of = async (filter: string) =>
      ok(await call('GET', groupUrl(group, `/hosts${filter}`))).hosts.map(
        (host: { hostname: string; isPartOfGroup: boolean }) => [host.hostname, host.isPartOfGroup],
      );
    expect(await of('')).toEqual([
      ['in.lists.example.com', true],
      ['out.lists.example.com', false],
    ]);
    expect(await of('?filter=group-members')).toEqual([['in.lists.example.com', true]]);
    expect(await of('?filter=non-group-members')).toEqual([['out.lists.example.com', false]]);
    ok(await test.admin('DELETE', groupUrl(group, `/hosts/${inside.id}`)));
    expect(await of('?filter=group-members')).toEqual([]);
  });

  it('gives its hosts a principal mode, unless they have their own, and only one of several', async () => {
    const [bound, plain] = [
      await ssh.hostGroup({ principalMode: 'host-bound' }),
      await ssh.hostGroup({ principalMode: 'login-user' }),
    ];
    const host = await ssh.host();
    await ssh.join(host, bound);
    const mode = async () => ok(await test.admin('GET', hostUrl(host))).principalMode;
    expect(await mode()).toBe('host-bound');
    const { status, body } = await test.admin('POST', groupUrl(plain, `/hosts/${host.id}`));
    expect([status, body.message]).toEqual([400, expect.stringContaining('set those of the host itself')]);
    ok(await test.admin('PATCH', hostUrl(host), { principalMode: 'login-user' }));
    await ssh.join(host, plain);
    expect(await mode()).toBe('login-user');
    expect((await test.admin('PATCH', hostUrl(host), { principalMode: null })).status).toBe(400);
  });
});
