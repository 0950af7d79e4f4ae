// @long: five rotations are made at a database
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { commitsAll, everySecret } from '../harness/history.ts';
import { rotatedPostgres, type RotatedPostgres } from '../harness/rotated-postgres.ts';
import { RotationAtWork } from '../harness/rotation.ts';
import type { Caller } from '../harness/test-server.ts';

const TYPE = 'postgres-credentials';
const FIELDS = ['username', 'password'];

let system: RotatedPostgres;
beforeAll(async () => {
  system = await rotatedPostgres();
});
afterAll(() => system.close());

/** A project without secrets, in which everything is done in `dev`. */
async function setUp() {
  const one = await RotationAtWork.unmade(system, TYPE, FIELDS);
  const { projectId } = one;
  const { admin } = system.test;
  const base = `/api/v1/projects/${projectId}`;
  const at = (secretPath: string) => ({ projectId, environment: 'dev', secretPath });
  const query = (secretPath: string) => new URLSearchParams(at(secretPath)).toString();
  return {
    one,
    folder: async (path: string, name: string) =>
      (await ok(admin('POST', '/api/v2/folders', { projectId, environment: 'dev', path, name }))).folder.id as string,
    rename: (id: string, name: string) =>
      ok(admin('PATCH', `/api/v2/folders/${id}`, { projectId, environment: 'dev', path: '/', name })),
    write: (secretPath: string, key: string, secretValue: string) =>
      ok(admin('POST', `/api/v4/secrets/${key}`, { ...at(secretPath), secretValue })),
    change: (secretPath: string, key: string, body: object) =>
      ok(admin('PATCH', `/api/v4/secrets/${key}`, { ...at(secretPath), ...body })),
    remove: (secretPath: string, key: string) => ok(admin('DELETE', `/api/v4/secrets/${key}`, at(secretPath))),
    rotateIn: async (secretPath: string) => ok(one.create({ ...(await system.accounts()), secretPath })),
    query,
    removeFolder: (name: string) =>
      ok(admin('DELETE', `/api/v2/folders/${name}`, { projectId, environment: 'dev', path: '/' })),
    move: async (from: string, to: string, key: string) => {
      const { secret } = await ok(admin('GET', `/api/v4/secrets/${key}?${query(from)}`));
      await ok(
        admin('POST', '/api/v4/secrets/move', {
          ...{ projectId, sourceEnvironment: 'dev', sourceSecretPath: from, destinationEnvironment: 'dev' },
          ...{ destinationSecretPath: to, secretIds: [secret.id] },
        }),
      );
    },
    values: async (secretPath: string): Promise<Record<string, string>> => {
      const { secrets } = await ok(admin('GET', `/api/v4/secrets?${query(secretPath)}`));
      return Object.fromEntries(
        secrets.map((secret: { secretKey: string; secretValue: string }) => [secret.secretKey, secret.secretValue]),
      );
    },
    folders: async (path: string): Promise<string[]> => {
      const { folders } = await ok(
        admin('GET', `/api/v2/folders?projectId=${projectId}&environment=dev&path=${encodeURIComponent(path)}`),
      );
      return folders.map(({ name }: { name: string }) => name).toSorted((a: string, b: string) => a.localeCompare(b));
    },
    revision: async (): Promise<number> =>
      (await ok(admin('GET', `${base}/history/tree?environment=dev`))).tree.revision,
    restore: (revision: number, call: Caller = admin) =>
      call('POST', `${base}/history/restore`, { ...at('/'), revision }),
  };
}

