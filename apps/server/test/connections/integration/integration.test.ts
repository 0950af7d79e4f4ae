import { randomUUID } from 'node:crypto';
import { jobs, rotateKeys, startWorker } from '@coffer/domain';
import { AwsAccount, GitHub, integrationExamples, StandIns, Vault } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Approvals } from '../../harness/approvals.ts';
import { synced, SyncedProject } from '../../harness/integrations.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const PATH = '/api/v1/integration';
const TARGET = { region: 'eu-central-1', path: '/app/' };

let standIns: StandIns;
let test: TestServer;
let project: SyncedProject;
let aws: AwsAccount;
beforeAll(async () => {
  standIns = new StandIns();
  test = await testServer({ fetch: (url, request) => standIns.fetch(url, request) });
});
beforeEach(async () => {
  project = await SyncedProject.make(test);
  await project.write({ ONE: 'first', TWO: 'second' });
  aws = new AwsAccount();
  await aws.serve(standIns);
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const keys = () => ({ accessId: aws.keys.accessKeyId, accessToken: aws.keys.secretAccessKey });
const integrate = (given: object = {}) => project.integrate('aws-parameter-store', keys(), { ...TARGET, ...given });
const held = (path = '/app/') =>
  Object.fromEntries(
    [...aws.parameters].flatMap(([name, { value }]) =>
      name.startsWith(path) ? [[name.slice(path.length), value]] : [],
    ),
  );
const hold = (values: Record<string, string>) => {
  for (const [name, value] of Object.entries(values))
    aws.parameters.set(`/app/${name}`, { value, type: 'SecureString' });
};
const folder = (name: string, path = '/', environment = 'dev') =>
  test.admin('POST', '/api/v2/folders', { projectId: project.id, environment, name, path });
const events = async (type: string): Promise<Record<string, unknown>[]> => {
  const { body } = await test.admin('GET', `/api/v1/organization/audit-logs?eventType=${type}&projectId=${project.id}`);
  return body.auditLogs.map(({ event }: { event: { metadata: object } }) => event.metadata);
};

describe('making an integration', () => {
  it('returns every published field, and syncs immediately', async () => {
    const integrationAuthId = await project.authorize('aws-parameter-store', keys());
    const { status, body } = await test.admin('POST', PATH, {
      integrationAuthId,
      sourceEnvironment: 'dev',
      ...TARGET,
      metadata: { secretPrefix: 'P_', shouldDisableDelete: true },
    });
    expect([status, body]).toEqual([
      200,
      {
        integration: {
          id: expect.any(String),
          isActive: true,
          url: null,
          app: null,
          appId: null,
          targetEnvironment: null,
          targetEnvironmentId: null,
          targetService: null,
          targetServiceId: null,
          owner: null,
          path: '/app/',
          region: 'eu-central-1',
          scope: null,
          integration: 'aws-parameter-store',
          metadata: { secretPrefix: 'P_', shouldDisableDelete: true },
          integrationAuthId,
          envId: expect.any(String),
          secretPath: '/',
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          lastUsed: null,
          isSynced: null,
          syncMessage: null,
          lastSyncJobId: null,
          environment: { id: body.integration.envId, name: 'Development', slug: 'dev' },
        },
      },
    ]);
    const { id } = body.integration;
    expect((await test.admin('GET', `${PATH}/${id}`)).body).toEqual(body);
    const listed = await test.admin('GET', `/api/v1/workspace/${project.id}/integrations`);
    expect(listed.body.integrations).toEqual([body.integration]);
    expect(await project.run(id)).toEqual({
      ...body.integration,
      isSynced: true,
      lastUsed: expect.any(String),
      lastSyncJobId: expect.any(String),
    });
    expect(held()).toEqual({ P_ONE: 'first', P_TWO: 'second' });
    expect(await events('create-integration')).toHaveLength(1);
    expect(await events('integration-synced')).toEqual([
      { integrationId: id, integration: 'aws-parameter-store', isSynced: true, written: 2, removed: 0 },
    ]);
  });

  it.each(Object.entries(integrationExamples))('says what %s needs and lacks', async (slug, { auth, integration }) => {
    const integrationAuthId = await project.authorize(slug, auth);
    const make = (given: object) =>
      test.admin('POST', PATH, { integrationAuthId, sourceEnvironment: 'dev', isActive: false, ...given });
    expect((await make(integration)).status).toBe(200);
    for (const field of Object.keys(integration)) {
      const answer = await make({ ...integration, [field]: '' });
      expect([field, answer.status, answer.body.message]).toEqual([field, 400, expect.stringContaining(field)]);
      expect((await make({ ...integration, [field]: '../?#@x y/..' })).status).toBe(400);
    }
  });

  it.each([
    ['hosts in a region', { region: 'x.evil.example' }],
    ['a mapping that is not there', { metadata: { mappingBehavior: 'many-to-one' } }],
    ['metadata of secrets', { metadata: { metadataSyncMode: 'secret-metadata' } }],
  ])('refuses %s', async (_, given) => {
    const integrationAuthId = await project.authorize('aws-parameter-store', keys());
    const answer = await test.admin('POST', PATH, { integrationAuthId, sourceEnvironment: 'dev', ...TARGET, ...given });
    expect(answer.status).toBe(400);
  });

  it('accepts targets with names of maximum length, in any script', async () => {
    const long = (length: number) =>
      String.fromCharCode(...Array.from({ length }, (_, n) => 0x4e00 + ((n * 7919) % 20_000)));
    const vault = await project.authorize('hashicorp-vault', integrationExamples['hashicorp-vault']!.auth);
    const github = await project.authorize('github', integrationExamples['github']!.auth);
    for (const [integrationAuthId, given] of [
      [vault, { app: long(512), path: long(512) }],
      [github, { scope: 'github-env', owner: 'o'.repeat(255), app: 'a'.repeat(255), targetEnvironmentId: long(255) }],
    ] as const)
      expect((await test.admin('POST', PATH, { integrationAuthId, sourceEnvironment: 'dev', ...given })).status).toBe(
        200,
      );
  });

  it('rejects imports from write-only targets', async () => {
    const github = await project.authorize('github', integrationExamples['github']!.auth);
    const given = { owner: 'acme', app: 'web', metadata: { initialSyncBehavior: 'prefer-target' } };
    const answer = await test.admin('POST', PATH, { integrationAuthId: github, sourceEnvironment: 'dev', ...given });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('overwrite-target')]);
  });

  it('reports an unsupported service', async () => {
    const { body } = await test.admin('GET', '/api/v1/integration-auth/integration-options');
    const missing = body.integrationOptions.find((one: { isAvailable: boolean }) => !one.isAvailable);
    const integrationAuthId = await project.authorize(missing.slug, { accessToken: 'x' });
    const answer = await test.admin('POST', PATH, { integrationAuthId, sourceEnvironment: 'dev', app: 'x' });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('hashicorp-vault')]);
  });

  it('needs an existing environment and folder', async () => {
    const integrationAuthId = await project.authorize('aws-parameter-store', keys());
    for (const given of [{ sourceEnvironment: 'nowhere' }, { secretPath: '/nowhere' }])
      expect(
        (await test.admin('POST', PATH, { integrationAuthId, sourceEnvironment: 'dev', ...TARGET, ...given })).status,
      ).toBe(404);
  });
});

