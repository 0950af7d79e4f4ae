// @long: large values, many callers
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { turnsOf } from '../harness/turns.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const MANY = 1_000;
const IMPORTS = 20;
let test: TestServer;
let projectId: string;
let call: Caller;

const at = (environment: string, secretPath = '/') => ({ projectId, environment, secretPath });
const listOf = (environment: string, path = '/', more = '') =>
  `/api/v4/secrets?projectId=${projectId}&environment=${environment}&secretPath=${path}${more}`;
const batchOf = (environment: string, count: number, viewSecretValue = true) => {
  const inputs = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [index, { ...at(environment), viewSecretValue }]),
  );
  const names = Array<string>(count).fill('secrets.list').join();
  return `/api/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
};
async function put(environment: string, path: string, from: number, count: number, secretValue: string) {
  const secrets = Array.from({ length: count }, (_, n) => ({ secretKey: `K${from + n}`, secretValue }));
  expect((await call('POST', '/api/v4/secrets/batch', { ...at(environment, path), secrets })).status).toBe(200);
}
/** The body of an answer with status 200, as text: to parse it would be a long turn of its own. */
async function sent(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${test.adminIdentity.token}` };
  const { statusCode, rawPayload } = await test.app.inject({ url, headers });
  expect([statusCode, statusCode === 200 ? '' : rawPayload.toString()]).toEqual([200, '']);
  return rawPayload.toString('latin1');
}
/** Copies a row of a table some times, with another id and what else is said in SQL of `n`. */
const clone = (table: string, where: string, count: number, other: string) =>
  test.coffer.pool.query(
    `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), ${other}))).*
     from ${table} t, generate_series(1, ${count}) n where ${where}`,
  );

beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  ({ call } = await test.identity({ projectId, projectRole: 'member' }));
  const folder = async (name: string, path = '/') => {
    const { status, body } = await call('POST', '/api/v2/folders', { projectId, environment: 'dev', name, path });
    expect(status).toBe(200);
    return body.folder.id as string;
  };
  const doImport = async (path: string, from: string) => {
    const imported = { environment: 'dev', path: from };
    const { status, body } = await call('POST', '/api/v2/secret-imports', {
      ...{ projectId, environment: 'dev', path, import: imported },
    });
    expect([status, body]).toMatchObject([200, {}]);
    return body.secretImport.id as string;
  };
  for (const name of ['s', 'a', 'big', 'b']) await folder(name);
  await put('dev', '/s', 0, MANY, 'v');
  await put('dev', '/big', 0, 1, 'v');
  // Folders that import /s, and one that imports them all; the same for /big, whose values are never read.
  for (const [from, into, count, letter] of [
    ['/s', '/a', IMPORTS, 'h'],
    ['/big', '/b', 300, 'g'],
  ] as const) {
    const first = await folder(`${letter}0`);
    const inner = await doImport(`/${letter}0`, from);
    const outer = await doImport(into, `/${letter}0`);
    const named = `'name', '${letter}' || n, 'path', '/${letter}' || n`;
    await clone('folders', `t.id = '${first}'`, count - 1, named);
    await clone(
      'secret_imports',
      `t.id = '${inner}'`,
      count - 1,
      `'folder_id', (select id from folders f where f.environment_id = t.import_environment_id and f.path = '/${letter}' || n)`,
    );
    await clone(
      'secret_imports',
      `t.id = '${outer}'`,
      count - 1,
      `'import_path', '/${letter}' || n, 'position', t.position + n`,
    );
  }
  await clone(
    'secrets',
    `t.key = 'K0' and t.folder_id = (select id from folders f where f.path = '/big')`,
    7_000,
    `'key', 'C' || n`,
  );
  await put('staging', '/', 0, MANY, 'v');
});
afterAll(() => test.close());

describe('attack: answers that are long in parts that are short', () => {
  it('a list with many imports of a folder does not block others', async () => {
    const url = listOf('dev', '/a', '&includeImports=true');
    let answer = '';
    await turnsOf(4, async () => (answer = await sent(url)));
    expect(answer.split('"secretPath":"/h').length - 1).toBe(IMPORTS);
    expect(answer.split('"secretKey":').length - 1).toBe(IMPORTS * MANY);
  });

  it('imports that are too many for an answer are refused before they are put together', async () => {
    const url = listOf('dev', '/b', '&includeImports=true');
    let answer: Awaited<ReturnType<Caller>>;
    await turnsOf(0, async () => {
      answer = await call('GET', url);
    });
    expect(answer!).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('import fewer') as string },
    });
  });

  it('a batch of lists does not block others, and none of its calls fails', async () => {
    let answer = '';
    await turnsOf(7, async () => (answer = await sent(batchOf('staging', 25))));
    expect(answer.split('{"result":{"data":{"secrets":[').length - 1).toBe(25);
  });
});

