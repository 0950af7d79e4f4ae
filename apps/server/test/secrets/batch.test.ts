import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Approvals, type Member } from '../harness/approvals.ts';
import { recordedDeadlocks } from '../harness/deadlocks.ts';
import { ok } from '../harness/groups.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ poolSize: 16 });
});
afterAll(() => test.close());

const DEV = { environment: 'dev', secretPath: '/' };
const APP = { environment: 'dev', secretPath: '/app' };
const PROD = { environment: 'prod', secretPath: '/' };

/** A project with the folder /app in dev, and A and B in the root folders of dev and prod. */
async function setUp() {
  const of = await Approvals.in(test);
  const projectId = of.project.id;
  await of.folder('/', 'app', 'dev');
  for (const environment of ['dev', 'prod'])
    for (const key of ['A', 'B']) await of.secret(key, `${key} of ${environment}`, '/', environment);
  return {
    of,
    projectId,
    change: (changes: object[], more: object = {}, call: Caller = test.admin) =>
      call('POST', `/api/v1/projects/${projectId}/secrets/changes`, { changes, ...more }),
    values: async () => ({
      dev: await of.values('/', 'dev'),
      app: await of.values('/app', 'dev'),
      prod: await of.values('/', 'prod'),
    }),
    reader: async (rules: object[]) => (await test.identity({ projectId, rules: rules as never })).call,
  };
}

const value = (secretKey: string, secretValue: string) => ({ secretKey, secretValue });
const key = (secretKey: string) => ({ secretKey });

describe('a batch of changes', () => {
  it('creates, updates and deletes in several environments and folders, in one commit with its message', async () => {
    const { of, projectId, change, values } = await setUp();
    const { secrets } = await ok(
      change(
        [
          { ...PROD, create: [value('C', 'new')], update: [value('A', 'changed')] },
          { ...DEV, update: [{ ...key('A'), newSecretName: 'A2' }], delete: [key('B')] },
          { ...APP, create: [value('D', 'first')] },
        ],
        { message: ' Rename A ' },
      ),
    );
    expect(await values()).toEqual({
      dev: { A2: 'A of dev' },
      app: { D: 'first' },
      prod: { A: 'changed', B: 'B of prod', C: 'new' },
    });
    const row = (op: string, place: object, secretKey: string, version: number) => ({
      ...{ op, ...place, secretKey, version },
      ...{ type: 'shared', id: expect.any(String) },
    });
    expect(secrets).toEqual([
      row('delete', DEV, 'B', 1),
      row('update', DEV, 'A2', 2),
      row('update', PROD, 'A', 2),
      row('create', APP, 'D', 1),
      row('create', PROD, 'C', 1),
    ]);
    const commitsOf = async ({ environment, secretPath }: typeof DEV) => {
      const query = `environment=${environment}&secretPath=${secretPath}`;
      return (await ok(test.admin('GET', `/api/v1/projects/${projectId}/commits?${query}`))).commits;
    };
    const newest = await Promise.all([DEV, APP, PROD].map(async (place) => (await commitsOf(place))[0]));
    expect(new Set(newest.map(({ id }) => id)).size).toBe(1);
    expect(newest[0].message).toBe('Rename A');
    const names = async (published: string) => (await of.events(published)).map(({ environment }) => environment);
    expect([await names('delete-secrets'), await names('update-secrets'), await names('create-secrets')]).toEqual([
      ['dev'],
      ['dev', 'prod'],
      ['dev', 'prod'],
    ]);
  });

  it('changes nothing if one part of it is refused', async () => {
    const { change, values, reader } = await setUp();
    const before = await values();
    const first = { ...DEV, create: [value('NEW', '1')], delete: [key('A')] };
    const missing = await change([first, { ...PROD, update: [value('NONE', '1')] }]);
    expect(missing).toMatchObject({ status: 404, body: { details: { keys: ['NONE'] } } });
    const taken = await change([first, { ...PROD, create: [value('A', '1')] }]);
    expect(taken).toMatchObject({ status: 400, body: { details: { keys: ['A'] } } });
    const call = await reader([
      {
        subject: 'secrets',
        action: ['describeSecret', 'create', 'edit', 'delete'],
        conditions: { environment: 'dev' },
      },
    ]);
    for (const one of [{ create: [value('C', '1')] }, { update: [value('A', '1')] }, { delete: [key('A')] }])
      expect((await change([first, { ...PROD, ...one }], {}, call)).status).toBe(403);
    expect(await values()).toEqual(before);
    expect((await change([first], {}, call)).status).toBe(200);
  });

  it('may give a freed name to another secret', async () => {
    const { change, values } = await setUp();
    await ok(
      change([
        { ...DEV, delete: [key('B')], update: [{ ...key('A'), newSecretName: 'B' }], create: [value('A', 'new')] },
      ]),
    );
    expect((await values()).dev).toEqual({ A: 'new', B: 'A of dev' });
    await ok(
      change([
        {
          ...DEV,
          update: [
            { ...key('A'), newSecretName: 'B' },
            { ...key('B'), newSecretName: 'A' },
          ],
        },
      ]),
    );
    expect((await values()).dev).toEqual({ A: 'A of dev', B: 'new' });
  });

  it('answers the version that a secret has in the end', async () => {
    const { change, values } = await setUp();
    const { secrets } = await ok(
      change([
        { ...DEV, update: [value('A', 'to ${prod.A}')] },
        { ...PROD, update: [{ ...key('A'), newSecretName: 'RENAMED' }] },
      ]),
    );
    expect((await values()).dev).toMatchObject({ A: 'to ${prod.RENAMED}' });
    expect(secrets[0]).toMatchObject({ secretKey: 'A', version: 3 });
  });

  it('deletes personal values of the caller', async () => {
    const { of, projectId, change } = await setUp();
    const { call: ann } = await of.member();
    const { call: ben } = await of.member();
    const own = { projectId, ...DEV, secretValue: 'mine', type: 'personal' };
    for (const call of [ann, ben]) await ok(call('POST', '/api/v4/secrets/A', own));
    const { secrets } = await ok(change([{ ...DEV, delete: [{ ...key('A'), type: 'personal' }] }], {}, ann));
    expect(secrets).toEqual([expect.objectContaining({ op: 'delete', type: 'personal', secretKey: 'A' })]);
    const read = `/api/v4/secrets/A?projectId=${projectId}&environment=dev&type=personal`;
    expect([(await ann('GET', read)).status, (await ben('GET', read)).status]).toEqual([404, 200]);
  });

  it('names each folder once, and changes something', async () => {
    const { change } = await setUp();
    const create = [value('C', '1')];
    const refusals = [
      [
        await change([
          { ...DEV, create },
          { environment: 'dev', create: [value('D', '1')] },
        ]),
        400,
      ],
      [await change([DEV]), 400],
      [await change([{ ...DEV, create: [...create, ...create] }]), 400],
      [await change([]), 422],
      [await change([{ ...DEV, update: [{ ...key('A'), expectedVersion: 0 }] }]), 422],
      [await change([{ environment: 'none', create }]), 404],
    ] as const;
    expect(refusals.map(([{ status }]) => status)).toEqual(refusals.map(([, expected]) => expected));
  });

  it('is of a member of the project, with a token', async () => {
    const { projectId, change } = await setUp();
    const { call: foreign } = await test.foreign();
    const { call: outsider } = await test.identity();
    const changes = [{ ...DEV, create: [value('C', '1')] }];
    expect((await change(changes, {}, foreign)).status).toBe(404);
    expect((await change(changes, {}, outsider)).status).toBe(404);
    expect((await test.as()('POST', `/api/v1/projects/${projectId}/secrets/changes`, { changes })).status).toBe(401);
  });
});

