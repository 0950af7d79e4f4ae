import { reapLease } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECRETS, dynamicPlace, DynamicSecretAtWork, type DynamicPlace } from '../../harness/dynamic-secret.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let place: DynamicPlace;
beforeAll(async () => {
  test = await testServer();
  place = await dynamicPlace(test);
});
afterAll(() => test.close());

const INPUTS = { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' };
let made = 0;
const create = async (more: object = {}, at = place) => {
  const one = new DynamicSecretAtWork(test, at, `secret-${made++}`);
  const answer = await one.create('totp', INPUTS, more);
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return { one, dynamicSecret: answer.body.dynamicSecret };
};
const body = (more: object = {}) => ({
  ...place.here,
  name: `secret-${made++}`,
  defaultTTL: '1h',
  provider: { type: 'totp', inputs: INPUTS },
  ...more,
});
const events = async (...names: string[]) => {
  const { rows } = await test.coffer.pool.query<{ type: string; published: string; data: object }>(
    `select type, published, data from audit_events where project_id = $1 and type = any($2) order by created_at, id`,
    [place.projectId, names],
  );
  return rows;
};

/** Every request that a caller can make here. */
const OPERATIONS = (name: string, leaseId: string) =>
  [
    ['GET', `${SECRETS}?${place.query}`, undefined],
    ['POST', SECRETS, body()],
    ['GET', `${SECRETS}/${name}?${place.query}`, undefined],
    ['PATCH', `${SECRETS}/${name}`, { ...place.here, data: { defaultTTL: '2h' } }],
    ['DELETE', `${SECRETS}/${name}`, place.here],
    ['GET', `${SECRETS}/${name}/leases?${place.query}`, undefined],
    ['POST', `${SECRETS}/leases`, { ...place.here, dynamicSecretName: name }],
    ['POST', `${SECRETS}/leases/kubernetes`, { ...place.here, dynamicSecretName: name }],
    ['GET', `${SECRETS}/leases/${leaseId}?${place.query}`, undefined],
    ['POST', `${SECRETS}/leases/${leaseId}/renew`, place.here],
    ['DELETE', `${SECRETS}/leases/${leaseId}`, place.here],
  ] as const;

describe('a dynamic secret', () => {
  it('is created, listed, read, updated and deleted in the published shape', async () => {
    const metadata = [{ key: 'team', value: 'billing' }];
    const { one, dynamicSecret } = await create({ maxTTL: '8h', metadata });
    expect(dynamicSecret).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: one.name,
      version: 1,
      type: 'totp',
      defaultTTL: '1h',
      maxTTL: '8h',
      folderId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: null,
      statusDetails: null,
      usernameTemplate: null,
      projectGatewayId: null,
      metadata,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const list = await test.admin('GET', `${SECRETS}?${place.query}`);
    expect(list.body.dynamicSecrets).toContainEqual(dynamicSecret);
    expect((await one.get()).body.dynamicSecret).toEqual({ ...dynamicSecret, inputs: { configType: 'manual' } });
    const changed = await one.update({ defaultTTL: '2h', maxTTL: null, metadata: [], newName: `${one.name}-2` });
    expect(changed.body.dynamicSecret).toEqual({
      ...dynamicSecret,
      name: `${one.name}-2`,
      version: 2,
      defaultTTL: '2h',
      maxTTL: null,
      metadata: [],
      updatedAt: expect.any(String),
    });
    const renamed = new DynamicSecretAtWork(test, place, `${one.name}-2`);
    expect((await renamed.get()).body.dynamicSecret).toMatchObject(changed.body.dynamicSecret);
    expect((await renamed.delete()).body.dynamicSecret).toEqual(changed.body.dynamicSecret);
    expect((await renamed.get()).status).toBe(404);
  });

  it('is written down in the audit log under the published names, without values', async () => {
    const { one, dynamicSecret } = await create();
    await one.get();
    await one.update({ inputs: { secret: 'GEZDGNBVGY3TQOJQ' } });
    await one.delete();
    const data = {
      environment: 'dev',
      secretPath: '/',
      dynamicSecretId: dynamicSecret.id,
      dynamicSecretName: one.name,
      dynamicSecretType: 'totp',
    };
    const written = await events(
      'dynamic_secret.created',
      'dynamic_secret.read',
      'dynamic_secret.updated',
      'dynamic_secret.deleted',
    );
    expect(written.filter((event) => JSON.stringify(event.data).includes(dynamicSecret.id))).toEqual([
      { type: 'dynamic_secret.created', published: 'create-dynamic-secret', data },
      { type: 'dynamic_secret.read', published: 'get-dynamic-secret', data },
      { type: 'dynamic_secret.updated', published: 'update-dynamic-secret', data: { ...data, changed: ['inputs'] } },
      {
        type: 'dynamic_secret.deleted',
        published: 'delete-dynamic-secret',
        data: { ...data, isForced: false, leases: 0 },
      },
    ]);
    expect(JSON.stringify(written)).not.toMatch(/JBSWY3DP|GEZDGNBV/);
  });

  it('has a unique name in a folder, and can exist in several folders', async () => {
    const { one } = await create();
    const again = await one.create('totp', INPUTS);
    expect([again.status, again.body.message]).toEqual([
      400,
      'A dynamic secret with this name already exists in the folder',
    ]);
    const other = await create();
    expect((await other.one.update({ newName: one.name })).status).toBe(400);
    await test.admin('POST', '/api/v2/folders', {
      projectId: place.projectId,
      environment: 'dev',
      name: 'deep',
      path: '/',
    });
    const deep = { ...place, here: { ...place.here, path: '/deep' }, query: `${place.query}deep` };
    expect((await new DynamicSecretAtWork(test, deep, one.name).create('totp', INPUTS)).status).toBe(200);
  });

  it.each([
    [{ name: '' }, 422],
    [{ name: 'a b' }, 422],
    [{ name: 'a/b' }, 422],
    [{ name: '-a' }, 422],
    [{ name: 'x'.repeat(65) }, 422],
    [{ defaultTTL: undefined }, 422],
    [{ defaultTTL: '0s' }, 422],
    [{ defaultTTL: '999ms' }, 422],
    [{ defaultTTL: '11y' }, 422],
    [{ defaultTTL: 'soon' }, 422],
    [{ defaultTTL: 3600 }, 422],
    [{ maxTTL: '11y' }, 422],
    [{ maxTTL: '30m' }, 400],
    [{ maxTTL: null }, 200],
    [{ provider: undefined }, 422],
    [{ provider: { type: 'cassandra', inputs: {} } }, 422],
    [{ provider: { type: 'totp' } }, 422],
    [{ usernameTemplate: 'x-{{randomUsername}}' }, 400],
    [{ usernameTemplate: null }, 200],
    [{ metadata: [{ key: '' }] }, 422],
    [{ metadata: [{ key: 'x'.repeat(256) }] }, 422],
    [{ metadata: Array.from({ length: 101 }, () => ({ key: 'a' })) }, 422],
    [{ path: '/nowhere' }, 404],
    [{ environmentSlug: 'nowhere' }, 404],
    [{ projectSlug: 'nowhere' }, 404],
    [{ projectSlug: undefined }, 422],
  ])('is created with %j: %i', async (more, status) => {
    const answer = await test.admin('POST', SECRETS, body(more));
    expect([answer.status, answer.status === 200 || answer.body.statusCode]).toEqual([
      status,
      status === 200 || status,
    ]);
  });

  it('keeps the fields that an update omits, and rejects inconsistent ones', async () => {
    const { one, dynamicSecret } = await create({ maxTTL: '2h' });
    const { body: unchanged } = await one.update({});
    expect(unchanged.dynamicSecret).toEqual({ ...dynamicSecret, version: 2, updatedAt: expect.any(String) });
    expect((await one.update({ defaultTTL: '3h' })).status).toBe(400);
    expect((await one.update({ maxTTL: '30m' })).status).toBe(400);
    expect((await one.update({ usernameTemplate: '{{randomUsername}}' })).status).toBe(400);
    expect((await one.update({ inputs: { digits: 99 } })).body).toMatchObject({
      statusCode: 422,
      error: 'ValidationFailure',
      details: [expect.objectContaining({ path: ['data', 'inputs', 'digits'] })],
    });
    expect((await one.get()).body.dynamicSecret).toMatchObject({ version: 2, maxTTL: '2h' });
  });
});

describe('dynamic secrets', () => {
  it('are for holders of a token of the organization, and 404 for all others', async () => {
    const { one } = await create();
    const { lease } = (await one.lease()).body;
    const foreign = await test.foreign();
    const stranger = await test.identity();
    for (const [method, url, input] of OPERATIONS(one.name, lease.id)) {
      expect([url, (await test.as()(method, url, input)).status]).toEqual([url, 401]);
      const unknown = await foreign.call(
        method,
        url.replace(place.here.projectSlug, 'none'),
        input && { ...input, projectSlug: 'none' },
      );
      const answer = await foreign.call(method, url, input);
      expect([url, answer.status, answer.body.message]).toEqual([url, 404, unknown.body.message]);
      expect([url, (await stranger.call(method, url, input)).status]).toEqual([url, 404]);
    }
  });

  it('need the specific permission for each operation', async () => {
    const needs = [
      ['lease', 'read-root-credential'],
      ['create-root-credential'],
      ['lease', 'read-root-credential'],
      ['edit-root-credential'],
      ['delete-root-credential'],
      ['lease', 'read-root-credential'],
      ['lease'],
      ['lease'],
      // The lease belongs to another actor.
      ['read-root-credential'],
      ['edit-root-credential'],
      ['edit-root-credential'],
    ];
    const all = [
      'read-root-credential',
      'create-root-credential',
      'edit-root-credential',
      'delete-root-credential',
      'lease',
    ];
    const { projectId } = place;
    const callers = new Map(
      await Promise.all(
        all.map(async (action) => {
          const rules = [{ subject: 'dynamic-secrets', action: [action] }];
          return [action, (await test.identity({ projectId, rules })).call] as const;
        }),
      ),
    );
    for (const [index, wanted] of needs.entries()) {
      for (const action of all) {
        const { one } = await create();
        const { lease } = (await one.lease()).body;
        const [method, url, input] = OPERATIONS(one.name, lease.id)[index]!;
        const { status } = await callers.get(action)!(method, url, input);
        // The Kubernetes operation is for dynamic secrets of Kubernetes.
        const allowed = url.endsWith('/kubernetes') ? 400 : 200;
        expect([url, action, status]).toEqual([url, action, wanted.includes(action) ? allowed : 403]);
      }
    }
  });

  it('return their inputs only to callers who may read them', async () => {
    const { one } = await create();
    const ask = async (action: string) => {
      const rules = [{ subject: 'dynamic-secrets', action: [action] }];
      const { call } = await test.identity({ projectId: place.projectId, rules });
      return (await new DynamicSecretAtWork(test, place, one.name, call).get()).body.dynamicSecret.inputs;
    };
    expect(await ask('read-root-credential')).toEqual({ configType: 'manual' });
    expect(await ask('lease')).toBeNull();
  });

  it('are protected by their location and by their metadata', async () => {
    const billing = {
      metadata: [
        { key: 'team', value: 'billing' },
        { key: 'tier', value: '1' },
      ],
    };
    const shipping = { metadata: [{ key: 'team', value: 'shipping' }] };
    const [mine, others, nobodys] = [await create(billing), await create(shipping), await create()];
    const conditions = { metadata: { $elemMatch: { key: 'team', value: 'billing' } } };
    const all = [
      'read-root-credential',
      'create-root-credential',
      'edit-root-credential',
      'delete-root-credential',
      'lease',
    ];
    const { call } = await test.identity({
      projectId: place.projectId,
      rules: [{ subject: 'dynamic-secrets', action: all, conditions }],
    });
    const as = ({ one }: typeof mine) => new DynamicSecretAtWork(test, place, one.name, call);
    const list = (await call('GET', `${SECRETS}?${place.query}`)).body.dynamicSecrets;
    expect(list.map(({ name }: { name: string }) => name)).toEqual([mine.one.name]);
    const { lease } = (await as(mine).lease()).body;
    expect((await as(mine).renew(lease.id)).status).toBe(200);
    const { lease: foreign } = (await others.one.lease()).body;
    for (const one of [as(others), as(nobodys)]) {
      const answers = [
        one.get(),
        one.lease(),
        one.update({ defaultTTL: '2h' }),
        one.delete(),
        one.leases().catch(() => ({ status: 403 })),
      ];
      expect((await Promise.all(answers)).map((answer) => ('status' in answer ? answer.status : 200))).toEqual([
        403, 403, 403, 403, 403,
      ]);
    }
    expect((await as(mine).revoke(foreign.id)).status).toBe(403);
    expect((await as(mine).getLease(foreign.id)).status).toBe(403);
    // An unknown name is checked without metadata.
    expect((await new DynamicSecretAtWork(test, place, 'nothing', call).get()).status).toBe(403);
    expect((await call('POST', SECRETS, body(billing))).status).toBe(200);
    expect((await call('POST', SECRETS, body(shipping))).status).toBe(403);
    expect((await call('POST', SECRETS, body())).status).toBe(403);
    // Nor may it be handed to others, or taken from them.
    expect((await as(mine).update(shipping)).status).toBe(403);
    expect((await as(others).update(billing)).status).toBe(403);
    expect((await as(mine).update({ metadata: billing.metadata.slice(0, 1) })).status).toBe(200);
  });

  it('are guarded by environment and path', async () => {
    const { one } = await create();
    const may = async (conditions: object) => {
      const rules = [{ subject: 'dynamic-secrets', action: ['lease'], conditions: { ...conditions } }];
      const { call } = await test.identity({ projectId: place.projectId, rules });
      return (await new DynamicSecretAtWork(test, place, one.name, call).lease()).status;
    };
    expect(await may({ environment: 'dev', secretPath: '/' })).toBe(200);
    expect(await may({ environment: 'prod' })).toBe(403);
    expect(await may({ secretPath: { $glob: '/deep/**' } })).toBe(403);
  });

  it('are read by viewers and leased by members', async () => {
    const { one } = await create();
    const as = async (projectRole: string) => {
      const { call } = await test.identity({ projectId: place.projectId, projectRole });
      return new DynamicSecretAtWork(test, place, one.name, call);
    };
    const [viewer, member, nobody] = [await as('viewer'), await as('member'), await as('no-access')];
    expect((await viewer.get()).body.dynamicSecret.inputs).toEqual({ configType: 'manual' });
    expect([(await viewer.lease()).status, (await member.lease()).status]).toEqual([403, 200]);
    expect((await nobody.get()).status).toBe(403);
    expect((await nobody.call('GET', `${SECRETS}?${place.query}`)).status).toBe(403);
  });
});

describe('the container of a dynamic secret with leases', () => {
  it('cannot be deleted before its leases are revoked', async () => {
    const { organizationId, identity } = await test.foreign();
    const { token } = await makeUser(test.coffer, { organizationId, role: 'admin' });
    const call = test.as(identity.token);
    const { project } = (await call('POST', '/api/v1/projects', { projectName: 'Shop' })).body;
    const projectId: string = project.id;
    const { environment } = (
      await call('POST', `/api/v1/projects/${projectId}/environments`, { name: 'QA', slug: 'qa' })
    ).body;
    const { folder } = (await call('POST', '/api/v2/folders', { projectId, environment: 'qa', name: 'app' })).body;
    const here = { projectSlug: project.slug, environmentSlug: 'qa', path: '/app' };
    const at = { projectId, here, query: new URLSearchParams(here).toString() };
    const one = new DynamicSecretAtWork(test, at, 'codes', call);
    await one.create('totp', INPUTS);
    await one.lease();
    const deletions = [
      () => call('DELETE', `/api/v2/folders/${folder.id}`, { projectId, environment: 'qa' }),
      () => call('DELETE', `/api/v1/projects/${projectId}/environments/${environment.id}`),
      () => call('DELETE', `/api/v1/projects/${projectId}`),
      () => test.as(token)('DELETE', `/api/v2/organizations/${organizationId}`),
    ];
    for (const deletion of deletions) {
      const { status, body: refused } = await deletion();
      expect([status, refused.message]).toEqual([400, expect.stringContaining('Revoke the leases first')]);
    }
    expect(await one.leases()).toHaveLength(1);
    const [lease] = await one.leases();
    expect((await one.delete({ isForced: true })).status).toBe(200);
    for (const deletion of deletions) expect((await deletion()).status).toBe(400);
    await reapLease(test.coffer.contextFor({ type: 'platform', organizationId }), organizationId, lease!.id);
    for (const deletion of deletions) expect((await deletion()).status).toBe(200);
  });
});
