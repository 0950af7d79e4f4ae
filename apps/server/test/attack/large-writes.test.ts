// @long: large values, many callers
import { isLongSearch, makeUser, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replications } from '../harness/replication.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';
import { turnsOf } from '../harness/turns.ts';

/** Of short secrets; the long form has more than one restoration of a folder may have. */
const MANY = isLongSearch ? 110_000 : 2_000;
const LARGE = isLongSearch ? 54 : 9;
const TIME = { timeout: searchTime(300_000) };
const VALUE = 'x'.repeat(1_000_000);

let test: TestServer;
let projectId: string;
let call: Caller;

const at = (environment: string, secretPath = '/') => ({ projectId, environment, secretPath });
const keysOf = (count: number) => Array.from({ length: count }, (_, n) => `K${n}`);

async function put(environment: string, secretPath: string, count: number, secretValue: string, perRequest = 1_000) {
  const ids: string[] = [];
  for (let from = 0; from < count; from += perRequest) {
    const secrets = keysOf(count)
      .slice(from, from + perRequest)
      .map((secretKey) => ({ secretKey, secretValue }));
    const { status, body } = await call('POST', '/api/v4/secrets/batch', { ...at(environment, secretPath), secrets });
    expect([status, status === 200 ? {} : body]).toEqual([200, {}]);
    ids.push(...body.secrets.map((one: { id: string }) => one.id));
  }
  return ids;
}
const folder = async (environment: string, name: string): Promise<string> => {
  const { status, body } = await call('POST', '/api/v2/folders', { projectId, environment, name, path: '/' });
  expect(status).toBe(200);
  return body.folder.id;
};
const namesIn = async (environment: string, path = '/'): Promise<string[]> => {
  const query = `projectId=${projectId}&environment=${environment}&secretPath=${path}&viewSecretValue=false`;
  const { status, body } = await call('GET', `/api/v4/secrets?${query}`);
  expect(status).toBe(200);
  return body.secrets.map((one: { secretKey: string }) => one.secretKey);
};
const move = (from: string, to: string, secretIds: string[], how = 'move') =>
  call('POST', `/api/v4/secrets/${how}`, {
    projectId,
    sourceEnvironment: 'dev',
    sourceSecretPath: from,
    destinationEnvironment: 'dev',
    destinationSecretPath: to,
    secretIds,
    shouldOverwrite: false,
  });
const environment = async (slug: string): Promise<string> => {
  const { status, body } = await call('POST', `/api/v1/projects/${projectId}/environments`, { name: slug, slug });
  expect(status).toBe(200);
  return body.environment.id;
};
const ok = async (answer: ReturnType<Caller>) => {
  const { status, body } = await answer;
  expect([status, status === 200 ? {} : body]).toEqual([200, {}]);
  return body;
};
/** Gives stored values a size that they would have only with many more of them: they are refused before they are read. */
const enlarge = (table: 'secrets' | 'secret_versions', folderId: string, mib: number) =>
  test.coffer.pool.query(
    `update ${table} set value = decode(repeat('00', $2 * 1024 * 1024), 'hex') where folder_id = $1`,
    [folderId, mib],
  );
const refused = (text: string) => ({ status: 400, body: { message: expect.stringContaining(text) as string } });

beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  ({ call } = await test.identity({ projectId, projectRole: 'admin' }));
});
afterAll(() => test.close());