describe('an integration', () => {
  const all = { subject: 'integrations', action: ['read', 'create', 'edit', 'delete'] };
  const reading = { subject: 'secrets', action: ['describeSecret', 'readValue'] };

  it('does not disclose secrets that its creator may not read: own, imported, or referenced ones', async () => {
    await folder('own');
    await folder('imports');
    await folder('refers');
    await project.write({ OWN: 'x' }, 'dev', '/own');
    await project.write({ HIDDEN: 'x' }, 'prod');
    await project.write({ SEEMS: '${prod.HIDDEN}' }, 'dev', '/refers');
    const imported = {
      projectId: project.id,
      environment: 'dev',
      path: '/imports',
      import: { environment: 'prod', path: '/' },
    };
    expect((await test.admin('POST', '/api/v2/secret-imports', imported)).status).toBe(200);
    const integrationAuthId = await project.authorize('aws-parameter-store', keys());
    const { call } = await test.identity({
      projectId: project.id,
      rules: [all, { ...reading, conditions: { environment: 'dev' } }],
    });
    const make = (secretPath: string, sourceEnvironment = 'dev') =>
      call('POST', PATH, { integrationAuthId, sourceEnvironment, secretPath, ...TARGET });
    expect((await make('/', 'prod')).status).toBe(403);
    expect((await make('/imports')).status).toBe(403);
    expect((await make('/refers')).status).toBe(403);
    const made = await make('/own');
    expect(made.status).toBe(200);
    for (const change of [{ secretPath: '/imports' }, { environment: 'prod' }, { secretPath: '/refers' }])
      expect((await call('PATCH', `${PATH}/${made.body.integration.id}`, change)).status).toBe(403);
    const { call: blind } = await test.identity({ projectId: project.id, rules: [all] });
    expect((await blind('PATCH', `${PATH}/${made.body.integration.id}`, { path: '/mine/' })).status).toBe(403);
  });

  it('does not bypass a rule that hides one secret of a folder', async () => {
    const integrationAuthId = await project.authorize('aws-parameter-store', keys());
    const { call } = await test.identity({
      projectId: project.id,
      rules: [all, reading, { ...reading, inverted: true, conditions: { secretName: 'TWO' } }],
    });
    const answer = await call('POST', PATH, { integrationAuthId, sourceEnvironment: 'dev', ...TARGET });
    expect([answer.status, JSON.stringify(answer.body).includes('ONE')]).toEqual([403, false]);
  });

  it('that imports needs the right to write secrets', async () => {
    const integrationAuthId = await project.authorize('aws-parameter-store', keys());
    const { call } = await test.identity({ projectId: project.id, rules: [all, reading] });
    const make = (metadata: object) =>
      call('POST', PATH, { integrationAuthId, sourceEnvironment: 'dev', ...TARGET, metadata });
    expect((await make({ initialSyncBehavior: 'prefer-target' })).status).toBe(403);
    expect((await make({ initialSyncBehavior: 'prefer-source' })).status).toBe(403);
    expect((await make({})).status).toBe(200);
  });

  it('reads with the rights of its creator, each time, until another user with the rights saves it', async () => {
    const integrationAuthId = await project.authorize('aws-parameter-store', keys());
    const { id: identityId, call } = await test.identity({ projectId: project.id, projectRole: 'member' });
    const made = await call('POST', PATH, { integrationAuthId, sourceEnvironment: 'dev', ...TARGET });
    const { id } = made.body.integration;
    await synced(project, id);
    const membership = `/api/v2/workspace/${project.id}/identity-memberships/${identityId}`;
    for (const end of [
      () => test.admin('PATCH', membership, { roles: [{ role: 'no-access' }] }),
      () => test.admin('DELETE', membership),
    ]) {
      expect((await end()).status).toBe(200);
      await project.write({ ONE: null });
      const { isSynced, syncMessage } = await project.sync(id);
      expect([isSynced, syncMessage]).toEqual([false, expect.stringContaining('must save it again')]);
      expect(held()).toEqual({ ONE: 'first', TWO: 'second' });
      await project.write({ ONE: 'first' });
    }
    expect((await test.admin('PATCH', `${PATH}/${id}`, {})).status).toBe(200);
    await project.write({ ONE: 'again' });
    await synced(project, id);
    expect(held()).toEqual({ ONE: 'again', TWO: 'second' });
  });

  it('stops if an import contributes what its creator may not read', async () => {
    const integrationAuthId = await project.authorize('aws-parameter-store', keys());
    const { call } = await test.identity({
      projectId: project.id,
      rules: [all, { ...reading, conditions: { environment: 'dev' } }],
    });
    const made = await call('POST', PATH, { integrationAuthId, sourceEnvironment: 'dev', ...TARGET });
    await synced(project, made.body.integration.id);
    await project.write({ HIDDEN: 'x' }, 'prod');
    const imported = {
      projectId: project.id,
      environment: 'dev',
      path: '/',
      import: { environment: 'prod', path: '/' },
    };
    expect((await test.admin('POST', '/api/v2/secret-imports', imported)).status).toBe(200);
    expect((await project.sync(made.body.integration.id)).isSynced).toBe(false);
    expect(held()).toEqual({ ONE: 'first', TWO: 'second' });
  });

  it('belongs to its project and needs the permission', async () => {
    const id = await integrate();
    const { call: stranger } = await test.foreign();
    const { call: member } = await test.identity({ projectId: project.id, rules: [reading] });
    const unknown = await test.admin('GET', `${PATH}/${randomUUID()}`);
    for (const [method, url, body] of [
      ['GET', `${PATH}/${id}`, undefined],
      ['PATCH', `${PATH}/${id}`, { isActive: false }],
      ['POST', `${PATH}/${id}/sync`, undefined],
      ['DELETE', `${PATH}/${id}`, undefined],
    ] as const) {
      const foreign = await stranger(method, url, body);
      expect([foreign.status, { ...foreign.body, reqId: '' }]).toEqual([404, { ...unknown.body, reqId: '' }]);
      expect((await member(method, url, body)).status).toBe(403);
      expect((await test.as()(method, url, body)).status).toBe(401);
      expect((await test.admin(method, url.replace(id, 'none'), body)).status).toBe(404);
    }
    const list = `/api/v1/workspace/${project.id}/integrations`;
    expect((await stranger('GET', list)).status).toBe(404);
    expect((await member('GET', list)).status).toBe(403);
    const { integrationAuthId } = await project.status(id);
    const body = { integrationAuthId, sourceEnvironment: 'dev', ...TARGET };
    expect((await stranger('POST', PATH, body)).status).toBe(404);
    expect((await member('POST', PATH, body)).status).toBe(403);
    expect((await test.as()('POST', PATH, body)).status).toBe(401);
  });

  it('returns the reason of a failure to callers who may know the names of the secrets', async () => {
    await project.write({ 'not a name': 'x' });
    const id = await integrate();
    expect((await project.run(id)).syncMessage).toContain('not a name');
    const { call } = await test.identity({ projectId: project.id, rules: [all] });
    const { body } = await call('GET', `${PATH}/${id}`);
    expect([body.integration.isSynced, body.integration.syncMessage.includes('not a name')]).toEqual([false, false]);
  });
});

