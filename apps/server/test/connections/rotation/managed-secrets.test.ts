import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../../harness/groups.ts';
import { rotatedPostgres, type RotatedPostgres } from '../../harness/rotated-postgres.ts';
import { RotationAtWork } from '../../harness/rotation.ts';
import type { Answer, Caller } from '../../harness/test-server.ts';

let system: RotatedPostgres;
let one: RotationAtWork;
let place: { projectId: string; environment: string; secretPath: string };
beforeAll(async () => {
  system = await rotatedPostgres();
  one = await RotationAtWork.made(system, 'postgres-credentials', ['username', 'password']);
  place = { projectId: one.projectId, environment: 'dev', secretPath: '/' };
});
afterAll(() => system.close());

const admin: Caller = (...call) => system.test.admin(...call);
const SECRET = '/api/v4/secrets/THE_PASSWORD';
const expectManaged = (answer: Promise<Answer>) => expectRefused(answer, 400, 'A secret rotation manages this secret');
const idOf = async (key: string): Promise<string> =>
  (await ok(admin('GET', `/api/v4/secrets/${key}?${query()}`))).secret.id;
const query = () => new URLSearchParams(place).toString();

describe('a secret of a rotation', () => {
  it('keeps its value, name and folder', async () => {
    await expectManaged(admin('PATCH', SECRET, { ...place, secretValue: 'another' }));
    await expectManaged(admin('PATCH', SECRET, { ...place, newSecretName: 'ANOTHER' }));
    const secrets = [{ secretKey: 'THE_PASSWORD', secretValue: 'another' }];
    await expectManaged(admin('PATCH', '/api/v4/secrets/batch', { ...place, mode: 'upsert', secrets }));
    const moved = {
      ...{ projectId: place.projectId, secretIds: [await idOf('THE_PASSWORD')], shouldOverwrite: true },
      ...{
        sourceEnvironment: 'dev',
        sourceSecretPath: '/',
        destinationEnvironment: 'staging',
        destinationSecretPath: '/',
      },
    };
    await expectManaged(admin('POST', '/api/v4/secrets/move', moved));
  });

  it('is not deleted, nor overwritten by another that is moved to its name', async () => {
    await expectManaged(admin('DELETE', SECRET, place));
    await expectManaged(
      admin('DELETE', '/api/v4/secrets/batch', { ...place, secrets: [{ secretKey: 'THE_PASSWORD' }] }),
    );
    const { secret } = await ok(admin('POST', SECRET, { ...place, environment: 'staging', secretValue: 'x' }));
    const moved = {
      ...{ projectId: place.projectId, secretIds: [secret.id], shouldOverwrite: true },
      ...{
        sourceEnvironment: 'staging',
        sourceSecretPath: '/',
        destinationEnvironment: 'dev',
        destinationSecretPath: '/',
      },
    };
    await expectManaged(admin('POST', '/api/v4/secrets/move', moved));
  });

  it('is shown as such wherever it is listed or read', async () => {
    const managed = { isRotatedSecret: true, rotationId: one.id };
    const { projectId } = place;
    await ok(admin('POST', '/api/v4/secrets/OWN', { ...place, secretValue: 'x' }));
    await ok(
      admin('POST', '/api/v2/secret-imports', {
        ...{ projectId, environment: 'staging', path: '/' },
        import: { environment: 'dev', path: '/' },
      }),
    );
    const stateOf = (secrets: Answer['body'][], key: string) => {
      const { isRotatedSecret, rotationId } = secrets.find(({ secretKey }) => secretKey === key);
      return { isRotatedSecret, rotationId };
    };
    const legacy = new URLSearchParams({ workspaceId: projectId, environment: 'dev', secretPath: '/' }).toString();
    // Twice: a list that is asked for again is answered from what is kept.
    for (const list of [
      ...Array.from({ length: 2 }, () => `/api/v4/secrets?${query()}`),
      `/api/v4/secrets?${query()}&recursive=true`,
      `/api/v4/secrets?${query()}&viewSecretValue=false`,
      `/api/v3/secrets/raw?${legacy}`,
    ]) {
      const { secrets } = await ok(admin('GET', list));
      expect([list, stateOf(secrets, 'THE_PASSWORD')]).toEqual([list, managed]);
      expect(stateOf(secrets, 'OWN')).toEqual({ isRotatedSecret: false, rotationId: null });
    }
    const staging = new URLSearchParams({ ...place, environment: 'staging', includeImports: 'true' }).toString();
    const { imports } = await ok(admin('GET', `/api/v4/secrets?${staging}`));
    expect(stateOf(imports[0].secrets, 'THE_PASSWORD')).toEqual(managed);
    const id = await idOf('THE_PASSWORD');
    for (const read of [
      `${SECRET}?${query()}`,
      `/api/v3/secrets/raw/id/${id}`,
      `/api/v3/secrets/raw/THE_PASSWORD?${legacy}`,
    ])
      expect([read, (await ok(admin('GET', read))).secret]).toEqual([read, expect.objectContaining(managed)]);
    await ok(admin('DELETE', '/api/v4/secrets/OWN', place));
  });

  it('may get a comment, tags and the same value, and stays managed', async () => {
    const { password } = await one.active();
    const body = { ...place, secretComment: 'of the shop', secretValue: password };
    const { secret } = await ok(admin('PATCH', SECRET, body));
    expect(secret).toMatchObject({ secretComment: 'of the shop', rotationId: one.id, isRotatedSecret: true });
    await ok(one.rotate());
    expect((await ok(admin('GET', `${SECRET}?${query()}`))).secret).toMatchObject({
      ...{ secretComment: 'of the shop', rotationId: one.id },
      actor: { actorType: 'platform' },
    });
  });

  it('is not restored to an older value', async () => {
    const base = `/api/v1/projects/${place.projectId}`;
    const { commits } = await ok(admin('GET', `${base}/commits?environment=dev&secretPath=/`));
    await ok(one.rotate());
    const present = await one.active();
    const { restored } = await ok(
      admin('POST', `${base}/history/restore`, { ...place, revision: commits[0].revision }),
    );
    const left = (secretKey: string) => expect.objectContaining({ secretKey, reason: 'secret.rotated' });
    expect(restored).toMatchObject({ commitId: null, secrets: [], folders: 0 });
    expect(restored.leftOut).toEqual(expect.arrayContaining([left('THE_USERNAME'), left('THE_PASSWORD')]));
    expect(await one.active()).toEqual(present);
  });

  it('keeps its older versions for those who may read these', async () => {
    const { secretVersions } = await ok(
      admin('GET', `/api/v1/secret/${await idOf('THE_PASSWORD')}/secret-versions?offset=0&limit=20`),
    );
    expect(secretVersions.length).toBeGreaterThan(2);
  });

  it('is followed by references, imports and copies of it', async () => {
    await ok(admin('POST', '/api/v4/secrets/URL', { ...place, secretValue: '${THE_USERNAME}:${THE_PASSWORD}' }));
    const replicated = { import: { environment: 'dev', path: '/' }, isReplication: true };
    await ok(
      admin('POST', '/api/v2/secret-imports', {
        projectId: place.projectId,
        environment: 'prod',
        path: '/',
        ...replicated,
      }),
    );
    await ok(one.rotate());
    const { username, password } = await one.active();
    const { secret } = await ok(admin('GET', `/api/v4/secrets/URL?${query()}&expandSecretReferences=true`));
    expect(secret.secretValue).toBe(`${username}:${password}`);
    const { rows } = await system.test.coffer.pool.query(
      `select 1 from graphile_worker.jobs where task_identifier = 'secrets.changed'`,
    );
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe('under a change policy', () => {
  it('is created by those whom it exempts and who may end it, and rotated without approvals', async () => {
    const { test } = system;
    const other = await RotationAtWork.unmade(system, 'postgres-credentials', ['username', 'password']);
    const { projectId } = other;
    const user = await system.user(projectId, 'admin');
    const body = { workspaceId: projectId, environment: 'dev', approvers: [{ type: 'user', id: user.id }] };
    await ok(admin('POST', '/api/v1/secret-approvals', { ...body, exemptIdentityIds: [test.adminIdentity.id] }));
    const accounts = await system.accounts();
    await expectRefused(other.as(user.call).create(accounts), 400, 'change policy');
    expect(await other.list()).toEqual([]);
    await ok(other.create(accounts));
    const before = await other.active();
    await ok(other.as(user.call).rotate());
    expect(await other.active()).not.toEqual(before);
    const mapping = { secretsMapping: { username: 'NEW_USERNAME', password: 'NEW_PASSWORD' } };
    await expectRefused(other.as(user.call).update(mapping), 400, 'change policy');
    await expectRefused(other.as(user.call).update(await system.accounts()), 400, 'change policy');
    await expectRefused(other.as(user.call).delete('?deleteSecrets=true'), 400, 'change policy');
    expect(await other.secrets()).toHaveLength(2);
  });
});
