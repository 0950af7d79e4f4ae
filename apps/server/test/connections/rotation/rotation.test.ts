import { newId } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok, same } from '../../harness/groups.ts';
import { rotatedPostgres, type RotatedPostgres } from '../../harness/rotated-postgres.ts';
import { ROTATIONS, RotationAtWork } from '../../harness/rotation.ts';
import type { Caller } from '../../harness/test-server.ts';

const TYPE = 'postgres-credentials';
const FIELDS = ['username', 'password'];
const DAY = 86_400_000;

let system: RotatedPostgres;
beforeAll(async () => {
  system = await rotatedPostgres();
});
afterAll(() => system.close());

const unmade = () => RotationAtWork.unmade(system, TYPE, FIELDS);
const made = (more?: object) => RotationAtWork.made(system, TYPE, FIELDS, more);
const admin: Caller = (...call) => system.test.admin(...call);

/** A caller with these rights in the project of a rotation. */
const withRules = async ({ projectId }: RotationAtWork, ...rules: [string, ...string[]][]): Promise<Caller> => {
  const allowed = rules.map(([subject, ...action]) => ({ subject, action }));
  return (await system.test.identity({ projectId, rules: allowed })).call;
};
const EVERYTHING: [string, ...string[]][] = [
  ['secret-rotation', 'read', 'create', 'edit', 'delete', 'rotate-secrets', 'read-generated-credentials'],
  ['app-connections', 'connect'],
  ['secrets', 'create', 'edit', 'delete', 'describeSecret', 'readValue'],
];