describe('the synced secrets', () => {
  it('are what a reader of the folder gets: imports below its own, references resolved', async () => {
    await folder('shared', '/', 'prod');
    await project.write({ ONE: 'hidden by its own', IMPORTED: 'i', BASE: 'b' }, 'prod', '/shared');
    await project.write({ RESOLVED: 'with ${ONE} and ${prod.shared.BASE}' });
    const imported = {
      projectId: project.id,
      environment: 'dev',
      path: '/',
      import: { environment: 'prod', path: '/shared' },
    };
    await test.admin('POST', '/api/v2/secret-imports', imported);
    await synced(project, await integrate());
    expect(held()).toEqual({ ONE: 'first', TWO: 'second', IMPORTED: 'i', BASE: 'b', RESOLVED: 'with first and b' });
  });

  it('are only differences, also after changes at the target', async () => {
    const id = await integrate();
    await synced(project, id);
    const writes = () => aws.calls.filter((call) => !call.startsWith('Get'));
    aws.calls.length = 0;
    await synced(project, id);
    expect(writes()).toEqual([]);
    hold({ TWO: 'changed by hand' });
    await synced(project, id);
    expect(writes()).toEqual(['PutParameter /app/TWO']);
  });

  it('follow each change of the project, several by one sync, without calls if nothing has changed', async () => {
    const id = await integrate();
    const worker = await startWorker(test.coffer, jobs, { pollInterval: 50 });
    try {
      await expect.poll(() => held()).toEqual({ ONE: 'first', TWO: 'second' });
      await project.write({ ONE: 'changed', THREE: 'third' });
      await project.write({ TWO: null });
      await expect.poll(() => held()).toEqual({ ONE: 'changed', THREE: 'third' });
    } finally {
      await worker.stop();
    }
    aws.calls.length = 0;
    await project.write({ OTHER: 'x' }, 'prod');
    const before = (await project.status(id)).lastUsed;
    await test.coffer.pool.query('update secret_syncs set due_at = $2 where id = $1', [id, test.coffer.now()]);
    expect((await project.run(id)).lastUsed).toBe(before);
    expect(aws.calls).toEqual([]);
  });

  it('are recorded as read, before they leave, and only if they do', async () => {
    const reads = async () => (await events('get-secrets')).length;
    const id = await integrate();
    const before = await reads();
    await synced(project, id);
    expect(await reads()).toBe(before + 1);
    await synced(project, id);
    expect(await reads()).toBe(before + 1);
  });

  it('are found under the new name of a folder, and never deleted because of a missing folder', async () => {
    const { folder: made } = (await folder('app')).body;
    await project.write({ INSIDE: 'x' }, 'dev', '/app');
    const id = await integrate({ secretPath: '/app' });
    await synced(project, id);
    const place = { projectId: project.id, environment: 'dev', path: '/' };
    expect((await test.admin('PATCH', `/api/v2/folders/${made.id}`, { ...place, name: 'renamed' })).status).toBe(200);
    await project.write({ INSIDE: 'y' }, 'dev', '/renamed');
    await synced(project, id);
    expect([(await project.status(id)).secretPath, held()]).toEqual(['/renamed', { INSIDE: 'y' }]);
    expect((await test.admin('DELETE', `/api/v2/folders/${made.id}`, place)).status).toBe(200);
    expect(await project.sync(id)).toMatchObject({ isSynced: false, syncMessage: 'There is no such folder' });
    expect(held()).toEqual({ INSIDE: 'y' });
  });

  it('end with the environment', async () => {
    const id = await integrate({ sourceEnvironment: 'staging' });
    const { envId } = await project.status(id);
    expect((await test.admin('DELETE', `/api/v1/projects/${project.id}/environments/${envId}`)).status).toBe(200);
    expect((await test.admin('GET', `${PATH}/${id}`)).status).toBe(404);
  });
});

