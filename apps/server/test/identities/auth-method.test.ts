import { operationsOf, appRouter } from '@coffer/api';
import { authMethods, newId } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
});
afterAll(() => test.close());

const METHODS = ['POST', 'GET', 'PATCH', 'DELETE'] as const;
const bodyOf = ({ body: { reqId: _, ...body } }: Answer) => body;

async function identity(role = 'member'): Promise<string> {
  const { body } = await test.admin('POST', '/api/v1/identities', {
    name: 'ci',
    organizationId: test.organizationId,
    role,
  });
  return body.identity.id;
}

it('routes exactly the registered login methods', () => {
  const urls = operationsOf(appRouter).map(({ method, url }) => `${method} ${url}`);
  const attachable = urls.flatMap(
    (url) => /^POST \/api\/v1\/auth\/([a-z-]+)\/identities\/\{identityId\}$/.exec(url)?.[1] ?? [],
  );
  expect(attachable.toSorted()).toEqual(authMethods.members.map(({ kind }) => kind).toSorted());
  for (const { kind, Login } of authMethods.members) {
    for (const method of METHODS) expect(urls).toContain(`${method} /api/v1/auth/${kind}/identities/{identityId}`);
    expect([kind, urls.includes(`POST /api/v1/auth/${kind}/login`)]).toEqual([kind, Login !== undefined]);
  }
});

/** The statuses that the published API has where the method is not attached. */
const NOT_ATTACHED: Record<string, Record<'GET' | 'PATCH' | 'DELETE', number>> = {
  'token-auth': { GET: 404, PATCH: 400, DELETE: 400 },
  'universal-auth': { GET: 400, PATCH: 400, DELETE: 400 },
};