describe('an expected version', () => {
  it('refuses with 409 and the name what somebody else has changed since', async () => {
    const { of, change, values } = await setUp();
    await ok(of.change(test.admin, 'A', { secretValue: 'by another' }));
    const before = await values();
    const refused = await change([
      { ...DEV, update: [{ ...value('A', 'mine'), expectedVersion: 1 }] },
      { ...PROD, update: [{ ...value('A', 'mine'), expectedVersion: 1 }, value('B', 'mine')] },
    ]);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: 'Conflict',
        message: expect.stringContaining('A (prod, /)'),
        details: { secrets: [{ ...PROD, secretKey: 'A', expectedVersion: 1, version: 2 }] },
      },
    });
    expect(await values()).toEqual(before);
    await ok(change([{ ...PROD, update: [{ ...value('A', 'mine'), expectedVersion: 2 }] }]));
    expect((await values()).prod).toMatchObject({ A: 'mine' });
  });

  it('lets one of several concurrent changes through', async () => {
    const { change, values } = await setUp();
    const answers = await Promise.all(
      ['1', '2', '3', '4', '5'].map((mine) =>
        change([
          { ...PROD, update: [{ ...value('A', mine), expectedVersion: 1 }] },
          { ...DEV, update: [{ ...value('A', mine), expectedVersion: 1 }] },
        ]),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
    const { dev, prod } = await values();
    expect(dev['A']).toBe(prod['A']);
  });

  it('tells who may not edit a secret nothing about its version', async () => {
    const { change, reader } = await setUp();
    const call = await reader([{ subject: 'secrets', action: ['edit'], conditions: { environment: 'dev' } }]);
    const update = (expectedVersion: number) =>
      change([{ ...PROD, update: [{ ...value('A', 'mine'), expectedVersion }] }], {}, call);
    expect([(await update(1)).status, (await update(7)).status]).toEqual([403, 403]);
  });
});

