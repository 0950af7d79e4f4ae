import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCoffer } from '../../app/coffer.ts';
import { auditSigningKey } from '../../instance/index.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { makeRootKey, parseRootKey, type RootKey } from '../root-key.ts';
import { rotateRootKey } from './root.ts';

let test: TestCoffer;
beforeEach(async () => {
  test = await testCoffer();
});
afterEach(() => test.close());

const openWith = (rootKey: RootKey) =>
  openCoffer({
    databaseUrl: test.databaseUrl,
    rootKey,
    fetch: () => Promise.reject(new Error('no network')),
    migrate: false,
    poolSize: 2,
  });

describe('rotateRootKey', () => {
  it('replaces the key that opens the database', async () => {
    const { pool } = test.coffer;
    const [before, after] = [parseRootKey(test.rootKey), parseRootKey(makeRootKey())];
    const { id, admin } = await makeOrganization(test.coffer);
    const project = await makeProject(test.coffer, id, admin.actor);
    const signing = await auditSigningKey(pool, before);
    const old = await test.coffer.keys.project(id, project.id);

    expect(await rotateRootKey(pool, before, after)).toEqual({ keys: 1, fingerprint: after.fingerprint });
    await expect(openWith(before)).rejects.toMatchObject({ code: 'root_key.wrong' });
    const coffer = await openWith(after);
    const opened = await coffer.keys.project(id, project.id);
    expect(opened.newest.key.equals(old.newest.key)).toBe(true);
    expect((await auditSigningKey(pool, after)).equals(signing)).toBe(true);
    await coffer.close();
  });

  it('has no effect the second time, and none with a wrong key', async () => {
    const { pool } = test.coffer;
    const [before, after, stranger] = [
      parseRootKey(test.rootKey),
      parseRootKey(makeRootKey()),
      parseRootKey(makeRootKey()),
    ];
    await makeOrganization(test.coffer);
    await expect(rotateRootKey(pool, stranger, after)).rejects.toMatchObject({ code: 'root_key.wrong' });
    await rotateRootKey(pool, before, after);
    expect(await rotateRootKey(pool, before, after)).toEqual({ keys: 0, fingerprint: after.fingerprint });
  });

  it('tells a server that was not restarted to restart, and wraps nothing more with the old key', async () => {
    const { id } = await makeOrganization(test.coffer);
    await rotateRootKey(test.coffer.pool, parseRootKey(test.rootKey), parseRootKey(makeRootKey()));
    await expect(makeOrganization(test.coffer, 'Late')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'root_key.rotated',
    });
    test.coffer.invalidate([`keys:${id}`]);
    await expect(test.coffer.keys.organization(id)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'root_key.rotated',
    });
  });
});
