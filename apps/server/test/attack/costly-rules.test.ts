import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Approvals } from '../harness/approvals.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let project: { id: string; slug: string };
const NAME = 'A'.repeat(200);
const TOO_COSTLY = { status: 403, body: { message: expect.stringContaining('with shorter glob patterns') } };

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

/** Stored directly, like roles of earlier releases. */
const machineWith = async (some: readonly string[]): Promise<Caller> =>
  (await test.identity({ projectId: project.id, rules: rulesWith(some) })).call;

const list = (call: Caller, name = '') =>
  call('GET', `/api/v4/secrets${name}?projectId=${project.id}&environment=dev&secretPath=/`);

describe('attack: a role with many long globs', () => {
  it('is evaluated normally if it is not expensive', async () => {
    const machine = await machineWith([...globs(300, 100, ''), '*A*7']);
    const { status, body } = await list(machine);
    expect(status).toBe(200);
    expect(body.secrets).toHaveLength(20);
  });

  it('is rejected if a list is too expensive, only for its caller', async () => {
    const machine = await machineWith(['*A*7', ...globs(300, 200)]);
    const [whole, others] = await Promise.all([list(machine), list(test.admin)]);
    expect(whole).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('with shorter glob patterns') },
    });
    expect(others.status).toBe(200);
    expect((await list(machine, `/${NAME}7`)).status).toBe(200);
  });

  it('is rejected if its patterns are too long together, also the second time', async () => {
    const write = (permissions: object[]) =>
      test.admin('POST', `/api/v1/projects/${project.id}/roles`, { slug: 'long', name: 'Long', permissions });
    const refused = { status: 400, body: { message: expect.stringContaining('too long in total') } };
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
    const tooLong = [400, expect.stringContaining('too long in total')];
    expect(await write(rulesOf('{'.repeat(1024), 1000, 3))).toEqual(tooLong);
    expect(await write(rulesOf('{{a'.repeat(341), 1000))).toEqual(tooLong);
    expect(await write(rulesOf('', 1000, 45))).toEqual(tooLong);
    expect(await write(rulesOf(1, 1000, 45))).toEqual(tooLong);
    expect(await write(rulesOf('{'.repeat(1024), 200))).toEqual([404, expect.any(String)]);
    expect(await write(rulesOf('a'.repeat(200), 1000), test.admin)).toEqual([200, undefined]);
  });

  it('does not affect callers with full access', async () => {
    const all = { subject: 'secrets', action: ['describeSecret', 'readValue'] };
    const rules = [all, ...rulesWith(globs(300, 200))];
    const { status, body } = await list((await test.identity({ projectId: project.id, rules })).call);
    expect([status, body.secrets.length]).toEqual([200, 200]);
  });
});

describe('attack: names that many long globs of other actors may match', () => {
  it('are rejected if computing the gains is too expensive', async () => {
    const opened = rulesWith(globs(90, 480)).map((rule) => ({
      ...rule,
      conditions: { ...rule.conditions, environment: { $glob: 'o*' } },
    }));
    await test.identity({ projectId: project.id, rules: opened });
    const { call } = await test.identity({
      projectId: project.id,
      rules: [
        { subject: 'environments', action: ['read', 'edit'] },
        { subject: 'secrets', action: ['describeSecret', 'create', 'edit', 'delete'] },
        { subject: 'secrets', action: ['readValue'], conditions: { secretName: 'OTHER' } },
      ],
    });
    const { body } = await test.admin('GET', `/api/v1/workspace/${project.id}`);
    const { id } = body.workspace.environments.find(({ slug }: { slug: string }) => slug === 'dev');
    const rename = (by: Caller) => by('PATCH', `/api/v1/workspace/${project.id}/environments/${id}`, { slug: 'open' });
    expect(await rename(call)).toMatchObject(TOO_COSTLY);
    // A caller with all these rights grants nothing.
    expect((await rename(test.admin)).status).toBe(200);
  });
});

describe('attack: asking for access by many long globs', () => {
  const asking = async (count: number, glob: (n: number) => string) => {
    const world = await Approvals.in(test);
    const { id: approver } = await world.member();
    const { call } = await world.member('no-access');
    const permissions = Array.from({ length: count }, (_, n) => ({
      ...{ subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'] },
      conditions: { environment: 'prod', secretPath: { $glob: glob(n) } },
    }));
    const policy = (secretPath?: string) =>
      test.admin('POST', '/api/v1/access-approvals/policies', {
        ...{ projectSlug: world.project.slug, environment: 'prod', approvers: [{ type: 'user', id: approver }] },
        ...(secretPath && { secretPath }),
      });
    const ask = (some = permissions) =>
      call('POST', `/api/v1/access-approvals/requests?projectSlug=${world.project.slug}`, {
        ...{ permissions: some, isTemporary: false },
      });
    return { world, permissions, policy, ask };
  };

  it('is rejected if finding its folders is too expensive', async () => {
    const { world, permissions, policy, ask } = await asking(90, (n) => `{~,/**/${'*A'.repeat(480)}B${n}*}`);
    expect((await policy()).status).toBe(200);
    let path = '';
    for (let depth = 0; depth < 12; depth++) {
      await world.folder(path || '/', NAME.slice(0, 60), 'prod');
      path += `/${NAME.slice(0, 60)}`;
    }
    for (let n = 0; n < 30; n++) await world.folder(path, `${NAME.slice(0, 50)}${n}`, 'prod');
    expect(await ask()).toMatchObject(TOO_COSTLY);
    expect((await ask(permissions.slice(0, 2))).status).toBe(200);
  });

  it('is compared with at most as many policies as the limit of a request', async () => {
    const { policy, ask, permissions } = await asking(60, (n) => `/a1/x${n}/${'*a'.repeat(300)}${n}`);
    for (const path of [undefined, ...Array.from({ length: 20 }, (_, n) => `/a*/*${n}*/**`)])
      expect((await policy(path)).status).toBe(200);
    expect(await ask()).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('No access policy covers') },
    });
    expect((await ask(permissions.slice(0, 1))).status).toBe(200);
  });
});