describe('the deleted items', () => {
  it('were written by this integration, and unchanged by others', async () => {
    hold({ THEIRS: 'x', TWO: 'second' });
    const id = await integrate();
    await project.write({ THREE: 'third' });
    await synced(project, id);
    hold({ THREE: 'by somebody else' });
    await project.write({ ONE: null, TWO: null, THREE: null });
    await synced(project, id);
    expect(held()).toEqual({ THEIRS: 'x', TWO: 'second', THREE: 'by somebody else' });
  });

  it('is nothing with shouldDisableDelete, until that is taken back', async () => {
    const id = await integrate({ metadata: { shouldDisableDelete: true } });
    await synced(project, id);
    await project.write({ ONE: null });
    await synced(project, id);
    expect(held()).toEqual({ ONE: 'first', TWO: 'second' });
    await test.admin('PATCH', `${PATH}/${id}`, { metadata: { shouldDisableDelete: false } });
    await project.run(id);
    expect(held()).toEqual({ TWO: 'second' });
  });

  it('include renamed ones: a new prefix deletes the old names', async () => {
    const id = await integrate({ metadata: { secretPrefix: 'A_' } });
    await synced(project, id);
    const { body } = await test.admin('PATCH', `${PATH}/${id}`, { metadata: { secretPrefix: 'B_' } });
    expect(body.integration.metadata).toEqual({ secretPrefix: 'B_' });
    await project.run(id);
    expect(held()).toEqual({ B_ONE: 'first', B_TWO: 'second' });
  });

  it('is nothing at a place that it writes to no longer', async () => {
    const id = await integrate();
    await synced(project, id);
    await test.admin('PATCH', `${PATH}/${id}`, { path: '/new/' });
    await project.write({ ONE: null });
    await project.run(id);
    expect([held('/app/'), held('/new/')]).toEqual([{ ONE: 'first', TWO: 'second' }, { TWO: 'second' }]);
  });

  it('is not what cannot be written any more: the value before stays', async () => {
    const id = await integrate();
    await synced(project, id);
    await project.write({ ONE: '' });
    expect(await project.sync(id)).toMatchObject({ isSynced: false, syncMessage: expect.stringContaining('ONE') });
    expect(held()).toEqual({ ONE: 'first', TWO: 'second' });
  });
});