describe('creating a rotation', () => {
  it('answers all published fields, and the same when it is read, listed and found by its name', async () => {
    const one = await unmade();
    const { parameters } = await system.accounts();
    const before = system.test.coffer.now();
    const body = {
      parameters,
      description: 'of the shop',
      rotationInterval: 7,
      rotateAtUtc: { hours: 3, minutes: 45 },
    };
    const { secretRotation } = await ok(one.create(body));
    const next = new Date(Math.floor(before.getTime() / DAY) * DAY + 7 * DAY + (3 * 60 + 45) * 60_000);
    expect(secretRotation).toEqual({
      ...{ id: expect.any(String), name: 'the-rotation', description: 'of the shop', type: TYPE, parameters },
      ...{ secretsMapping: one.mapping, isAutoRotationEnabled: true, activeIndex: 0, folderId: expect.any(String) },
      ...{ connectionId: one.connectionId, rotationInterval: 7, rotateAtUtc: { hours: 3, minutes: 45 } },
      ...{ rotationStatus: 'success', lastRotationAttemptedAt: expect.any(String), lastRotatedAt: expect.any(String) },
      ...{ lastRotationJobId: expect.any(String), lastRotationMessage: null, nextRotationAt: next.toISOString() },
      ...{ isLastRotationManual: true, projectId: one.projectId, folder: { id: secretRotation.folderId, path: '/' } },
      connection: { id: one.connectionId, name: expect.any(String), app: 'postgres' },
      environment: { id: expect.any(String), name: 'Development', slug: 'dev' },
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
    });
    const query = `projectId=${one.projectId}`;
    expect(await ok(one.get())).toEqual({ secretRotation });
    expect(await ok(admin('GET', `${ROTATIONS}?${query}`))).toEqual({ secretRotations: [secretRotation] });
    expect(await one.list()).toEqual([secretRotation]);
    const named = `${ROTATIONS}/${TYPE}/rotation-name/the-rotation?${query}&environment=dev&secretPath=/`;
    expect(await ok(admin('GET', named))).toEqual({ secretRotation });
    const [created, rotated] = await one.events();
    expect(created).toMatchObject({ type: 'secret_rotation.created', data: { name: 'the-rotation', secretPath: '/' } });
    const secrets = Object.values(one.mapping)
      .toSorted()
      .map((secretKey) => expect.objectContaining({ secretKey, secretVersion: 1 }));
    expect(rotated).toMatchObject({ type: 'secret_rotation.rotated', data: { isManual: true, secrets } });
  });

  it('is one commit, with both secrets', async () => {
    const one = await made();
    const { rows } = await system.test.coffer.pool.query(
      'select count(distinct commit_id)::int as commits, count(*)::int as secrets from secrets where rotation_id = $1',
      [one.id],
    );
    expect(rows).toEqual([{ commits: 1, secrets: 2 }]);
  });

  it('is rejected for names that are taken, for another rotation of the same logins, and for the login of the connection', async () => {
    const one = await unmade();
    const { parameters } = await system.accounts();
    const body = { projectId: one.projectId, environment: 'dev', secretPath: '/', secretValue: 'x' };
    await ok(admin('POST', '/api/v4/secrets/THE_PASSWORD', body));
    await expectRefused(one.create({ parameters }), 400, 'THE_PASSWORD');
    await ok(admin('DELETE', '/api/v4/secrets/THE_PASSWORD', body));
    await expectRefused(one.create({ parameters, secretsMapping: { username: 'A', password: 'A' } }), 400, 'only once');
    await ok(one.create({ parameters }));
    const secretsMapping = { username: 'B_USERNAME', password: 'B_PASSWORD' };
    await expectRefused(one.create({ name: 'another', parameters, secretsMapping }), 400, 'Another rotation');
    const { parameters: others } = await system.accounts();
    await expectRefused(one.create({ parameters: others, secretsMapping }), 400, 'already exists');
    const own = { ...others, username1: system.credentials!['username'] };
    await expectRefused(one.create({ name: 'own', parameters: own, secretsMapping }), 400, 'other logins');
    expect(await one.list()).toHaveLength(1);
  });

  it('is rejected without the right to use the connection, to create rotations or to create the secrets', async () => {
    const one = await unmade();
    const accounts = await system.accounts();
    for (const [missing] of EVERYTHING.slice(0, 3)) {
      const call = await withRules(one, ...EVERYTHING.filter(([subject]) => subject !== missing), ['tags', 'read']);
      expect([missing, (await one.as(call).create(accounts)).status]).toEqual([missing, 403]);
    }
    expect(await one.list()).toEqual([]);
    const there = one.as(await withRules(one, ...EVERYTHING));
    await ok(there.create(accounts));
  });

  it('is rejected by a right that ends, unless it is without a schedule', async () => {
    const [one, standing] = [await unmade(), await made()];
    const temporaryAccessStartTime = system.test.coffer.now().toISOString();
    const hour = { isTemporary: true, temporaryMode: 'relative', temporaryRange: '1h', temporaryAccessStartTime };
    const forAnHour = async ({ projectId }: RotationAtWork) => {
      const { id, call } = await system.test.identity({ projectId, projectRole: 'no-access' });
      const roles = [
        { role: 'no-access', isTemporary: false },
        { role: 'admin', ...hour },
      ];
      await ok(admin('PATCH', `/api/v1/projects/${projectId}/memberships/identities/${id}`, { roles }));
      return call;
    };
    const there = one.as(await forAnHour(one));
    const accounts = await system.accounts();
    expect(await there.create(accounts)).toMatchObject({ status: 403, body: { error: 'PermissionBoundaryError' } });
    await ok(there.create({ ...accounts, isAutoRotationEnabled: false }));
    const editor = standing.as(await forAnHour(standing));
    expect((await editor.update({ rotationInterval: 1 })).status).toBe(403);
    await ok(editor.update({ isAutoRotationEnabled: false, rotationInterval: 1 }));
    expect((await editor.update({ isAutoRotationEnabled: true })).status).toBe(403);
  });

  it('is rejected for connections of other projects, apps and organizations', async () => {
    const [one, other] = [await unmade(), await unmade()];
    const accounts = await system.accounts();
    await expectRefused(one.create({ ...accounts, connectionId: other.connectionId }), 404);
    await expectRefused(one.create({ ...accounts, connectionId: newId() }), 404);
    const { call } = await system.test.foreign();
    expect((await one.as(call).create(accounts)).status).toBe(404);
    expect((await one.as(system.test.as()).create(accounts)).status).toBe(401);
  });

  it('is rejected for what the schema of its type does not allow', async () => {
    const one = await unmade();
    const { parameters } = await system.accounts();
    const wrong = [
      { parameters: {} },
      { parameters, rotationInterval: 0 },
      { parameters, rotateAtUtc: { hours: 24, minutes: 0 } },
      { parameters, secretsMapping: { username: 'ONLY' } },
      { parameters, name: 'not a slug!' },
    ];
    for (const body of wrong) expect([body, (await one.create(body)).status]).toEqual([body, 422]);
    expect((await admin('GET', `${ROTATIONS}/none-such?projectId=${one.projectId}`)).status).toBe(422);
  });
});

