import { rotateKeys } from '@coffer/domain';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { signatureOf, type Receiver } from '../../harness/receiver.ts';
import { fails, KEY, MINUTE, webhooks } from '../../harness/webhooks.ts';

const all = await webhooks();
const { setUp, test } = all;
afterAll(() => all.close());

let receiver: Receiver;
beforeEach(async () => {
  receiver = await all.renewed();
});

describe('a webhook', () => {
  it('is created, listed, updated and deleted', async () => {
    const { project, create, id } = await setUp({ secretPath: '/app/**/' });
    const dev = { id: expect.any(String), name: 'Development', slug: 'dev' };
    const webhook = {
      id,
      projectId: project.id,
      envId: expect.any(String),
      environment: dev,
      secretPath: '/app/**',
      type: 'general',
      isDisabled: false,
      lastStatus: null,
      lastRunErrorMessage: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    const url = `/api/v1/webhooks?workspaceId=${project.id}`;
    const listed = await test.admin('GET', url);
    expect(listed).toMatchObject({ status: 200 });
    expect(listed.body).toEqual({
      message: expect.any(String),
      webhooks: [{ ...webhook, url: `${receiver.url}/hook` }],
    });
    const other = await create({ type: 'slack', environment: 'prod', webhookSecretKey: undefined });
    expect(other.body).toEqual({
      message: expect.any(String),
      webhook: {
        ...webhook,
        id: expect.any(String),
        type: 'slack',
        secretPath: '/',
        environment: { ...dev, name: 'Production', slug: 'prod' },
      },
    });
    const found = async (query: string) =>
      (await test.admin('GET', url + query)).body.webhooks.map((one: { id: string }) => one.id);
    expect(await found('')).toEqual([id, other.body.webhook.id]);
    expect(await found('&environment=prod')).toEqual([other.body.webhook.id]);
    expect(await found('&secretPath=/app/**')).toEqual([id]);
    expect(await found('&environment=dev&secretPath=/')).toEqual([]);

    const changed = await test.admin('PATCH', `/api/v1/webhooks/${id}`, { isDisabled: true });
    expect(changed.body).toEqual({ message: expect.any(String), webhook: { ...webhook, isDisabled: true } });
    const deleted = await test.admin('DELETE', `/api/v1/webhooks/${id}`);
    expect(deleted).toMatchObject({ status: 200, body: { webhook: { id } } });
    expect((await test.admin('DELETE', `/api/v1/webhooks/${id}`)).status).toBe(404);
    expect(await found('')).toEqual([other.body.webhook.id]);
    const { rows } = await test.coffer.pool.query<{ published: string; data: object }>(
      `select published, data from audit_events where project_id = $1 and type like 'webhook.%' order by created_at, id`,
      [project.id],
    );
    const data = { webhookId: id, environment: 'dev', secretPath: '/app/**', isDisabled: false };
    expect(rows.map(({ published }) => published)).toEqual([
      'create-webhook',
      'create-webhook',
      'update-webhook-status',
      'delete-webhook',
    ]);
    expect(rows[0]!.data).toEqual(data);
    expect(rows[2]!.data).toEqual({ ...data, isDisabled: true, changed: ['isDisabled'] });
  });

  it('needs permissions on webhooks, and is unknown to others', async () => {
    const { project, id } = await setUp();
    const foreign = await test.foreign();
    const base = { workspaceId: project.id, environment: 'dev', webhookUrl: receiver.url };
    const calls = [
      ['GET', `/api/v1/webhooks?workspaceId=${project.id}`],
      ['POST', '/api/v1/webhooks', base],
      ['PATCH', `/api/v1/webhooks/${id}`, { isDisabled: true }],
      ['POST', `/api/v1/webhooks/${id}/test`],
      ['DELETE', `/api/v1/webhooks/${id}`],
    ] as const;
    const outsider = (await test.identity({})).call;
    const member = (await test.identity({ projectId: project.id, projectRole: 'no-access' })).call;
    const reader = (await test.identity({ projectId: project.id, rules: [{ subject: 'webhooks', action: ['read'] }] }))
      .call;
    for (const [method, url, body] of calls) {
      expect((await test.as()(method, url, body)).status).toBe(401);
      expect((await member(method, url, body)).status).toBe(403);
      const unknown = await foreign.call(method, url.replace(id, crypto.randomUUID()), body);
      for (const caller of [foreign.call, outsider]) {
        const { status, body: answer } = await caller(method, url, body);
        expect([url, status, answer.message]).toEqual([url, 404, unknown.body.message]);
      }
    }
    const statuses = [];
    for (const [method, url, body] of calls) statuses.push((await reader(method, url, body)).status);
    expect(statuses).toEqual([200, 403, 403, 403, 403]);
    expect(receiver.received).toEqual([]);
  });

  it('accepts only valid addresses, environments and folders', async () => {
    const { create, project } = await setUp();
    const status = async (more: Record<string, unknown>) => (await create(more)).status;
    for (const webhookUrl of ['', 'nonsense', 'ftp://example.com', 'file:///etc/passwd', 'https://a:b@example.com/', 1])
      expect([webhookUrl, await status({ webhookUrl })]).toEqual([webhookUrl, 422]);
    expect(await status({ webhookUrl: `https://example.com/${'x'.repeat(2048)}` })).toBe(422);
    for (const secretPath of ['app', '/a{', '/[z-a]', '/!(x)', `/${'x'.repeat(600)}`, '/\0'])
      expect([secretPath, await status({ secretPath })]).toEqual([secretPath, 422]);
    expect(await status({ type: 'pigeon' })).toBe(422);
    expect(await status({ environment: 'none' })).toBe(404);
    expect((await test.admin('GET', `/api/v1/webhooks?workspaceId=${project.id}&environment=none`)).status).toBe(404);
    expect(await status({ secretPath: '/{app,lib}/**', webhookSecretKey: '' })).toBe(200);
  });

  it('is limited to two hundred', async () => {
    const { create, scope, id } = await setUp();
    const { pool } = test.coffer;
    await pool.query(
      `insert into webhooks (id, organization_id, project_id, environment_id, secret_path, type, url, is_disabled, since)
       select gen_random_uuid(), organization_id, project_id, environment_id, '/', 'general', url, true, 0
       from webhooks, generate_series(2, 200) where project_id = $1`,
      [scope.projectId],
    );
    expect((await create()).body).toMatchObject({ statusCode: 400, message: expect.stringContaining('200') });
    await pool.query('delete from webhooks where project_id = $1 and id <> $2', [scope.projectId, id]);
    expect((await create()).status).toBe(200);
  });

  it('is stored sealed, and continues after a key rotation', async () => {
    const { tell, write, id } = await setUp({
      webhookUrl: `${receiver.url}/hook/c4nary-url`,
      webhookSecretKey: 'c4nary-key',
    });
    const { rows } = await test.coffer.pool.query<{ text: string }>(
      'select w::text as text from webhooks w where id = $1',
      [id],
    );
    const hex = (text: string) => Buffer.from(text).toString('hex');
    for (const canary of ['c4nary-url', 'c4nary-key', hex('c4nary-url'), hex('c4nary-key')])
      expect(rows[0]!.text).not.toContain(canary);
    const [rotation] = await rotateKeys(test.coffer, { organizationId: test.organizationId, settleMs: 20 });
    expect(rotation).toMatchObject({ isComplete: true, unreadable: [] });
    await write('A');
    await tell();
    const [call] = receiver.received;
    expect([call!.url, call!.headers['x-coffer-signature']]).toEqual([
      '/hook/c4nary-url',
      signatureOf('c4nary-key', call!),
    ]);
  });

  it('requires its key again if its address changes', async () => {
    const { id, look, write, tell } = await setUp();
    const change = async (body: object) => (await test.admin('PATCH', `/api/v1/webhooks/${id}`, body)).body;
    const webhookUrl = `${receiver.url}/other`;
    expect(await change({ webhookUrl })).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('webhookSecretKey'),
    });
    expect((await look()).url).toBe(`${receiver.url}/hook`);
    expect(await change({ webhookUrl: `${receiver.url}/hook`, secretPath: '/' })).toMatchObject({ webhook: { id } });
    expect(await change({ webhookUrl, webhookSecretKey: 'new' })).toMatchObject({ webhook: { id } });
    await write('A');
    await tell();
    expect(await change({ webhookUrl: `${receiver.url}/third`, webhookSecretKey: null })).toMatchObject({
      webhook: { id },
    });
    await write('A');
    await tell();
    // No further ones can be requested.
    expect(await change({ webhookUrl })).toMatchObject({ webhook: { id } });
    const [first, second] = receiver.received;
    expect([first!.url, first!.headers['x-coffer-signature']]).toEqual(['/other', signatureOf('new', first!)]);
    expect([second!.url, second!.headers['x-coffer-signature']]).toEqual(['/third', undefined]);
  });

  it('is called at its new address after an update, with waiting deliveries as well', async () => {
    const { id, write, folder, tell } = await setUp({ secretPath: '/**' });
    await folder('a');
    await write('A');
    await write('B', '/a');
    receiver.answer((_req, res) => {
      receiver.answer();
      const target = { webhookUrl: `${receiver.url}/new`, webhookSecretKey: 'new' };
      void test.admin('PATCH', `/api/v1/webhooks/${id}`, target).then(
        () => res.end(),
        () => res.destroy(),
      );
    });
    await tell();
    const signed = receiver.received.map((call) => [call.url, call.headers['x-coffer-signature']]);
    const [first, second] = receiver.received;
    expect(signed).toEqual([
      ['/hook', signatureOf(KEY, first!)],
      ['/new', signatureOf('new', second!)],
    ]);
  });

  it('does not wait at its new address because of failures at the old one', async () => {
    const { id, write, tell, look } = await setUp();
    receiver.answer(fails);
    await write('A');
    for (let count = 0; count < 5; count++) {
      await tell();
      test.advance(10 * MINUTE);
    }
    receiver.answer((_req, res) => {
      receiver.answer();
      const target = { webhookUrl: `${receiver.url}/new`, webhookSecretKey: 'new' };
      void test.admin('PATCH', `/api/v1/webhooks/${id}`, target).then(
        () => res.writeHead(500).end(),
        () => res.destroy(),
      );
    });
    await tell();
    await tell();
    expect(receiver.received.slice(5).map(({ url }) => url)).toEqual(['/hook', '/new']);
    expect(await look()).toMatchObject({ lastStatus: 'success' });
  });

  it('is of a project that is named by either name of its id', async () => {
    const { project, id } = await setUp();
    const ids = async (query: string) => {
      const { status, body } = await test.admin('GET', `/api/v1/webhooks${query}`);
      return [status, body.webhooks?.map((one: { id: string }) => one.id)];
    };
    expect(await ids(`?projectId=${project.id}`)).toEqual([200, [id]]);
    const place = { environment: 'dev', webhookUrl: receiver.url };
    const made = await test.admin('POST', '/api/v1/webhooks', { ...place, projectId: project.id });
    expect([made.status, made.body.webhook?.projectId]).toEqual([200, project.id]);
    expect((await ids(''))[0]).toBe(422);
    expect((await test.admin('POST', '/api/v1/webhooks', place)).status).toBe(422);
  });
});