describe('attack: large values', () => {
  const VALUE = 'é'.repeat(500_000);
  beforeAll(async () => {
    for (let n = 0; n < 6; n++) await put('prod', '/', n * 9, 9, VALUE);
  });

  it('do not block others while they are in a list', async () => {
    let size = 0;
    await turnsOf(5, async () => {
      const headers = { authorization: `Bearer ${test.adminIdentity.token}` };
      size = (await test.app.inject({ url: listOf('prod'), headers })).rawPayload.length;
    });
    expect(size).toBeGreaterThan(54_000_000);
  });

  it('are counted for all calls of a batch together', async () => {
    const headers = { authorization: `Bearer ${test.adminIdentity.token}` };
    const answer = await test.app.inject({ url: batchOf('prod', 2), headers });
    const text = answer.rawPayload.toString('latin1');
    expect([answer.statusCode, text.length < 67_200_000]).toEqual([207, true]);
    expect(text.split('"reason":"answer.too_large"').length - 1).toBeGreaterThan(0);
  });

  it('are refused where they are too large for an answer, before they are read; the list without values is not', async () => {
    for (let n = 6; n < 8; n++) await put('prod', '/', n * 9, 9, VALUE);
    const refused = { status: 400, body: { message: expect.stringContaining('without values') as string } };
    const before = process.memoryUsage().arrayBuffers;
    expect(await call('GET', listOf('prod'))).toMatchObject(refused);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
    const { status, body } = await call('GET', listOf('prod', '/', '&viewSecretValue=false'));
    expect([status, body.secrets.length]).toEqual([200, 72]);
    const { status: both, body: answers } = await call('GET', batchOf('prod', 2));
    expect([both, ...answers.map((one: { error: { data: { reason: string } } }) => one.error.data.reason)]).toEqual([
      400,
      'answer.too_large',
      'answer.too_large',
    ]);
    const few: Caller = (
      await test.identity({
        projectId,
        rules: [
          { subject: 'secrets', action: 'describeSecret' },
          { subject: 'secrets', action: 'readValue', conditions: { secretName: { $in: ['K1', 'K2'] } } },
        ],
      })
    ).call;
    const seen = await few('GET', listOf('prod'));
    const values = (seen.body.secrets as { secretValue: string }[]).filter(({ secretValue }) => secretValue === VALUE);
    expect([seen.status, values.length]).toEqual([200, 2]);
  });

  it('of a name that many imports have are not read, but for the one that counts', async () => {
    const folder = async (name: string) =>
      (await ok(call('POST', '/api/v2/folders', { ...at('dev'), path: '/', name }))).folder.id as string;
    const [source] = [await folder('w'), await folder('target')];
    await put('dev', '/w', 0, 1, VALUE);
    const from = { environment: 'dev', path: '/w' };
    const { secretImport } = await ok(
      call('POST', '/api/v2/secret-imports', { ...at('dev'), path: '/target', import: from }),
    );
    await clone('folders', `t.id = '${source}'`, 40, `'name', 'w' || n, 'path', '/w' || n`);
    await clone(
      'secrets',
      `t.folder_id = '${source}'`,
      40,
      `'folder_id', (select id from folders f where f.environment_id = (select environment_id from folders where id = t.folder_id) and f.path = '/w' || n)`,
    );
    // The first one counts, as the last import.
    await test.coffer.pool.query('update secret_imports set position = 1000 where id = $1', [secretImport.id]);
    await clone(
      'secret_imports',
      `t.id = '${secretImport.id}'`,
      40,
      `'position', 1000 + n - 500, 'import_path', '/w' || n`,
    );
    await put('dev', '/', 100, 1, 'is ${dev.target.K0}');
    const reads = [
      `/api/v4/secrets/K0?projectId=${projectId}&environment=dev&secretPath=/target&includeImports=true`,
      `/api/v4/secrets/K100?projectId=${projectId}&environment=dev&expandSecretReferences=true`,
    ];
    for (const url of reads) {
      const before = process.memoryUsage().arrayBuffers;
      const { secret } = await ok(call('GET', url));
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
      expect(secret.secretValue.endsWith(VALUE)).toBe(true);
    }
  });
});