describe('the first sync', () => {
  const before = { ONE: 'at the target', ONLY: 'there', 'LOOKS.LIKE': '${prod.HIDDEN}' };

  it.each([
    [undefined, { ONE: 'first', TWO: 'second' }],
    ['overwrite-target', { ONE: 'first', TWO: 'second' }],
    ['prefer-source', { ONE: 'first', TWO: 'second', ONLY: 'there' }],
    ['prefer-target', { ONE: 'at the target', TWO: 'second', ONLY: 'there' }],
  ])('with %s leaves the folder and the target equal', async (initialSyncBehavior, expected) => {
    await project.write({ HIDDEN: 'x' }, 'prod');
    hold(before);
    const id = await integrate({ metadata: { initialSyncBehavior } });
    await synced(project, id);
    expect(await project.read()).toEqual(expected);
    expect(held()).toEqual({ ...before, ...expected });
    // Only the first one does: later items at the target are overwritten, or left unchanged.
    hold({ ONE: 'later', LATER: 'x' });
    await synced(project, id);
    expect(await project.read()).toEqual(expected);
    expect(held()).toEqual({ ...before, ...expected, LATER: 'x' });
  });

  it('that imports maps names back to those of the source', async () => {
    hold({ P_ONLY_S: 'there', OTHER: 'x' });
    const metadata = { initialSyncBehavior: 'prefer-source', secretPrefix: 'P_', secretSuffix: '_S' };
    await synced(project, await integrate({ metadata }));
    expect(await project.read()).toEqual({ ONE: 'first', TWO: 'second', ONLY: 'there' });
  });

  it('imports again after a failure, and writes as the project itself', async () => {
    hold({ ONLY: 'there' });
    const id = await integrate({ metadata: { initialSyncBehavior: 'prefer-source' } });
    aws.fault = (action) => (action === 'PutParameter' ? { type: 'InternalServerError' } : undefined);
    expect(await project.run(id)).toMatchObject({ isSynced: false });
    aws.fault = () => undefined;
    await synced(project, id);
    expect(await project.read()).toEqual({ ONE: 'first', TWO: 'second', ONLY: 'there' });
  });

  it('imports nothing past a change policy, and reports it', async () => {
    const of = await Approvals.in(test);
    const covered = new SyncedProject(test, of.project.id);
    await covered.write({ ONE: 'first' });
    await of.policy([await of.member()], { environment: 'dev' });
    hold({ ONLY: 'there' });
    const metadata = { initialSyncBehavior: 'prefer-source' };
    const id = await covered.integrate('aws-parameter-store', keys(), { ...TARGET, metadata });
    const { isSynced, syncMessage } = await covered.sync(id);
    expect([isSynced, syncMessage]).toEqual([false, expect.stringContaining('change policy covers /')]);
    expect([await covered.read(), held()]).toEqual([{ ONE: 'first' }, { ONLY: 'there' }]);
  });
});

