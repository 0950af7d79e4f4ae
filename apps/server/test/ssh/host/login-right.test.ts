import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../harness/certificates.ts';
import {
  groupUrl,
  HOST_GROUPS,
  HOSTS,
  hostUrl,
  issueUserCert,
  mapping,
  onHostGroups,
  onHosts,
  SshHosts,
} from '../../harness/ssh-hosts.ts';
import { testServer, type Answer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let ssh: SshHosts;
beforeAll(async () => {
  test = await testServer();
});
beforeEach(async () => {
  ssh = await SshHosts.in(test);
});
afterAll(() => test.close());

const DEV = '*.dev.example.com';
const bound = (hostname: string, more: object = {}) => ssh.host({ hostname, principalMode: 'host-bound', ...more });
const expectBeyond = ({ status, body }: Answer) => {
  expect([status, body.error, body.details?.missingPermissions]).toEqual([
    403,
    'PermissionBoundaryError',
    [{ subject: 'ssh-hosts', action: 'edit' }],
  ]);
};

describe('the right to give a login', () => {
  it('is not needed to delete a host with its logins, except for those that its mappings give on other hosts', async () => {
    const loginMappings = [mapping('root', { users: [await ssh.person()] })];
    const [one, alone] = [
      await ssh.host({ hostname: 'one.dev.example.com', loginMappings }),
      await bound('alone.dev.example.com', { loginMappings }),
    ];
    const other = await ssh.host({ hostname: 'other.prod.example.com' });
    const { call } = await ssh.who(onHosts('delete', DEV));
    expectBeyond(await call('DELETE', hostUrl(one)));
    ok(await call('DELETE', hostUrl(alone)));
    ok(await test.admin('DELETE', hostUrl(other)));
    ok(await call('DELETE', hostUrl(one)));
  });

  it('is that to edit the host; to create it is not enough', async () => {
    const ann = await ssh.person();
    const loginMappings = [mapping('root', { users: [ann] })];
    const { call: bootstrapper } = await ssh.who(onHosts(['read', 'create', 'issue-host-cert']));
    const wanted = ssh.wanted({ principalMode: 'host-bound' });
    expectBeyond(await bootstrapper('POST', HOSTS, { ...wanted, loginMappings }));
    const host = ok(await bootstrapper('POST', HOSTS, wanted));
    expect((await bootstrapper('PATCH', hostUrl(host), { loginMappings })).status).toBe(403);
    const { call: editor } = await ssh.who(onHosts(['read', 'create', 'edit']));
    ok(await editor('PATCH', hostUrl(host), { loginMappings }));
    ok(await editor('POST', HOSTS, ssh.wanted({ loginMappings })));
  });

  it('is needed to change which certificates a host accepts, also without login mappings', async () => {
    const group = await ssh.hostGroup({ principalMode: 'host-bound' });
    const host = await ssh.host({ hostname: 'db.prod.example.com' });
    await ssh.join(host, group);
    const { call } = await ssh.who(
      onHostGroups(['read', 'edit']),
      onHosts(['read', 'edit'], DEV),
      { subject: 'settings', action: ['read', 'edit'] },
      { subject: 'ssh-certificate-authorities', action: ['create', 'edit'] },
    );
    expectBeyond(await call('PATCH', groupUrl(group), { principalMode: null }));
    ok(await test.admin('DELETE', `/api/v1/ssh/ca/${host.userSshCaId}`));
    const { ca } = ok(await call('POST', '/api/v1/ssh/ca', { projectId: ssh.projectId, friendlyName: 'own' }));
    expectBeyond(await call('PATCH', groupUrl(group), { userSshCaId: ca.id }));
    expectBeyond(await call('PATCH', `/api/v1/workspace/${ssh.projectId}/ssh-config`, { defaultUserSshCaId: ca.id }));
  });

  it('covers all hosts that the certificate opens', async () => {
    const ann = await ssh.person();
    await ssh.host({ hostname: 'db.prod.example.com' });
    const host = await ssh.host({ hostname: 'db.dev.example.com' });
    const loginMappings = [mapping('root', { users: [ann] })];
    const { call } = await ssh.who(onHosts(['read', 'create', 'edit'], DEV));
    expectBeyond(await call('PATCH', hostUrl(host), { loginMappings }));
    expectBeyond(await call('POST', HOSTS, ssh.wanted({ hostname: 'web.dev.example.com', loginMappings })));
    ok(await call('PATCH', hostUrl(host), { principalMode: 'host-bound', loginMappings }));
    // Back again, the same mapping would open the other host.
    expectBeyond(await call('PATCH', hostUrl(host), { principalMode: 'login-user' }));
  });

  it('is needed for what somebody has by another mapping already, which would not outlast that one', async () => {
    const ann = await ssh.person();
    const loginMappings = [mapping('root', { users: [ann] })];
    const prod = await ssh.host({ hostname: 'web.prod.example.com', loginMappings });
    const dev = await ssh.host({ hostname: 'web.dev.example.com' });
    const group = await ssh.hostGroup({ loginMappings });
    await ssh.join(prod, group);
    const { call } = await ssh.who(onHosts(['read', 'create', 'edit'], DEV), onHostGroups('edit'));
    expectBeyond(await call('PATCH', hostUrl(dev), { loginMappings }));
    expectBeyond(await call('POST', HOSTS, ssh.wanted({ hostname: 'new.dev.example.com', loginMappings })));
    expectBeyond(await call('POST', groupUrl(group, `/hosts/${dev.id}`)));
    ok(await call('POST', HOSTS, ssh.wanted({ hostname: 'new.dev.example.com' })));
  });

  it('is needed for a longer validity of certificates, not for a shorter one', async () => {
    const loginMappings = [mapping('root', { users: [await ssh.person()] })];
    const host = await ssh.host({ hostname: 'ttl.dev.example.com', loginMappings });
    await ssh.host({ hostname: 'ttl.prod.example.com' });
    const { call } = await ssh.who(onHosts(['read', 'edit'], DEV));
    expectBeyond(await call('PATCH', hostUrl(host), { userCertTtl: '300d' }));
    ok(await call('PATCH', hostUrl(host), { userCertTtl: '1h' }));
  });

  it('covers the hosts of a group: its mappings, its mode, new hosts, and its end', async () => {
    const ann = await ssh.person();
    const [dev, prod] = [await bound('a.dev.example.com'), await bound('a.prod.example.com')];
    const group = await ssh.hostGroup({ loginMappings: [mapping('root', { users: [ann] })] });
    await ssh.join(prod, group);
    const { call } = await ssh.who(onHosts(['read', 'edit'], DEV), onHostGroups(['read', 'create', 'edit', 'delete']));
    expectBeyond(await call('PATCH', groupUrl(group), { loginMappings: [] }));
    expectBeyond(await call('PATCH', groupUrl(group), { loginMappings: [mapping('deploy', { users: [ann] })] }));
    expectBeyond(await call('DELETE', groupUrl(group)));
    expect((await call('DELETE', groupUrl(group, `/hosts/${prod.id}`))).status).toBe(403);
    ok(await call('PATCH', groupUrl(group), { name: 'another' }));
    ok(await call('POST', groupUrl(group, `/hosts/${dev.id}`)));
    const own = { projectId: ssh.projectId, name: 'own', loginMappings: [mapping('root', { users: [ann] })] };
    const made = ok(await call('POST', HOST_GROUPS, own));
    expect((await call('POST', groupUrl(made, `/hosts/${prod.id}`))).status).toBe(403);
  });

  it('is needed to have hosts accept another authority, with login mappings or without', async () => {
    const of = await SshHosts.in(test);
    const projectId = of.projectId;
    await of.host({ hostname: 'bound.example.com', principalMode: 'host-bound' });
    const grouped = await of.host({ hostname: 'grouped.example.com' });
    const group = await of.hostGroup();
    await of.join(grouped, group);
    const { ca } = ok(await test.admin('POST', '/api/v1/ssh/ca', { projectId, friendlyName: 'own' }));
    const rules = [
      { subject: 'settings', action: ['read', 'edit'] },
      { subject: 'ssh-certificate-authorities', action: ['read', 'edit'] },
      onHostGroups(['read', 'edit']),
    ];
    const config = `/api/v1/workspace/${projectId}/ssh-config`;
    const { hostSshCaId } = ok(await test.admin('GET', hostUrl(grouped)));
    const { call } = await of.who(...rules);
    expectBeyond(await call('PATCH', config, { defaultUserSshCaId: ca.id }));
    expectBeyond(await call('PATCH', config, { defaultHostSshCaId: ca.id }));
    expectBeyond(await call('PATCH', groupUrl(group), { userSshCaId: ca.id }));
    expectBeyond(await call('PATCH', groupUrl(group), { userSshCaId: hostSshCaId }));
    const { call: editor } = await of.who(...rules, onHosts('edit'));
    ok(await editor('PATCH', groupUrl(group), { userSshCaId: ca.id }));
    ok(await editor('PATCH', config, { defaultUserSshCaId: ca.id, defaultHostSshCaId: ca.id }));
  });

  it.each(['defaultUserSshCaId', 'defaultHostSshCaId'])(
    'is needed for another %s where the former was deleted',
    async (name) => {
      const of = await SshHosts.in(test);
      const config = `/api/v1/workspace/${of.projectId}/ssh-config`;
      await of.host();
      ok(await test.admin('DELETE', `/api/v1/ssh/ca/${ok(await test.admin('GET', config))[name]}`));
      const { ca } = ok(await test.admin('POST', '/api/v1/ssh/ca', { projectId: of.projectId, friendlyName: 'own' }));
      const rules = [
        { subject: 'settings', action: ['read', 'edit'] },
        { subject: 'ssh-certificate-authorities', action: ['read', 'edit'] },
      ];
      expectBeyond(await (await of.who(...rules)).call('PATCH', config, { [name]: ca.id }));
      ok(await (await of.who(...rules, onHosts('edit'))).call('PATCH', config, { [name]: ca.id }));
    },
  );

  it('is needed for templates by which anybody can be taken for the host', async () => {
    const of = await SshHosts.in(test);
    const { hostSshCaId } = await of.host({ hostname: 'db.prod.example.com' });
    const template = {
      ...{ sshCaId: hostSshCaId, name: 'any-host', ttl: '1h', maxTTL: '1d', allowedHosts: ['*'] },
      ...{ allowedUsers: [], allowUserCertificates: false, allowHostCertificates: true, allowCustomKeyIds: false },
    };
    const templates = '/api/v1/ssh/certificate-templates';
    const rules = [{ subject: 'ssh-certificate-templates', action: ['read', 'create'] }];
    expectBeyond(await (await of.who(...rules)).call('POST', templates, template));
    ok(await (await of.who(...rules, onHosts('edit'))).call('POST', templates, template));
  });

  it('lasts as long as the login, which has no end', async () => {
    const ann = await ssh.person();
    const { call, id } = await ssh.who();
    ok(
      await test.admin('POST', '/api/v2/identity-project-additional-privilege', {
        ...{ projectId: ssh.projectId, identityId: id, slug: 'for-an-hour' },
        permissions: [onHosts(['read', 'edit'])],
        type: {
          isTemporary: true,
          temporaryMode: 'relative',
          temporaryRange: '1h',
          temporaryAccessStartTime: test.coffer.now().toISOString(),
        },
      }),
    );
    const host = await bound('temporary.example.com', { loginMappings: [mapping('root', { users: [ann] })] });
    const { body } = await call('PATCH', hostUrl(host), { loginMappings: [mapping('admin', { users: [ann] })] });
    expect(body).toMatchObject({ error: 'PermissionBoundaryError', details: { heldUntil: expect.any(String) } });
    ok(await call('PATCH', hostUrl(host), { loginMappings: [] }));
  });

  it('is asked of whoever changes the members of a group that may log in', async () => {
    const [ann, bob] = [await ssh.person(), await ssh.person()];
    const group = await ssh.group(ann);
    await bound('team.example.com', { loginMappings: [mapping('root', { groups: [group] })] });
    const { call, id } = await test.identity({
      organizationRules: [{ subject: 'groups', action: ['read', 'add-members', 'remove-members'] }],
    });
    const own = { projectId: ssh.projectId, roles: [{ role: 'no-access' }] };
    ok(await test.admin('POST', `/api/v1/projects/${ssh.projectId}/memberships/identities/${id}`, own));
    expectBeyond(await call('POST', `/api/v1/groups/${group.id}/users/${bob.email}`));
    expect((await call('DELETE', `/api/v1/groups/${group.id}/users/${ann.email}`)).status).toBe(403);
    ok(
      await test.admin('POST', '/api/v2/identity-project-additional-privilege', {
        ...{ projectId: ssh.projectId, identityId: id, slug: 'hosts', type: { isTemporary: false } },
        permissions: [onHosts('edit')],
      }),
    );
    ok(await call('POST', `/api/v1/groups/${group.id}/users/${bob.email}`));
    ok(await call('DELETE', `/api/v1/groups/${group.id}/users/${bob.email}`));
  });
});

describe('a login mapping', () => {
  it('lets its user issue a certificate for that login user and host, nothing more', async () => {
    const [ann, bob] = [await ssh.person(), await ssh.person()];
    const host = await bound('only.example.com', { loginMappings: [mapping('root', { users: [ann] })] });
    const other = await bound('other.example.com', { loginMappings: [mapping('root', { users: [bob] })] });
    ok(await issueUserCert(ann.call, host, 'root'));
    expect((await issueUserCert(ann.call, host, 'deploy')).status).toBe(403);
    const unknown = await issueUserCert(ann.call, { id: crypto.randomUUID() }, 'root');
    for (const { status, body } of [
      await issueUserCert(ann.call, other, 'root'),
      await issueUserCert(bob.call, host, 'root'),
      await issueUserCert((await test.foreign()).call, host, 'root'),
    ])
      expect([status, body.message]).toEqual([404, unknown.body.message]);
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect((await ann.call(method, hostUrl(host), method === 'PATCH' ? {} : undefined)).status).toBe(403);
    // An administrator who is not mapped reads the host, and does not log in.
    expect((await issueUserCert(test.admin, host, 'root')).status).toBe(403);
  });

  it('ends with the membership, and does not come back with a later one', async () => {
    const ann = await ssh.person();
    const group = await ssh.group(await ssh.person());
    const loginMappings = [mapping('root', { users: [ann], groups: [group] })];
    const host = await bound('leaving.example.com', { loginMappings });
    await ssh.remove(ann);
    expect((await issueUserCert(ann.call, host, 'root')).status).toBe(404);
    await ssh.add(ann);
    expect((await issueUserCert(ann.call, host, 'root')).status).toBe(404);
    ok(await test.admin('DELETE', `/api/v1/projects/${ssh.projectId}/memberships/groups/${group.id}`));
    expect(ok(await test.admin('GET', hostUrl(host))).loginMappings).toEqual([mapping('root', {})]);
  });

  it('of a group holds for who is in it, users and machine identities, and ends when they leave it', async () => {
    const ann = await ssh.person({ isOutside: true });
    const group = await ssh.group(ann);
    const machine = await test.identity();
    ok(await test.admin('POST', `/api/v1/groups/${group.id}/machine-identities/${machine.id}`));
    const hostGroup = await ssh.hostGroup({ loginMappings: [mapping('deploy', { groups: [group] })] });
    const host = await bound('by-group.example.com');
    expect((await issueUserCert(ann.call, host, 'deploy')).status).toBe(404);
    await ssh.join(host, hostGroup);
    ok(await issueUserCert(ann.call, host, 'deploy'));
    ok(await issueUserCert(machine.call, host, 'deploy'));
    ok(await test.admin('DELETE', `/api/v1/groups/${group.id}/users/${ann.email}`));
    expect((await issueUserCert(ann.call, host, 'deploy')).status).toBe(404);
  });

  it('is what the list of own hosts shows, and no more of it', async () => {
    const [ann, bob] = [await ssh.person(), await ssh.person()];
    const group = await ssh.group(ann);
    const loginMappings = [
      mapping('root', { users: [ann, bob] }),
      mapping('deploy', { users: [bob], groups: [group] }),
    ];
    const host = await bound('mine.example.com', { loginMappings });
    await bound('not-mine.example.com');
    expect(ok(await ann.call('GET', HOSTS))).toEqual([
      { ...host, loginMappings: [mapping('deploy', { groups: [group] }), mapping('root', { users: [ann] })] },
    ]);
    expect(ok(await test.admin('GET', HOSTS))).toEqual([]);
  });
});