describe('a rotation', () => {
  it('is visible to those who may read rotations at its place, and unknown to others', async () => {
    const one = await made();
    const there = { environment: 'dev', secretPath: '/' };
    const reading = (conditions: Record<string, unknown>) => ({
      subject: 'secret-rotation',
      action: ['read'],
      conditions,
    });
    const { projectId } = one;
    const callerWith = async (conditions: Record<string, unknown>) =>
      one.as((await system.test.identity({ projectId, rules: [reading(conditions)] })).call);
    const reader = await callerWith(there);
    expect([(await reader.get()).status, (await reader.list()).length]).toEqual([200, 1]);
    for (const refused of [reader.rotate(), reader.delete(), reader.update({ rotationInterval: 2 })])
      await expectRefused(refused, 403);
    await expectRefused(reader.call('GET', reader.at('/generated-credentials')), 403);
    const elsewhere = await callerWith({ ...there, environment: 'prod' });
    expect([(await elsewhere.get()).status, (await elsewhere.list()).length]).toEqual([403, 0]);
    const { call } = await system.test.foreign();
    for (const path of ['', '/generated-credentials'])
      await same(call, 'GET', one.at(path), one.at(path).replace(one.id, newId()));
    for (const path of ['/rotate-secrets', '/reconcile'])
      await same(call, 'POST', one.at(path), one.at(path).replace(one.id, newId()));
  });

  it('is of a type that is offered', async () => {
    const { secretRotationOptions } = await ok(admin('GET', `${ROTATIONS}/options`));
    expect(secretRotationOptions).toContainEqual({
      ...{ name: 'PostgreSQL Credentials', type: TYPE, connection: 'postgres' },
      template: { secretsMapping: { username: 'POSTGRES_USERNAME', password: 'POSTGRES_PASSWORD' } },
    });
    const one = await made();
    expect((await admin('GET', one.at().replace(one.id, 'nothing'))).status).toBe(404);
  });

  it('records each reading of its credentials', async () => {
    const one = await made();
    await one.generated();
    expect((await one.events()).at(-1)).toMatchObject({ type: 'secret_rotation.credentials_read' });
  });

  it('is rotated by its job when it is due, and not before', async () => {
    const one = await made({ rotationInterval: 1 });
    const first = await one.active();
    await one.job();
    expect(await one.active()).toEqual(first);
    system.test.advance(2 * DAY);
    await one.job();
    expect(await one.active()).not.toEqual(first);
    const { secretRotation } = await ok(one.get());
    expect(secretRotation).toMatchObject({ isLastRotationManual: false, activeIndex: 1 });
    expect((await one.events()).at(-1)).toMatchObject({ type: 'secret_rotation.rotated', data: { isManual: false } });
  });

  it('is not repeated without automatic rotation', async () => {
    const one = await made({ isAutoRotationEnabled: false });
    expect((await ok(one.get())).secretRotation.nextRotationAt).toBeNull();
    const { secretRotation } = await ok(one.update({ isAutoRotationEnabled: true, rotationInterval: 3 }));
    const next = new Date(secretRotation.nextRotationAt).getTime() - new Date(secretRotation.lastRotatedAt).getTime();
    expect(next).toBeGreaterThan(2 * DAY);
    expect((await ok(one.update({ isAutoRotationEnabled: false }))).secretRotation.nextRotationAt).toBeNull();
  });

  it('follows its folder to another name', async () => {
    const one = await unmade();
    const folder = { projectId: one.projectId, environment: 'dev', path: '/', name: 'shop' };
    const { folder: shop } = await ok(admin('POST', '/api/v2/folders', folder));
    await ok(one.create({ ...(await system.accounts()), secretPath: '/shop' }));
    await ok(admin('PATCH', `/api/v2/folders/${shop.id}`, { ...folder, name: 'store' }));
    expect((await ok(one.rotate())).secretRotation.folder).toEqual({ id: shop.id, path: '/store' });
  });

  it('keeps its folder, its environment and its connection from being deleted', async () => {
    const one = await unmade();
    const folder = { projectId: one.projectId, environment: 'dev', path: '/', name: 'shop' };
    const { folder: shop } = await ok(admin('POST', '/api/v2/folders', folder));
    const { secretRotation } = await ok(one.create({ ...(await system.accounts()), secretPath: '/shop' }));
    await expectRefused(admin('DELETE', `/api/v2/folders/${shop.id}`, folder), 400, 'rotation');
    const environment = `/api/v1/projects/${one.projectId}/environments/${secretRotation.environment.id}`;
    await expectRefused(admin('DELETE', environment), 400, 'rotation');
    const connection = `/api/v1/app-connections/postgres/${one.connectionId}`;
    await expectRefused(admin('DELETE', connection), 400, 'used');
    const { projects } = await ok(admin('GET', `${connection}/usage`));
    expect(projects).toMatchObject([{ resources: { secretRotations: [{ id: one.id, type: TYPE }] } }]);
    await ok(one.delete('?deleteSecrets=true'));
    await ok(admin('DELETE', connection));
    await ok(admin('DELETE', `/api/v2/folders/${shop.id}`, folder));
  });

  it('keeps its project, whose deletion would leave its credentials elsewhere', async () => {
    const one = await made();
    const remove = () => admin('DELETE', `/api/v1/projects/${one.projectId}`);
    await expectRefused(remove(), 400, 'delete the rotations first');
    await ok(one.delete('?deleteSecrets=true'));
    await ok(remove());
    expect((await one.get()).status).toBe(404);
  });

  it('goes nowhere else: its connection cannot be given another address', async () => {
    const one = await made();
    const before = await one.active();
    const { password } = system.credentials as unknown as { password: string };
    const connection = `/api/v1/app-connections/postgres/${one.connectionId}`;
    const moved = { credentials: { port: system.gate.to.port, password } };
    await expectRefused(admin('PATCH', connection, moved), 400, 'cannot lead to another system');
    expect(await one.active()).toEqual(before);
    await ok(one.rotate());
    expect(await system.works(await one.active())).toBe(true);
  });
});