describe('a batch under change policies', () => {
  const both = [
    { ...DEV, create: [value('C', 'new')] },
    { ...PROD, update: [{ ...value('A', 'changed'), expectedVersion: 1 }], delete: [key('B')] },
  ];

  async function underPolicies() {
    const world = await setUp();
    const [author, approver] = [await world.of.member(), await world.of.member()];
    const approved = async (id: string, by: Member) => {
      await ok(world.of.review(by.call, id));
      return world.of.merge(by.call, id);
    };
    return { ...world, author, approver, approved };
  }

  it('is one request for all of it, which is merged or not as a whole', async () => {
    const { of, change, values, author, approver, approved } = await underPolicies();
    const [ofProd, ofDev] = [await of.policy([approver]), await of.policy([approver], { environment: 'dev' })];
    const before = await values();
    const { approval } = await ok(change(both, { message: 'All' }, author.call));
    expect(await values()).toEqual(before);
    const { approval: request } = await ok(of.get(approver.call, approval.id));
    expect(request.policies.map(({ id }: { id: string }) => id).toSorted()).toEqual([ofProd.id, ofDev.id].toSorted());
    expect(request.commits.map((one: { op: string; environment: string }) => `${one.op} ${one.environment}`)).toEqual([
      'create dev',
      'update prod',
      'delete prod',
    ]);
    expect((await of.merge(author.call, approval.id)).status).toBe(400);
    await ok(approved(approval.id, approver));
    expect(await values()).toEqual({
      dev: { ...before.dev, C: 'new' },
      app: {},
      prod: { A: 'changed' },
    });
  });

  it('is one request where only a part of it is covered', async () => {
    const { of, change, values, author, approver, approved } = await underPolicies();
    await of.policy([approver]);
    const before = await values();
    const { approval } = await ok(change(both, {}, author.call));
    expect(await values()).toEqual(before);
    await ok(approved(approval.id, approver));
    expect((await values()).dev).toEqual({ ...before.dev, C: 'new' });
  });

  it('compares expected versions when it is requested, and what it is based on after that', async () => {
    const { of, change, values, author, approver, approved } = await underPolicies();
    await of.policy([approver]);
    await ok(of.change(test.admin, 'A', { secretValue: 'by another' }));
    expect((await change(both, {}, author.call)).status).toBe(409);
    const based = [{ ...PROD, update: [{ ...value('A', 'changed'), expectedVersion: 2 }] }];
    const { approval } = await ok(change(based, {}, author.call));
    await ok(of.change(test.admin, 'A', { secretValue: 'by another, again' }));
    expect((await approved(approval.id, approver)).body).toMatchObject({
      details: { conflicts: [{ reason: 'changed' }] },
    });
    // Reopened, it is based on what is there now.
    await ok(of.status(author.call, approval.id, 'close'));
    await ok(of.status(author.call, approval.id, 'open'));
    await ok(approved(approval.id, approver));
    expect((await values()).prod).toMatchObject({ A: 'changed' });
  });
});

describe('concurrent batches', () => {
  it('wait for each other, and for other updates and deletions, without deadlocks', async () => {
    const { projectId, change } = await setUp();
    const deadlocks = recordedDeadlocks(test.coffer);
    const names = Array.from({ length: 8 }, (_, index) => `K${index}`);
    const places = [DEV, APP, PROD];
    /** Each names other secrets first, and changes, deletes or creates them. */
    const batch = (turn: number) =>
      places.map((place) => {
        const [one, two, three, four, five] = names.map((_name, at) => names[(at * 3 + turn) % names.length]!);
        if (turn % 7 === 6) return { ...place, update: [{ ...key(one!), newSecretName: five! }] };
        return turn % 2 === 0
          ? { ...place, update: [value(one!, '1'), value(two!, '2')], delete: [key(three!), key(four!)] }
          : { ...place, create: [value(two!, '3'), value(one!, '4')], delete: [key(five!)] };
      });
    const single = (turn: number) => {
      const place = { projectId, ...places[turn % places.length]! };
      const some = names.toSorted(() => (turn % 2 === 0 ? 1 : -1)).map((name) => value(name, 'x'));
      return turn % 2 === 0
        ? test.admin('PATCH', '/api/v4/secrets/batch', { ...place, mode: 'ignore', secrets: some })
        : test.admin('DELETE', '/api/v4/secrets/batch', { ...place, secrets: some.slice(0, 2) });
    };
    const statuses = new Set<number>();
    for (let round = 0; round < 8; round++) {
      // All of it is there again.
      for (const place of places)
        await ok(
          test.admin('PATCH', '/api/v4/secrets/batch', {
            ...{ projectId, ...place, mode: 'upsert' },
            secrets: names.slice(0, 4 + (round % 5)).map((name) => value(name, 'again')),
          }),
        );

      const calls = Array.from({ length: 12 }, (_, turn) =>
        turn % 4 === 3 ? single(turn) : change(batch(turn + round)),
      );
      for (const { status } of await Promise.all(calls)) statuses.add(status);
    }
    expect([...statuses].filter((status) => ![200, 400, 404].includes(status))).toEqual([]);
    expect(statuses.has(200)).toBe(true);
    expect(deadlocks).toEqual([]);
  });
});

describe('a batch of a person', () => {
  it('is refused to one who may only read', async () => {
    const { of, change } = await setUp();
    const { call } = await of.member('viewer');
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const changes = [{ ...DEV, create: [value('C', '1')] }];
    expect((await change(changes, {}, call)).status).toBe(403);
    expect((await change(changes, {}, test.as(user.token))).status).toBe(404);
  });
});