describe('a webhook that is switched off', () => {
  it('is not called, and afterwards gets only later changes', async () => {
    const { tell, write, id } = await setUp();
    const switchTo = (isDisabled: boolean) => test.admin('PATCH', `/api/v1/webhooks/${id}`, { isDisabled });
    receiver.answer(fails);
    await write('A');
    await tell();
    receiver.answer();
    await switchTo(true);
    test.advance(MINUTE);
    await write('B');
    await tell();
    await switchTo(false);
    await tell();
    expect(receiver.received).toHaveLength(1);
    await write('C');
    await tell();
    expect(receiver.received).toHaveLength(2);
  });

  it('gets nothing from before it, either', async () => {
    const { create, write, tell } = await setUp({ environment: 'prod' });
    await write('A');
    await create({ webhookUrl: `${receiver.url}/second` });
    await tell();
    expect(receiver.received).toEqual([]);
  });
});

describe('a test', () => {
  it('calls immediately, marks the call as a test, and returns its result', async () => {
    const { id, project, write, tell } = await setUp({ secretPath: '/app/*' });
    const url = `/api/v1/webhooks/${id}/test`;
    const well = await test.admin('POST', url);
    expect(well).toMatchObject({
      status: 200,
      body: { webhook: { id, lastStatus: 'success', lastRunErrorMessage: null } },
    });
    const [call] = receiver.received;
    expect(call!.body).toEqual({
      event: 'test',
      id: call!.headers['idempotency-key'],
      project: {
        workspaceId: project.id,
        projectId: project.id,
        projectName: expect.any(String),
        environment: 'dev',
        secretPath: '/app/*',
      },
      timestamp: expect.any(Number),
    });
    expect(call!.headers['x-infisical-signature']).toBe(signatureOf(KEY, call!));
    receiver.answer(fails);
    const badly = await test.admin('POST', url);
    expect(badly).toMatchObject({
      status: 200,
      body: { webhook: { lastStatus: 'failed', lastRunErrorMessage: expect.stringContaining('500') } },
    });
    const { rows } = await test.coffer.pool.query<{ reached: boolean }>(
      `select (data ->> 'isReached')::boolean as reached from audit_events where type = 'webhook.tested' and project_id = $1 order by created_at, id`,
      [project.id],
    );
    expect(rows.map(({ reached }) => reached)).toEqual([true, false]);
    await write('A');
    await tell();
    expect(receiver.received).toHaveLength(2);
  });

  it('has its whole address read with an event, and without one by whoever does not get it', async () => {
    const { project } = await setUp();
    const reader = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    for (const call of [reader.call, test.admin])
      expect((await call('GET', `/api/v1/webhooks?projectId=${project.id}`)).status).toBe(200);
    const { rows } = await test.coffer.pool.query(
      `select actor_id as "actorId", data from audit_events where type = 'webhooks.listed' and project_id = $1`,
      [project.id],
    );
    expect(rows).toEqual([{ actorId: test.adminIdentity.id, data: { numberOfWebhooks: 1 } }]);
  });

  it('needs the right to update the webhook, since it calls with its key and stores the result', async () => {
    const { id, project } = await setUp({ secretPath: '/**' });
    const reader = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    const read = await reader.call('GET', `/api/v1/webhooks?projectId=${project.id}`);
    expect([read.status, read.body.webhooks.length]).toEqual([200, 1]);
    expect((await reader.call('POST', `/api/v1/webhooks/${id}/test`)).status).toBe(403);
    expect(receiver.received).toEqual([]);
  });
});