describe('reconciling a rotation', () => {
  it('takes the right to rotate', async () => {
    const one = await made();
    await expectRefused(one.as(await withRules(one, ['secret-rotation', 'read', 'edit'])).reconcile(), 403);
    await ok(one.as(await withRules(one, ['secret-rotation', 'read', 'rotate-secrets'])).reconcile());
  });

  it('changes nothing where the system cannot be reached, now and later', async () => {
    const one = await made();
    const before = await one.active();
    await system.shut();
    const answer = await one.reconcile();
    await system.open();
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('could not be checked')]);
    system.test.advance(60_000);
    await one.job();
    expect(await one.active()).toEqual(before);
    expect((await ok(one.get())).secretRotation).toMatchObject({ rotationStatus: 'success', activeIndex: 0 });
  });

  it('is continued as such after a failure', async () => {
    const one = await made();
    await system.invalidate(await one.active());
    const { rows } = await system.test.coffer.pool.query<{ parameters: { username2: string } }>(
      'select parameters from secret_rotations where id = $1',
      [one.id],
    );
    const second = rows[0]!.parameters.username2;
    await system.query(`alter role "${second}" rename to "${second}_away"`);
    await expectRefused(one.reconcile(), 400, 'does not exist');
    await system.query(`alter role "${second}_away" rename to "${second}"`);
    system.test.advance(60_000);
    await one.job();
    expect(await system.works(await one.active())).toBe(true);
    expect((await one.events()).at(-1)).toMatchObject({
      type: 'secret_rotation.reconciled',
      data: { isRepaired: true },
    });
  });
});