describe('attack: a rotation in a folder that is restored', () => {
  it('keeps its secrets and its folder, and prevents nothing else from being restored', async () => {
    const world = await setUp();
    await world.folder('/', 'app');
    await world.write('/app', 'A', 'first');
    const before = await world.revision();
    await world.folder('/app', 'new');
    await world.folder('/app/new', 'login');
    await world.folder('/app/new', 'other');
    await world.write('/app/new/login', 'BESIDE', 'x');
    await world.change('/app', 'A', { secretValue: 'second' });
    await world.rotateIn('/app/new/login');
    const managed = await world.values('/app/new/login');
    const { restored } = await ok(world.restore(before));
    expect(await world.values('/app')).toEqual({ A: 'first' });
    const { BESIDE: _, ...rotated } = managed;
    expect(await world.values('/app/new/login')).toEqual(rotated);
    expect(await world.folders('/app/new')).toEqual(['login']);
    const place = { environment: 'dev', secretPath: '/app/new/login', reason: 'secret.rotated' };
    expect(restored.leftOut).toHaveLength(2);
    expect(restored.leftOut).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...place, secretKey: 'THE_USERNAME' }),
        expect.objectContaining({ ...place, secretKey: 'THE_PASSWORD' }),
      ]),
    );
    await ok(world.one.rotate());
    expect(await world.values('/app/new/login')).not.toEqual(rotated);
  });

  it('keeps the name of its folder: what had that before keeps its present one', async () => {
    const world = await setUp();
    const first = await world.folder('/', 'app');
    const second = await world.folder('/', 'next');
    await world.write('/app', 'A', 'first');
    await world.write('/next', 'B', 'first');
    const before = await world.revision();
    await world.rename(first, 'former');
    await world.rename(second, 'later');
    await world.rename(first, 'next');
    await world.change('/next', 'A', { secretValue: 'second' });
    await world.change('/later', 'B', { secretValue: 'second' });
    await world.folder('/', 'app');
    await world.rotateIn('/app');
    await ok(world.restore(before));
    expect(await world.folders('/')).toEqual(['app', 'later', 'next']);
    expect([await world.values('/next'), await world.values('/later')]).toEqual([{ A: 'first' }, { B: 'first' }]);
    await ok(world.one.rotate());
  });

  it('leaves a deleted folder out whose name another one keeps because of it, with what was in there, and nothing else', async () => {
    const world = await setUp();
    const first = await world.folder('/', 'app');
    await world.folder('/', 'next');
    await world.folder('/next', 'below');
    await world.write('/app', 'A', 'first');
    await world.write('/next', 'B', 'first');
    await world.write('/next/below', 'C', 'first');
    await world.write('/next', 'MOVED', 'first');
    const before = await world.revision();
    await world.move('/next', '/app', 'MOVED');
    await world.removeFolder('next');
    await world.rename(first, 'next');
    await world.change('/next', 'A', { secretValue: 'second' });
    await world.folder('/', 'app');
    await world.rotateIn('/app');
    const { restored } = await ok(world.restore(before));
    expect(await world.folders('/')).toEqual(['app', 'next']);
    expect([await world.folders('/next'), await world.values('/next')]).toEqual([[], { A: 'first', MOVED: 'first' }]);
    const left = restored.leftOut
      .filter(({ reason }: { reason: string }) => reason === 'folder.name_taken')
      .map(({ secretKey, secretPath }: { secretKey: string; secretPath: string }) => `${secretPath} ${secretKey}`);
    expect(left.toSorted((a: string, b: string) => a.localeCompare(b))).toEqual([
      '/next B',
      '/next MOVED',
      '/next/below C',
    ]);
    // What prevented it gone, the same restoration brings it back.
    const { folders } = await ok(system.test.admin('GET', `/api/v2/folders?${world.query('/')}&path=/`));
    const ofRotation = folders.find(({ name }: { name: string }) => name === 'app');
    await world.rename(ofRotation.id, 'rotated');
    await ok(world.restore(before));
    expect([await world.values('/app'), await world.values('/next'), await world.values('/next/below')]).toEqual([
      { A: 'first' },
      { B: 'first', MOVED: 'first' },
      { C: 'first' },
    ]);
    await ok(world.one.rotate());
  });

  it('keeps the names that it takes: what had one is left out, and so is what would get the name of that', async () => {
    const world = await setUp();
    await world.write('/', 'THE_USERNAME', 'mine');
    await world.write('/', 'THE_PASSWORD', 'mine, too');
    await world.write('/', 'NEXT', 'next');
    await world.write('/', 'OTHER', 'first');
    const before = await world.revision();
    await world.remove('/', 'NEXT');
    await world.change('/', 'THE_PASSWORD', { newSecretName: 'NEXT' });
    await world.remove('/', 'THE_USERNAME');
    await world.change('/', 'OTHER', { secretValue: 'second' });
    await world.rotateIn('/');
    const present = await world.values('/');
    const { restored } = await ok(world.restore(before));
    expect(await world.values('/')).toEqual({ ...present, OTHER: 'first' });
    expect(
      restored.leftOut
        .map(({ secretKey, reason }: { secretKey: string; reason: string }) => `${secretKey} ${reason}`)
        .toSorted((a: string, b: string) => a.localeCompare(b)),
    ).toEqual([
      'NEXT secret_rotation.takes_name',
      'NEXT secret_rotation.takes_name',
      'THE_PASSWORD secret.rotated',
      'THE_USERNAME secret.rotated',
    ]);
    await ok(world.one.rotate());
  });

  it('has its names, or the restored secrets have them, where both happen at once', async () => {
    const outcomes: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const world = await setUp();
      await world.write('/', 'THE_USERNAME', 'mine');
      const before = await world.revision();
      await world.remove('/', 'THE_USERNAME');
      const accounts = await system.accounts();
      const [created, restored] = await Promise.all([world.one.create(accounts), world.restore(before)]);
      const { THE_USERNAME: value } = await world.values('/');
      outcomes.push([restored.status, created.status === 200 ? value !== 'mine' : value === 'mine']);
    }
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => [200, true]));
  });

  it('gets no deleted tag back, so that nobody needs a right to create one', async () => {
    const world = await setUp();
    const { admin } = system.test;
    await world.write('/', 'A', 'first');
    await world.rotateIn('/');
    const tags = `/api/v1/projects/${world.one.projectId}/tags`;
    const { tag } = await ok(admin('POST', tags, { slug: 'rotated', color: '' }));
    await world.change('/', 'THE_PASSWORD', { tagIds: [tag.id] });
    const before = await world.revision();
    await world.change('/', 'A', { secretValue: 'second' });
    await ok(world.one.rotate());
    await ok(admin('DELETE', `${tags}/${tag.id}`));
    const rules = [commitsAll, { ...everySecret, action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'] }];
    const restorer = await system.test.identity({ projectId: world.one.projectId, rules });
    await ok(world.restore(before, restorer.call));
    expect(await world.values('/')).toMatchObject({ A: 'first' });
    expect((await ok(admin('GET', tags))).workspaceTags).toEqual([]);
  });

  it('is not shown as left out to a caller who does not see it', async () => {
    const world = await setUp();
    const before = await world.revision();
    await world.rotateIn('/');
    const blind = await system.test.identity({ projectId: world.one.projectId, rules: [commitsAll] });
    const seeing = await system.test.identity({
      projectId: world.one.projectId,
      rules: [commitsAll, { ...everySecret, conditions: { secretName: 'THE_USERNAME' } }],
    });
    expect((await ok(world.restore(before, blind.call))).restored).toMatchObject({ secrets: [], leftOut: [] });
    const { leftOut } = (await ok(world.restore(before, seeing.call))).restored;
    expect(leftOut).toEqual([expect.objectContaining({ secretKey: 'THE_USERNAME' })]);
  });
});