describe('attack: writes of many or large secrets', () => {
  it('moving large values does not block others', TIME, async () => {
    for (const name of ['large', 'moved']) await folder('dev', name);
    const ids = await put('dev', '/large', LARGE, VALUE, 9);
    const places: [string, string] = ['/large', '/moved'];
    await turnsOf(1, async () => {
      await ok(move(...places, ids));
      places.reverse();
    });
    expect(await namesIn('dev', places[0])).toHaveLength(LARGE);
  });

  it('moving many secrets does not block others', TIME, async () => {
    for (const name of ['many', 'there']) await folder('dev', name);
    const ids = await put('dev', '/many', Math.min(MANY, 10_000), 'v');
    const places: [string, string] = ['/many', '/there'];
    await turnsOf(5, async () => {
      await ok(move(...places, ids));
      places.reverse();
    });
    expect(await namesIn('dev', places[0])).toHaveLength(ids.length);
  });

  it('moving, copying, changing and deleting is refused where the values are too large, before they are read', async () => {
    const source = await folder('dev', 'huge');
    await folder('dev', 'elsewhere');
    const ids = await put('dev', '/huge', 17, 'v');
    await enlarge('secrets', source, 4);
    const before = process.memoryUsage().arrayBuffers;
    const secrets = keysOf(17).map((secretKey) => ({ secretKey, secretComment: 'c' }));
    for (const answer of [
      await move('/huge', '/elsewhere', ids),
      await move('/huge', '/elsewhere', ids, 'duplicate'),
      await call('PATCH', '/api/v4/secrets/batch', { ...at('dev', '/huge'), secrets }),
      await call('DELETE', '/api/v4/secrets/batch', { ...at('dev', '/huge'), secrets }),
    ])
      expect(answer).toMatchObject(refused('MiB of values: select fewer at a time'));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
    expect(await namesIn('dev', '/huge')).toHaveLength(17);
  });

  it('a name is not changed where the values that refer to it are too large', async () => {
    const referring = await folder('dev', 'referring');
    await folder('dev', 'target');
    const [target] = await put('dev', '/target', 1, 'v');
    await put('dev', '/referring', 10, '${dev.target.K0}');
    await enlarge('secrets', referring, 7);
    const tooLarge = refused('The secrets that refer to it have more than 64 MiB of values');
    expect(
      await call('PATCH', '/api/v4/secrets/K0', { ...at('dev', '/target'), newSecretName: 'OTHER' }),
    ).toMatchObject(tooLarge);
    expect(await move('/target', '/elsewhere', [target!])).toMatchObject(tooLarge);
  });

  const rename = (secretPath: string, name: string, newSecretName: string) =>
    call('PATCH', `/api/v4/secrets/${name}`, { ...at('dev', secretPath), newSecretName });
  const LONG_NAME = 'N'.repeat(255);
  const tooLong = refused('References to other names would make a value longer than 1048576 characters');

  it('names are changed, and do not block others, however often one value refers to them', TIME, async () => {
    await folder('dev', 'often');
    await put('dev', '/often', 1, 'v');
    const secretValue = '${K0}'.repeat(200_000);
    await ok(call('POST', '/api/v4/secrets/REFERRING', { ...at('dev', '/often'), secretValue }));
    const names: [string, string] = ['K0', 'K1'];
    await turnsOf(1, async () => {
      await ok(rename('/often', ...names));
      names.reverse();
    });
    const query = `projectId=${projectId}&environment=dev&secretPath=/often&expandSecretReferences=false`;
    const { body } = await call('GET', `/api/v4/secrets/REFERRING?${query}`);
    expect(body.secret.secretValue === `\${${names[0]}}`.repeat(200_000)).toBe(true);
  });

  it('neither a longer name nor another place makes values longer than they may be', async () => {
    for (const name of ['short', 'another']) await folder('dev', name);
    const [target] = await put('dev', '/short', 1, 'v');
    const secretValue = '${K0}'.repeat(100_000);
    const { secret } = await ok(call('POST', '/api/v4/secrets/REFERRING', { ...at('dev', '/short'), secretValue }));
    expect(await rename('/short', 'K0', LONG_NAME)).toMatchObject(tooLong);
    for (const id of [target!, secret.id as string])
      expect(await move('/short', '/another', [id])).toMatchObject(tooLong);
    expect(await namesIn('dev', '/short')).toEqual(['K0', 'REFERRING']);
  });

  it('nor many values together', async () => {
    await folder('dev', 'several');
    await folder('dev', 'together');
    await put('dev', '/together', 1, 'v');
    await put('dev', '/several', 70, '${dev.together.K0}'.repeat(3_800));
    expect(await rename('/together', 'K0', LONG_NAME)).toMatchObject(tooLong);
    await ok(rename('/together', 'K0', 'K1'));
  });

  it('nor does a replication, which names the reason', async () => {
    const replicating = replications(test);
    const project = await replicating.project();
    const from = { environment: 'staging', path: `/${'d'.repeat(100)}` };
    const source = { environment: 'staging', path: '/s' };
    for (const { path } of [from, source]) await project.makeFolder('staging', path);
    await project.put(from, 'A', 'v');
    await project.put(from, 'H', '${A}'.repeat(100_000));
    await project.import(source, from, false);
    await project.put(source, 'A', 'other');
    await project.import({ environment: 'prod' }, source);
    await replicating.settle();
    expect(await project.copies()).toBe(0);
    expect(await project.imports({ environment: 'prod' })).toMatchObject([
      { isReplicationSuccess: false, replicationStatus: expect.stringContaining('secret.values_too_large') as string },
    ]);
    await replicating.stop();
  });

  it('names are changed whatever personal values refer to them, which follow', TIME, async () => {
    const target = await folder('dev', 'pinned');
    await folder('dev', 'mine');
    const [secret] = await put('dev', '/pinned', 1, 'v');
    const count = isLongSearch ? 66 : 4;
    await put('dev', '/mine', count, '');
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const member = { usernames: [user.email], emails: [], roleSlugs: ['member'] };
    await ok(test.admin('POST', `/api/v1/projects/${projectId}/memberships`, member));
    const own = test.as(user.token);
    const secretValue = `\${dev.pinned.K0}${'x'.repeat(1_000_000)}`;
    for (const key of keysOf(count))
      await ok(own('POST', `/api/v4/secrets/${key}`, { ...at('dev', '/mine'), type: 'personal', secretValue }));
    const referenceOf = async (key: string) => {
      const query = `projectId=${projectId}&environment=dev&secretPath=/mine&type=personal&expandSecretReferences=false`;
      const { secret: one } = await ok(own('GET', `/api/v4/secrets/${key}?${query}`));
      return one.secretValue.slice(0, one.secretValue.indexOf('}') + 1);
    };
    await ok(call('PATCH', '/api/v4/secrets/K0', { ...at('dev', '/pinned'), newSecretName: 'NAME' }));
    await ok(call('PATCH', `/api/v2/folders/${target}`, { projectId, environment: 'dev', path: '/', name: 'renamed' }));
    expect(await referenceOf('K0')).toBe('${dev.renamed.NAME}');
    await ok(move('/renamed', '/mine', [secret!]));
    for (const key of keysOf(count)) expect(await referenceOf(key)).toBe('${NAME}');
  });
});

