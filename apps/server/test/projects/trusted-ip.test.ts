import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess } from '../harness/another-process.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const INSIDE = '10.1.2.3';
const OUTSIDE = '192.0.2.1';
const REFUSED = { statusCode: 403, message: expect.stringContaining(`does not trust the address ${OUTSIDE}`) };

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** A call from an address. */
async function from(address: string, token: string, method: Method, url: string, body?: object, app = test.app) {
  const answer = await app.inject({
    method,
    url,
    remoteAddress: address,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const admin = (address: string, method: Method, url: string, body?: object) =>
  from(address, test.adminIdentity.token, method, url, body);

/** A project with a secret that another one references, one that is imported, and its trusted IPs. */
async function setUp() {
  const { id: projectId } = await test.project();
  const at = { projectId, environment: 'dev' };
  await test.admin('POST', '/api/v4/secrets/KEY', { ...at, secretValue: 'value' });
  await test.admin('POST', '/api/v4/secrets/LINK', { ...at, environment: 'prod', secretValue: 'see ${dev.KEY}' });
  await test.admin('POST', '/api/v2/secret-imports', { ...at, path: '/', import: { environment: 'prod', path: '/' } });
  const url = `/api/v1/workspace/${projectId}/trusted-ips`;
  const trust = (ipAddress: string, address = INSIDE) =>
    admin(address, 'POST', url, { ipAddress, isActive: true }).then(({ body }) => body.trustedIp);
  const secret = `/api/v4/secrets/KEY?projectId=${projectId}&environment=dev`;
  const reads = async (address: string) => (await admin(address, 'GET', secret)).status;
  return { projectId, at, url, trust, secret, reads };
}

describe('trusted IPs of a project', () => {
  it('are created, listed, changed and deleted', async () => {
    const { projectId, url } = await setUp();
    const created = await test.admin('POST', url, { ipAddress: ' 10.0.0.0/8 ', comment: 'office', isActive: false });
    const entry = {
      id: expect.any(String),
      ipAddress: '10.0.0.0',
      type: 'ipv4',
      prefix: 8,
      isActive: false,
      comment: 'office',
      projectId,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    expect([created.status, created.body]).toEqual([200, { trustedIp: entry }]);
    expect((await test.admin('GET', url)).body).toEqual({ trustedIps: [entry] });
    const one = `${url}/${created.body.trustedIp.id}`;
    const { prefix: _, ...bare } = entry;
    expect((await test.admin('PATCH', one, { ipAddress: '::1' })).body).toEqual({
      trustedIp: { ...bare, ipAddress: '::1', type: 'ipv6' },
    });
    expect((await test.admin('PATCH', one, { comment: 'lab' })).body.trustedIp).toMatchObject({ comment: 'lab' });
    expect((await test.admin('DELETE', one)).body.trustedIp).toMatchObject({ ipAddress: '::1', comment: 'lab' });
    expect((await test.admin('GET', url)).body).toEqual({ trustedIps: [] });
    expect((await test.admin('DELETE', one)).status).toBe(404);
    const { rows } = await test.coffer.pool.query(
      `select type from audit_events where project_id = $1 and type like 'trusted_ip.%' order by id`,
      [projectId],
    );
    expect(rows.map(({ type }) => type)).toEqual([
      'trusted_ip.created',
      'trusted_ip.updated',
      'trusted_ip.updated',
      'trusted_ip.deleted',
    ]);
  });

  it('reject invalid addresses, and callers without the permission', async () => {
    const { projectId, url } = await setUp();
    for (const ipAddress of ['nowhere', '10.0.0.0/33', '10.1', '1.2.3.4/8/8'])
      expect((await test.admin('POST', url, { ipAddress, isActive: false })).status).toBe(400);
    const developer = await test.identity();
    await test.admin('POST', `/api/v1/projects/${projectId}/memberships/identities/${developer.id}`, {
      role: 'member',
    });
    expect((await developer.call('GET', url)).status).toBe(200);
    expect((await developer.call('POST', url, { ipAddress: '127.0.0.1', isActive: true })).status).toBe(403);
    const foreign = await test.foreign();
    expect((await foreign.call('GET', url)).status).toBe(404);
  });

  it('reject other addresses: users, machine identities, service tokens', async () => {
    const { projectId, url, trust, secret } = await setUp();
    const user = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    await test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, { usernames: [user.email], emails: [] });
    const made = await test.as(user.token)('POST', '/api/v2/service-token', {
      name: 'ci',
      workspaceId: projectId,
      scopes: [{ environment: 'dev', secretPath: '/**' }],
      permissions: ['read'],
      expiresIn: null,
    });
    const tokens = [test.adminIdentity.token, user.token, made.body.serviceToken as string];
    const ask = (address: string) => Promise.all(tokens.map((token) => from(address, token, 'GET', secret)));
    // They are cached by now.
    expect((await ask(OUTSIDE)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const { id } = await trust('10.0.0.0/8');
    expect((await ask(OUTSIDE)).map(({ body }) => body)).toEqual(tokens.map(() => expect.objectContaining(REFUSED)));
    expect((await ask(INSIDE)).map(({ status }) => status)).toEqual([200, 200, 200]);
    // Non-members learn nothing about it.
    const foreign = await test.foreign();
    expect((await from(OUTSIDE, foreign.identity.token, 'GET', secret)).status).toBe(404);
    // Nothing opens it from there, and the last entry's end opens it again.
    expect((await admin(OUTSIDE, 'DELETE', `${url}/${id}`)).body).toMatchObject(REFUSED);
    expect((await admin(INSIDE, 'DELETE', `${url}/${id}`)).status).toBe(200);
    expect((await ask(OUTSIDE)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('apply to lists, imports, references, batches, conditional reads and tRPC', async () => {
    const { projectId, at, trust, secret } = await setUp();
    const query = `projectId=${projectId}&environment`;
    const read = await test.app.inject({
      url: secret,
      headers: { authorization: `Bearer ${test.adminIdentity.token}` },
    });
    await trust('10.0.0.0/8');
    const asked: [Method, string, object?][] = [
      ['GET', `/api/v4/secrets?${query}=dev&includeImports=true`],
      ['GET', `/api/v4/secrets/LINK?${query}=prod&expandSecretReferences=true`],
      ['POST', '/api/v4/secrets/batch', { ...at, secrets: [{ secretKey: 'MORE', secretValue: 'x' }] }],
      ['GET', `/api/v1/projects/${projectId}`],
      ['GET', `/api/trpc/tags.list?input=${encodeURIComponent(JSON.stringify({ projectId }))}`],
    ];
    for (const [method, url, body] of asked) {
      expect([url, (await admin(OUTSIDE, method, url, body)).status]).toEqual([url, 403]);
      expect([url, (await admin(INSIDE, method, url, body)).status]).toEqual([url, 200]);
    }
    const again = await test.app.inject({
      url: secret,
      remoteAddress: OUTSIDE,
      headers: { authorization: `Bearer ${test.adminIdentity.token}`, 'if-none-match': String(read.headers['etag']) },
    });
    expect(again.statusCode).toBe(403);
  });

  it('are addresses and ranges of both kinds; an IPv4 address in IPv6 form is that address', async () => {
    const { url, trust, reads } = await setUp();
    await trust('10.1.0.0/16');
    await trust('2001:db8::/32');
    await trust('192.0.2.7');
    expect(await reads('::ffff:10.1.9.9')).toBe(200);
    expect(await reads('2001:db8:1::5')).toBe(200);
    expect(await reads('192.0.2.7')).toBe(200);
    expect(await reads('10.2.0.1')).toBe(403);
    expect(await reads('2001:db9::1')).toBe(403);
    expect(await reads('192.0.2.8')).toBe(403);
    // Inactive entries do not count.
    await admin(INSIDE, 'POST', url, { ipAddress: '0.0.0.0/0', isActive: false });
    expect(await reads('192.0.2.8')).toBe(403);
  });

  it('cannot be changed so that the caller locks itself out', async () => {
    const { url, trust, reads } = await setUp();
    const refused = await admin(OUTSIDE, 'POST', url, { ipAddress: '10.0.0.0/8', isActive: true });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`Your address ${OUTSIDE}`) },
    });
    const asleep = await admin(OUTSIDE, 'POST', url, { ipAddress: '10.0.0.0/8', isActive: false });
    const other = `${url}/${asleep.body.trustedIp.id}`;
    expect((await admin(OUTSIDE, 'PATCH', other, { isActive: true })).status).toBe(400);
    const own = `${url}/${(await trust(OUTSIDE, OUTSIDE)).id}`;
    expect((await admin(OUTSIDE, 'PATCH', own, { ipAddress: '192.0.2.2' })).status).toBe(400);
    expect((await admin(OUTSIDE, 'PATCH', other, { isActive: true })).status).toBe(200);
    expect((await admin(OUTSIDE, 'PATCH', own, { isActive: false })).status).toBe(400);
    expect((await admin(OUTSIDE, 'DELETE', own)).status).toBe(400);
    expect(await reads(OUTSIDE)).toBe(200);
    expect((await admin(INSIDE, 'DELETE', own)).status).toBe(200);
    expect(await reads(OUTSIDE)).toBe(403);
    // Without active entries, it is open.
    expect((await admin(INSIDE, 'PATCH', other, { isActive: false })).status).toBe(200);
    expect(await reads(OUTSIDE)).toBe(200);
  });

  it('apply in other processes too, and to open streams', async () => {
    const { projectId, secret, trust } = await setUp();
    const other = await anotherProcess(test);
    try {
      const ask = () => from(OUTSIDE, test.adminIdentity.token, 'GET', secret, undefined, other.app);
      expect((await ask()).status).toBe(200);
      const stream = other.app.inject({
        method: 'POST',
        url: '/api/v1/events/subscribe/project-events',
        remoteAddress: OUTSIDE,
        headers: { authorization: `Bearer ${test.adminIdentity.token}` },
        payload: { projectId, register: [{ event: 'secret:create' }] },
      });
      await expect.poll(() => other.coffer.watches.size).toBe(1);
      await trust('10.0.0.0/8');
      await expect.poll(async () => (await ask()).status).toBe(403);
      // The answer is complete once the server has ended it.
      expect((await stream).statusCode).toBe(200);
    } finally {
      await other.close();
    }
  });
});