describe('rotating keys', () => {
  it('copies credentials and accounts', async () => {
    const id = await integrate();
    await synced(project, id);
    const sealed = async () =>
      (
        await test.coffer.pool.query<{ auth: Buffer; own: Buffer }>(
          `select c.credentials as auth, s.hash_key as own from secret_syncs s
           join app_connections c on c.id = s.connection_id where s.id = $1`,
          [id],
        )
      ).rows[0]!;
    const before = await sealed();
    const [rotation] = await rotateKeys(test.coffer, { organizationId: test.organizationId, settleMs: 20 });
    expect([rotation?.isComplete, rotation?.unreadable]).toEqual([true, []]);
    const after = await sealed();
    expect([after.auth.equals(before.auth), after.own.equals(before.own)]).toEqual([false, false]);
    await project.write({ ONE: null });
    await synced(project, id);
    expect(held()).toEqual({ TWO: 'second' });
  });
});

describe('switching an integration off', () => {
  it('stops it, and enabling it again syncs what changed meanwhile', async () => {
    const id = await integrate({ isActive: false });
    await project.run(id);
    expect(held()).toEqual({});
    const refused = await test.admin('POST', `${PATH}/${id}/sync`);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('switched off')]);
    expect((await test.admin('PATCH', `${PATH}/${id}`, { isActive: true })).body.integration.isActive).toBe(true);
    await project.run(id);
    expect(held()).toEqual({ ONE: 'first', TWO: 'second' });
    await test.admin('PATCH', `${PATH}/${id}`, { isActive: false });
    await project.write({ ONE: 'changed' });
    await project.run(id);
    expect(held()).toEqual({ ONE: 'first', TWO: 'second' });
  });

  it('needs the permission to update it, also without reading what it writes', async () => {
    const id = await integrate();
    const rules = [{ subject: 'integrations', action: ['read', 'edit'] }];
    const { call } = await test.identity({ projectId: project.id, rules });
    const off = await call('PATCH', `${PATH}/${id}`, { isActive: false });
    expect([off.status, off.body.integration?.isActive]).toEqual([200, false]);
    expect((await call('PATCH', `${PATH}/${id}`, { isActive: true })).status).toBe(403);
    expect((await call('PATCH', `${PATH}/${id}`, { isActive: false, path: '/mine/' })).status).toBe(403);
    // It runs as the same actor as before.
    await test.coffer.pool.query('update secret_syncs set is_active = true where id = $1', [id]);
    await synced(project, id);
  });
});