describe('attack: a replication of values that are too large', () => {
  it('copies nothing, and says what to do', async () => {
    const all = replications(test);
    const project = await all.project({ id: projectId, slug: '' });
    const from = { environment: 'dev', path: '/source' };
    const to = { environment: 'dev', path: '/replicated' };
    const source = await folder('dev', 'source');
    await folder('dev', 'replicated');
    await put('dev', '/source', 5, 'v');
    await enlarge('secrets', source, 13);
    const { body } = await project.import(to, from);
    expect(body).toMatchObject({ secretImport: { isReplication: true } });
    await all.settle();
    await all.stop();
    expect(await project.imports(to)).toMatchObject([
      { isReplicationSuccess: false, replicationStatus: expect.stringContaining('at most 64 MiB of values') as string },
    ]);
    expect(await project.copies()).toBe(0);
  });
});

describe('attack: histories of many or large secrets', () => {
  const compare = (slug: string, from: string) =>
    call('GET', `/api/v1/projects/${projectId}/history/compare?environment=${slug}&from=${from}`);
  const restore = (slug: string, moment: string) =>
    call('POST', `/api/v1/projects/${projectId}/history/restore`, {
      environment: slug,
      secretPath: '/',
      at: moment,
    });
  const now = async (): Promise<string> => {
    const moment = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return moment;
  };

  it('a deleted environment comes back with all of its secrets, which does not block others', TIME, async () => {
    const id = await environment('gone');
    await put('gone', '/', MANY, 'v');
    await turnsOf(3, async () => {
      await ok(call('DELETE', `/api/v1/projects/${projectId}/environments/${id}`));
      await ok(call('POST', `/api/v1/projects/${projectId}/environments/${id}/restore`, {}));
    });
    const { rows } = await test.coffer.pool.query(
      `select count(distinct s.key)::integer as count, min(s.version) as version from secrets s
       join folders f on f.id = s.folder_id where f.environment_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ count: MANY, version: expect.any(Number) as number }]);
    for (const name of ['K0', `K${MANY - 1}`]) {
      const { body } = await call('GET', `/api/v4/secrets/${name}?projectId=${projectId}&environment=gone`);
      expect(body.secret).toMatchObject({ secretValue: 'v', version: rows[0]!.version as number });
    }
  });

  it('comparing and restoring many secrets does not block others', TIME, async () => {
    await environment('many');
    const before = await now();
    await put('many', '/', Math.min(MANY, 20_000), 'v');
    const after = await now();
    await turnsOf(3, () => ok(compare('many', before)));
    await turnsOf(4, async () => {
      await ok(restore('many', before));
      await ok(restore('many', after));
    });
    expect(await namesIn('many')).toHaveLength(Math.min(MANY, 20_000));
  });

  it('restoring large values does not block others', TIME, async () => {
    await environment('large');
    await put('large', '/', LARGE, VALUE, 9);
    const after = await now();
    const secrets = keysOf(LARGE).map((secretKey) => ({ secretKey, type: 'shared' }));
    for (let from = 0; from < LARGE; from += 9)
      await ok(call('DELETE', '/api/v4/secrets/batch', { ...at('large'), secrets: secrets.slice(from, from + 9) }));
    await turnsOf(1, () => ok(restore('large', after)));
    expect(await namesIn('large')).toHaveLength(LARGE);
  });

  it('comparing and restoring is refused where the values are too large, before they are read', async () => {
    await environment('huge');
    const folderId = await folder('huge', 'f');
    await put('huge', '/f', 10, 'v');
    const moment = await now();
    const secrets = keysOf(10).map((secretKey) => ({ secretKey, secretValue: 'w' }));
    await ok(call('PATCH', '/api/v4/secrets/batch', { ...at('huge', '/f'), secrets }));
    await enlarge('secret_versions', folderId, 13);
    const before = process.memoryUsage().arrayBuffers;
    expect(await compare('huge', moment)).toMatchObject(refused('compare folder by folder'));
    expect(await restore('huge', moment)).toMatchObject(refused('restore folder by folder'));
    const tree = `/api/v1/projects/${projectId}/history/tree?environment=huge&at=${moment}`;
    expect(await call('GET', `${tree}&viewSecretValue=true`)).toMatchObject(refused('64 MiB'));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
    await ok(call('GET', `${tree}&viewSecretValue=false`));
  });
});