// The members that take an empty body; the others are tested beside their modules.
describe.each([
  { kind: 'universal-auth', key: 'identityUniversalAuth' },
  { kind: 'token-auth', key: 'identityTokenAuth' },
])('$kind', ({ kind, key }) => {
  const url = (identityId: string) => `/api/v1/auth/${kind}/identities/${identityId}`;
  const attached = async (settings: object = {}) => {
    const identityId = await identity();
    const { status, body } = await test.admin('POST', url(identityId), settings);
    expect(status).toBe(200);
    return { identityId, first: body[key] };
  };

  it('is attached once', async () => {
    const { identityId } = await attached();
    expect((await test.admin('POST', url(identityId), {})).status).toBe(400);
    const another = await identity();
    const answers = await Promise.all(Array.from({ length: 6 }, () => test.admin('POST', url(another), {})));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
  });

  it('returns every published field, equally when it is read, updated and detached', async () => {
    const { identityId, first } = await attached({
      accessTokenTTL: 60,
      accessTokenMaxTTL: 120,
      accessTokenNumUsesLimit: 7,
    });
    expect(first).toMatchObject({
      identityId,
      accessTokenTTL: 60,
      accessTokenMaxTTL: 120,
      accessTokenNumUsesLimit: 7,
      accessTokenPeriod: 0,
    });
    expect((await test.admin('GET', url(identityId))).body).toEqual({ [key]: first, warnings: [] });
    const { body: changed } = await test.admin('PATCH', url(identityId), {});
    expect(changed).toEqual({ [key]: { ...first, updatedAt: expect.any(String) }, warnings: [] });
    expect((await test.admin('DELETE', url(identityId))).body).toEqual({ [key]: changed[key] });
    expect((await test.admin('GET', url(identityId))).status).toBe(NOT_ATTACHED[kind]!.GET);
    expect((await test.admin('POST', url(identityId), {})).status).toBe(200);
  });

  it('keeps the fields that an update omits', async () => {
    const { identityId, first } = await attached({
      accessTokenTTL: 60,
      accessTokenTrustedIps: [{ ipAddress: ' 10.0.0.0/8 ' }, { ipAddress: '::1' }],
    });
    expect(first.accessTokenTrustedIps).toEqual([
      { ipAddress: '10.0.0.0', type: 'ipv4', prefix: 8 },
      { ipAddress: '::1', type: 'ipv6' },
    ]);
    for (const [change, becomes] of [
      [{ accessTokenTTL: 61 }, { accessTokenTTL: 61 }],
      [{ accessTokenMaxTTL: 0 }, { accessTokenMaxTTL: 0 }],
      [{ accessTokenNumUsesLimit: 3 }, { accessTokenNumUsesLimit: 3 }],
      [{ accessTokenPeriod: 9 }, { accessTokenPeriod: 9 }],
      [
        { accessTokenTrustedIps: [{ ipAddress: '1.2.3.4' }] },
        { accessTokenTrustedIps: [{ ipAddress: '1.2.3.4', type: 'ipv4' }] },
      ],
    ]) {
      const { body: before } = await test.admin('GET', url(identityId));
      const { status, body: after } = await test.admin('PATCH', url(identityId), change);
      expect(status).toBe(200);
      expect(after[key]).toEqual({ ...before[key], ...becomes, updatedAt: expect.any(String) });
    }
  });

  it('keeps all of many parallel changes', async () => {
    const { identityId } = await attached();
    const changes = [
      { accessTokenTTL: 5 },
      { accessTokenMaxTTL: 0 },
      { accessTokenNumUsesLimit: 6 },
      { accessTokenPeriod: 7 },
    ];
    await Promise.all(changes.map((change) => test.admin('PATCH', url(identityId), change)));
    expect((await test.admin('GET', url(identityId))).body[key]).toMatchObject(Object.assign({}, ...changes));
  });

  it('refuses a TTL beyond the cap, on the values that would be in effect', async () => {
    const refused = await identity();
    expect((await test.admin('POST', url(refused), { accessTokenTTL: 11, accessTokenMaxTTL: 10 })).status).toBe(400);
    expect((await test.admin('POST', url(refused), { accessTokenMaxTTL: 10 })).status).toBe(400);
    const { identityId } = await attached({ accessTokenTTL: 100, accessTokenMaxTTL: 200 });
    const change = async (settings: object) => (await test.admin('PATCH', url(identityId), settings)).status;
    expect(await change({ accessTokenMaxTTL: 99 })).toBe(400);
    expect(await change({ accessTokenTTL: 201 })).toBe(400);
    expect(await change({ accessTokenTTL: 201, accessTokenMaxTTL: 201 })).toBe(200);
    expect(await change({ accessTokenMaxTTL: 0 })).toBe(200);
    expect(await change({ accessTokenTTL: 315360000 })).toBe(200);
    expect(await change({ accessTokenMaxTTL: 5 })).toBe(400);
    expect(await change({ accessTokenTTL: 0, accessTokenMaxTTL: 5 })).toBe(200);
  });

  it('never gets a TTL beyond the maximum by parallel updates', async () => {
    for (let round = 0; round < 5; round++) {
      const { identityId } = await attached({ accessTokenTTL: 10, accessTokenMaxTTL: 100 });
      await Promise.all([
        test.admin('PATCH', url(identityId), { accessTokenTTL: 90 }),
        test.admin('PATCH', url(identityId), { accessTokenMaxTTL: 50 }),
      ]);
      const { accessTokenTTL, accessTokenMaxTTL } = (await test.admin('GET', url(identityId))).body[key];
      expect(accessTokenTTL).toBeLessThanOrEqual(accessTokenMaxTTL);
    }
  });

  it('refuses values outside their bounds with 422, and addresses that are none with 400', async () => {
    const { identityId } = await attached();
    const another = await identity();
    for (const field of ['accessTokenTTL', 'accessTokenMaxTTL', 'accessTokenNumUsesLimit', 'accessTokenPeriod']) {
      for (const value of [-1, 0.5, 1e12, '60', null]) {
        for (const [method, id] of [
          ['POST', another],
          ['PATCH', identityId],
        ] as const) {
          expect([field, value, method, (await test.admin(method, url(id), { [field]: value })).status]).toEqual([
            field,
            value,
            method,
            422,
          ]);
        }
      }
    }
    for (const [trusted, status] of [
      [[], 422],
      ['10.0.0.0/8', 422],
      [[{ ipAddress: 'nowhere' }], 400],
      [[{ ipAddress: '10.0.0.0/33' }], 400],
      [[{ ipAddress: '::/129' }], 400],
      [[{ ipAddress: '' }], 400],
      [[{ ipAddress: '10.0.0.1\u0000' }], 400],
    ] as const) {
      for (const [method, id] of [
        ['POST', another],
        ['PATCH', identityId],
      ] as const) {
        const { status: got } = await test.admin(method, url(id), { accessTokenTrustedIps: trusted });
        expect([trusted, method, got]).toEqual([trusted, method, status]);
      }
    }
    expect((await test.admin('GET', url(another))).status).toBe(NOT_ATTACHED[kind]!.GET);
  });

  it('reports errors in the published order of checks, to readers of identities', async () => {
    const { call: powerless } = await test.identity({ organizationRules: [{ subject: 'identity', action: ['read'] }] });
    const { identityId } = await attached();
    const without = await identity();
    // Validation of the body comes before the permission, as published; the permission comes before the addresses.
    expect((await powerless('POST', url(newId()), {})).status).toBe(404);
    expect((await powerless('POST', url(identityId), {})).status).toBe(400);
    expect((await powerless('POST', url(without), { accessTokenTTL: 2, accessTokenMaxTTL: 1 })).status).toBe(400);
    expect((await powerless('POST', url(without), { accessTokenTrustedIps: [{ ipAddress: 'x' }] })).status).toBe(403);
    expect((await powerless('PATCH', url(without), {})).status).toBe(NOT_ATTACHED[kind]!.PATCH);
    expect((await powerless('PATCH', url(identityId), { accessTokenTTL: 2, accessTokenMaxTTL: 1 })).status).toBe(400);
    expect((await powerless('PATCH', url(identityId), { accessTokenTrustedIps: [{ ipAddress: 'x' }] })).status).toBe(
      403,
    );
    for (const method of ['PATCH', 'DELETE'] as const) {
      const { body } = await powerless(method, url(identityId), method === 'PATCH' ? {} : undefined);
      expect(body).toMatchObject({ statusCode: 403, error: 'PermissionDenied' });
    }
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect((await test.admin(method, url(without), method === 'PATCH' ? {} : undefined)).status).toBe(
        NOT_ATTACHED[kind]![method],
      );
  });

  it('tells whoever may not read identities neither which there are nor whether one has the method', async () => {
    const { call: blind } = await test.identity({ organizationRole: 'no-access' });
    const { identityId } = await attached();
    for (const method of METHODS) {
      const body = method === 'POST' || method === 'PATCH' ? { accessTokenTTL: 2, accessTokenMaxTTL: 1 } : undefined;
      const answers = [];
      for (const id of [identityId, await identity(), newId()]) {
        const { status, body: answer } = await blind(method, url(id), body);
        answers.push({ status, text: JSON.stringify({ ...answer, reqId: '' }).replaceAll(id, '') });
      }
      expect(answers).toEqual([answers[0], answers[0], answers[0]]);
      expect(answers[0]).toMatchObject({ status: 403 });
    }
  });

  it.each([
    ['POST', 'create'],
    ['GET', 'read'],
    ['PATCH', 'edit'],
    ['DELETE', 'edit'],
  ] as const)('needs for %s the right to %s identities, and no other', async (method, action) => {
    const { body: made } = await test.admin('POST', '/api/v1/identities', {
      name: 'x',
      organizationId: test.organizationId,
    });
    const identityId = made.identity.id;
    if (method !== 'POST') await test.admin('POST', url(identityId), {});
    const others = ['read', 'create', 'edit', 'delete', 'create-token', 'revoke-auth'].filter((one) => one !== action);
    const { call: wrong } = await test.identity({ organizationRules: [{ subject: 'identity', action: others }] });
    const { call: right } = await test.identity({ organizationRules: [{ subject: 'identity', action: [action] }] });
    const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
    expect((await wrong(method, url(identityId), body)).status).toBe(403);
    expect((await right(method, url(identityId), body)).status).toBe(200);
  });

  it('gives another organization the same answer as for an unknown identity', async () => {
    const { identityId } = await attached();
    const { call: foreign } = await test.foreign();
    for (const method of METHODS) {
      const body = method === 'POST' || method === 'PATCH' ? { accessTokenTTL: 5 } : undefined;
      const answers = await Promise.all(
        [identityId, newId(), 'no-id', '%00'].map((id) => foreign(method, url(id), body)),
      );
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(bodyOf(answer)).toEqual(bodyOf(answers[0]!));
      }
      expect((await test.as()(method, url(identityId), body)).status).toBe(401);
    }
    expect((await test.admin('GET', url(identityId))).body[key].accessTokenTTL).toBe(2592000);
  });

  it('refuses changes to the login methods of an identity with more rights', async () => {
    const mighty = await identity('admin');
    await test.admin('POST', url(mighty), {});
    const bare = await identity('admin');
    const { call: member } = await test.identity({ organizationRole: 'member' });
    expect((await member('GET', url(mighty))).status).toBe(200);
    for (const [method, id] of [
      ['POST', bare],
      ['PATCH', mighty],
      ['DELETE', mighty],
    ] as const) {
      const { status, body } = await member(method, url(id), method === 'DELETE' ? undefined : {});
      expect([method, status, body.error]).toEqual([method, 403, 'PermissionBoundaryError']);
      expect(body.details.missingPermissions.length).toBeGreaterThan(0);
    }
  });

  it('refuses changes to the login methods of an identity with roles in projects of others', async () => {
    const project = await test.project();
    const { id } = await test.identity({ organizationRole: 'member', projectId: project.id, projectRole: 'member' });
    const { call: outsider } = await test.identity({ organizationRole: 'member' });
    const { call: insider } = await test.identity({
      organizationRole: 'member',
      projectId: project.id,
      projectRole: 'member',
    });
    const { call: viewer } = await test.identity({
      organizationRole: 'member',
      projectId: project.id,
      projectRole: 'viewer',
    });
    // Its own token hangs on token auth; universal auth is still to be attached.
    const method = kind === 'token-auth' ? 'PATCH' : 'POST';
    expect((await outsider(method, url(id), {})).body.error).toBe('PermissionBoundaryError');
    expect((await viewer(method, url(id), {})).body.error).toBe('PermissionBoundaryError');
    expect((await insider(method, url(id), {})).status).toBe(200);
  });

  it('writes an event for each change and each read', async () => {
    const { identityId } = await attached();
    await test.admin('GET', url(identityId));
    await test.admin('PATCH', url(identityId), { accessTokenTTL: 60 });
    await test.admin('DELETE', url(identityId));
    const { rows } = await test.coffer.pool.query(
      `select published from audit_events where data ->> 'authMethodId' is not null and data ->> 'identityId' = $1 order by created_at, id`,
      [identityId],
    );
    expect(rows.map(({ published }) => published)).toEqual(
      ['add', 'get', 'update', 'revoke'].map((verb) => `${verb}-identity-${kind}`),
    );
  });
});