describe('changing an integration', () => {
  it('updates the given fields, removes empty ones, and rejects invalid ones', async () => {
    const id = await integrate({ owner: 'somebody', url: 'https://for.people.example' });
    const before = await project.status(id);
    const { body } = await test.admin('PATCH', `${PATH}/${id}`, { environment: 'prod', owner: '' });
    expect(body.integration).toEqual({
      ...before,
      owner: null,
      envId: expect.any(String),
      environment: { id: body.integration.envId, name: 'Production', slug: 'prod' },
      updatedAt: expect.any(String),
    });
    expect((await test.admin('PATCH', `${PATH}/${id}`, { region: 'nowhere' })).status).toBe(400);
    expect((await test.admin('PATCH', `${PATH}/${id}`, { path: '' })).status).toBe(400);
    expect((await test.admin('PATCH', `${PATH}/${id}`, { environment: 'none' })).status).toBe(404);
    expect((await test.admin('PATCH', `${PATH}/${id}`, { metadata: { mappingBehavior: 'x' } })).status).toBe(422);
    expect(await events('update-integration')).toHaveLength(1);
  });
});

describe('ending an integration', () => {
  it('leaves its items at the target, and returns the integration', async () => {
    const id = await integrate();
    await synced(project, id);
    const { environment: _, ...last } = await project.status(id);
    const { status, body } = await test.admin('DELETE', `${PATH}/${id}`);
    expect([status, body]).toEqual([200, { integration: last }]);
    expect(held()).toEqual({ ONE: 'first', TWO: 'second' });
    expect((await test.admin('GET', `${PATH}/${id}`)).status).toBe(404);
  });

  it('deletes its items on request, also out of a document, and nothing else', async () => {
    const vault = new Vault('hvs.token');
    vault.two.set('secret', new Map([['app', { version: 1, data: { theirs: 1 } }]]));
    const github = new GitHub('ghp_token');
    github.at('/repos/acme/web/actions').set('THEIRS', { value: 'x' });
    await standIns.serve('vault.acme.example', vault.listener);
    await standIns.serve('api.github.com', github.listener);
    hold({ THEIRS: 'x' });
    const ids = [
      await integrate({ metadata: { shouldDisableDelete: true } }),
      await project.integrate(
        'hashicorp-vault',
        { accessToken: 'hvs.token', url: 'https://vault.acme.example' },
        { app: 'secret', path: 'app' },
      ),
      await project.integrate('github', { accessToken: 'ghp_token' }, { owner: 'acme', app: 'web' }),
    ];
    for (const id of ids) await synced(project, id);
    for (const id of ids)
      expect((await test.admin('DELETE', `${PATH}/${id}?shouldDeleteIntegrationSecrets=true`)).status).toBe(200);
    expect(held()).toEqual({ THEIRS: 'x' });
    expect(vault.two.get('secret')!.get('app')!.data).toEqual({ theirs: 1 });
    expect(github.values('/repos/acme/web/actions')).toEqual({ THEIRS: 'x' });
    expect(await events('delete-integration')).toHaveLength(3);
  });

  it('is rejected if something cannot be deleted, and continues from there', async () => {
    const id = await integrate();
    await synced(project, id);
    aws.fault = (action, { Name }) =>
      action === 'DeleteParameter' && Name === '/app/TWO' ? { type: 'AccessDeniedException' } : undefined;
    const url = `${PATH}/${id}?shouldDeleteIntegrationSecrets=true`;
    const refused = await test.admin('DELETE', url);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('AccessDenied')]);
    expect(held()).toEqual({ TWO: 'second' });
    expect((await project.status(id)).isActive).toBe(false);
    aws.fault = () => undefined;
    expect((await test.admin('DELETE', url)).status).toBe(200);
    expect(held()).toEqual({});
  });

  it('returns why something could not be removed only to callers who may know the names of the secrets', async () => {
    const id = await integrate();
    await synced(project, id);
    aws.fault = (action, { Name }) =>
      action === 'DeleteParameter' && Name === '/app/TWO' ? { type: 'AccessDeniedException' } : undefined;
    const rules = [
      { subject: 'integrations', action: ['read', 'delete'] },
      { subject: 'secrets', action: ['create', 'edit'] },
    ];
    const { call } = await test.identity({ projectId: project.id, rules });
    const url = `${PATH}/${id}?shouldDeleteIntegrationSecrets=true`;
    const blind = await call('DELETE', url);
    expect([blind.status, blind.body.message.includes('TWO')]).toEqual([400, false]);
    const seeing = await test.admin('DELETE', url);
    expect(seeing.body.message).toContain('1 of 1 secrets: TWO: ');
    expect(await project.status(id)).toMatchObject({
      isActive: false,
      isSynced: false,
      syncMessage: expect.stringContaining('TWO: '),
    });
    expect(await events('integration-synced')).toContainEqual({
      integrationId: id,
      integration: 'aws-parameter-store',
      isSynced: false,
      written: 0,
      removed: 1,
    });
    expect(await events('update-integration')).toHaveLength(1);
  });

  it('releases syncs that waited for it at the same document', async () => {
    const vault = new Vault('hvs.token');
    vault.two.set('secret', new Map());
    await standIns.serve('vault.acme.example', vault.listener);
    const auth = { accessToken: 'hvs.token', url: 'https://vault.acme.example' };
    const target = { app: 'secret', path: 'app' };
    const ended = await project.integrate('hashicorp-vault', auth, target);
    await synced(project, ended);
    const waiting = await project.integrate('hashicorp-vault', auth, target);
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    expect((await test.admin('DELETE', `${PATH}/${ended}?shouldDeleteIntegrationSecrets=true`)).status).toBe(200);
    const { rows } = await test.coffer.pool.query('select key from graphile_worker.jobs where key like $1', [
      'integration:%',
    ]);
    expect(rows).toEqual([{ key: `integration:${waiting}` }]);
  });

  it('does not wait for a dead worker', async () => {
    const id = await integrate();
    await test.coffer.pool.query(
      'update secret_syncs set claim_id = gen_random_uuid(), claimed_until = $2 where id = $1',
      [id, new Date(test.coffer.now().getTime() + 60_000)],
    );
    const refused = await test.admin('DELETE', `${PATH}/${id}?shouldDeleteIntegrationSecrets=true`);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('under way')]);
    expect((await project.status(id)).isActive).toBe(true);
    expect((await test.admin('DELETE', `${PATH}/${id}?shouldDeleteIntegrationSecrets=maybe`)).status).toBe(422);
  });
});
