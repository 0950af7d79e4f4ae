import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../testing/test-server.ts';

let test: TestServer;
let project: { id: string; slug: string };
const NAME = 'A'.repeat(200);

beforeAll(async () => {
  test = await testServer();
  project = await test.project();
  const secrets = Array.from({ length: 200 }, (_, n) => ({ secretKey: NAME + n, secretValue: 'x' }));
  const place = { projectId: project.id, environment: 'dev', secretPath: '/' };
  await test.admin('POST', '/api/v4/secrets/batch', { ...place, secrets });
});
afterAll(() => test.close());

const rulesWith = (globs: readonly string[]) =>
  globs.map((glob) => ({
    subject: 'secrets',
    action: ['describeSecret', 'readValue'],
    conditions: { secretName: { $glob: glob } },
  }));
/** With `*` at the end each of them is read to the end of a text. */
const globs = (count: number, stars: number, end = '*') =>
  Array.from({ length: count }, (_, n) => `${'*A'.repeat(stars)}B${n}${end}`);

/** Stored as they are, as roles of earlier releases are. */
const machineWith = async (some: readonly string[]): Promise<Caller> =>
  (await test.identity({ projectId: project.id, rules: rulesWith(some) })).call;

const list = (call: Caller, name = '') =>
  call('GET', `/api/v4/secrets${name}?projectId=${project.id}&environment=dev&secretPath=/`);

describe('attack: a role with many long globs', () => {
  it('is evaluated as any other where that does not take long', async () => {
    const machine = await machineWith([...globs(300, 100, ''), '*A*7']);
    const { status, body } = await list(machine);
    expect(status).toBe(200);
    expect(body.secrets).toHaveLength(20);
  });

  it('is refused where a list takes too long, and nobody else is', async () => {
    const machine = await machineWith(['*A*7', ...globs(300, 200)]);
    const [whole, others] = await Promise.all([list(machine), list(test.admin)]);
    expect(whole).toMatchObject({ status: 403, body: { message: expect.stringContaining('use fewer rules') } });
    expect(others.status).toBe(200);
    expect((await list(machine, `/${NAME}7`)).status).toBe(200);
  });

  it('is not written where its patterns are too long together, the second time neither', async () => {
    const write = (permissions: object[]) =>
      test.admin('POST', `/api/v1/projects/${project.id}/roles`, { slug: 'long', name: 'Long', permissions });
    const refused = { status: 400, body: { message: expect.stringContaining('too long together') } };
    const many = rulesWith(globs(300, 500, ''));
    for (let time = 0; time < 2; time++) expect(await write(many)).toMatchObject(refused);
    expect(await write(rulesWith(Array(200).fill(`${'{a,b}'.repeat(6)}c`)))).toMatchObject(refused);
    expect((await write(many.slice(0, 90))).status).toBe(200);
  });

  it('is not even read where its texts are too long together, by whom ever it is sent', async () => {
    const { call } = await test.identity();
    const rulesOf = (text: unknown, count: number, rules = 1) =>
      Array.from({ length: rules }, () => ({
        subject: 'secrets',
        action: 'readValue',
        conditions: { secretName: { $in: Array(count).fill(text) } },
      }));
    const write = async (permissions: object[], as = call) => {
      const { status, body } = await as('POST', `/api/v1/projects/${project.id}/roles`, {
        slug: `texts-${randomUUID()}`,
        name: 'Texts',
        permissions,
      });
      return [status, body.message];
    };
    const tooLong = [400, expect.stringContaining('too long together')];
    expect(await write(rulesOf('{'.repeat(1024), 1000, 3))).toEqual(tooLong);
    expect(await write(rulesOf('{{a'.repeat(341), 1000))).toEqual(tooLong);
    expect(await write(rulesOf('', 1000, 45))).toEqual(tooLong);
    expect(await write(rulesOf(1, 1000, 45))).toEqual(tooLong);
    expect(await write(rulesOf('{'.repeat(1024), 200))).toEqual([404, expect.any(String)]);
    expect(await write(rulesOf('a'.repeat(200), 1000), test.admin)).toEqual([200, undefined]);
  });
});