describe('updating a rotation', () => {
  it('changes the given fields, and records their names', async () => {
    const one = await made();
    const { secretRotation } = await ok(
      one.update({ name: 'renamed', description: null, rotateAtUtc: { hours: 1, minutes: 2 } }),
    );
    expect(secretRotation).toMatchObject({ name: 'renamed', description: null, rotateAtUtc: { hours: 1, minutes: 2 } });
    const changed = ['name', 'description', 'rotateAtUtc'];
    expect((await one.events()).at(-1)).toMatchObject({ type: 'secret_rotation.updated', data: { changed } });
  });

  it('renames its secrets by another mapping, which others may not do, and follows references to them', async () => {
    const one = await made();
    const place = { projectId: one.projectId, environment: 'dev', secretPath: '/' };
    await ok(admin('POST', '/api/v4/secrets/URL', { ...place, secretValue: '${THE_USERNAME}@db' }));
    const before = await one.active();
    const secretsMapping = { username: 'THE_PASSWORD', password: 'THE_OTHER' };
    await ok(one.update({ secretsMapping }));
    const values = new Map((await one.secrets()).map(({ secretKey, secretValue }) => [secretKey, secretValue]));
    expect(values).toEqual(
      new Map([
        ['THE_OTHER', before['password']],
        ['THE_PASSWORD', before['username']],
        ['URL', '${THE_PASSWORD}@db'],
      ]),
    );
    await ok(one.rotate());
    const editor = one.as(await withRules(one, ['secret-rotation', 'edit']));
    await expectRefused(editor.update({ secretsMapping: one.mapping }), 403);
  });

  it('uses other parameters from the next rotation on, which takes the right to use the connection', async () => {
    const one = await made();
    const { parameters } = await system.accounts();
    const editor = one.as(await withRules(one, ['secret-rotation', 'edit']));
    await expectRefused(editor.update({ parameters }), 403);
    const before = await one.active();
    await ok(one.update({ parameters }));
    expect(await one.active()).toEqual(before);
    await ok(one.rotate());
    const after = await one.active();
    expect(after['username']).toBe((parameters as { username2: string }).username2);
    expect(await Promise.all([before, after].map((credential) => system.works(credential)))).toEqual([true, true]);
  });

  it('replaces what was planned with parameters that did not work', async () => {
    const one = await made();
    const { parameters } = await system.rejected();
    await ok(one.update({ parameters }));
    await expectRefused(one.rotate(), 400, 'does not exist');
    await ok(one.update(await system.accounts()));
    await ok(one.rotate());
    expect(await system.works(await one.active())).toBe(true);
  });
});

describe('deleting a rotation', () => {
  it('leaves its secrets as they are, with a credential that works, unless it is asked to delete or revoke these', async () => {
    const one = await made();
    const before = await one.active();
    await ok(one.delete());
    expect([await one.active(), await system.works(before)]).toEqual([before, true]);
    expect((await one.secrets()).map(({ isRotatedSecret }) => isRotatedSecret)).toEqual([false, false]);
    const place = { projectId: one.projectId, environment: 'dev', secretPath: '/' };
    await ok(admin('PATCH', '/api/v4/secrets/THE_PASSWORD', { ...place, secretValue: 'mine again' }));
  });

  it('does not delete secrets that the caller may not delete', async () => {
    const one = await made();
    const remover = one.as(await withRules(one, ['secret-rotation', 'delete']));
    await expectRefused(remover.delete('?deleteSecrets=true'), 403);
    expect(await one.secrets()).toHaveLength(2);
    await ok(one.rotate());
  });

  it('keeps it where its credentials cannot be revoked', async () => {
    const one = await made();
    await system.shut();
    const answer = await one.delete('?revokeGeneratedCredentials=true');
    await system.open();
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('could not be revoked')]);
    expect(await one.list()).toHaveLength(1);
    await ok(one.rotate());
  });

  it('revokes nothing where a change policy covers its secrets', async () => {
    const one = await made();
    const before = await one.active();
    const { id } = await system.user(one.projectId, 'admin');
    const approvers = [{ type: 'user', id }];
    await ok(admin('POST', '/api/v1/secret-approvals', { workspaceId: one.projectId, environment: 'dev', approvers }));
    expect((await one.delete('?deleteSecrets=true&revokeGeneratedCredentials=true')).status).toBe(400);
    expect([await one.active(), await system.works(before)]).toEqual([before, true]);
  });
});
