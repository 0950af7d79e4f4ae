import type { Rule } from '@coffer/domain';
import { makeUser, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../harness/groups.ts';
import { IntegrationTargets } from '../harness/integration-targets.ts';
import { SyncedProject, synced } from '../harness/integrations.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const standIns = new StandIns();
let test: TestServer;
let project: SyncedProject;
let targets: IntegrationTargets;
/** Two credentials of the administrator for one server. */
let [used, unused]: string[] = [];

const fromProd = { sourceEnvironment: 'prod', secretPath: '/' };
const fromDev = { sourceEnvironment: 'dev', secretPath: '/' };
const importing = { metadata: { initialSyncBehavior: 'prefer-target' } };
const held = () => targets.vault.two.get('secret')!.get('prod')?.data;
const integrate = (by: Caller, integrationAuthId: string | undefined, given: object) =>
  by('POST', '/api/v1/integration', { integrationAuthId, app: 'secret', path: 'prod', ...given });
const duplicate = (by: Caller, id: string | undefined, projectId: string) =>
  by('POST', `/api/v1/integration-auth/${id}/duplicate`, { projectId });
const copyTo = async (by: Caller, id: string | undefined, projectId: string): Promise<string> =>
  (await ok(duplicate(by, id, projectId))).integrationAuth.id;
const change = (by: Caller, id: string, given: object) => by('PATCH', `/api/v1/integration-auth/${id}`, given);
const vaultAuth = () => project.authorize('hashicorp-vault', targets.of['hashicorp-vault'].auth());

const integrations = { subject: 'integrations', action: ['read', 'create', 'edit', 'delete'] };
const all = ['describeSecret', 'readValue', 'create', 'edit', 'delete'];
const unlessHidden = [
  { subject: 'secrets', action: all },
  { subject: 'secrets', action: ['describeSecret', 'readValue'], inverted: true, conditions: { secretName: 'HIDDEN' } },
];
const identity = (...rules: object[]) => test.identity({ projectId: project.id, rules: rules as Rule[] });
/** A project of whoever has nothing but `dev` in the other one. */
async function attacker() {
  const inDev = { subject: 'secrets', action: all, conditions: { environment: 'dev' } };
  const { id, call } = await identity(inDev, integrations);
  return { call, own: await ownProject(id) };
}
async function ownProject(identityId: string): Promise<SyncedProject> {
  const own = await SyncedProject.make(test);
  await ok(test.admin('POST', `/api/v2/workspace/${own.id}/identity-memberships/${identityId}`, { role: 'admin' }));
  return own;
}
async function genuine(id = used, given: object = {}): Promise<string> {
  const { integration } = await ok(integrate(test.admin, id, { ...fromProd, ...given }));
  await synced(project, integration.id);
  return integration.id;
}

beforeAll(async () => {
  test = await testServer({ clock: 'standing', fetch: (url, request) => standIns.fetch(url, request) });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});
beforeEach(async () => {
  project = await SyncedProject.make(test);
  targets = new IntegrationTargets(test, standIns, project);
  await targets.serve();
  await project.write({ TOP: 'GENUINE', HIDDEN: 'hidden value' }, 'prod');
  [used, unused] = [await vaultAuth(), await vaultAuth()];
});

describe('attack: copying one of several credentials for the same system', () => {
  it('is refused to callers who may not read and write what the others have written there', async () => {
    await genuine();
    const { call, own } = await attacker();
    await expectRefused(integrate(call, unused, fromDev));
    await expectRefused(duplicate(call, used, own.id));
    await expectRefused(duplicate(call, unused, own.id));
    const reader = await identity(...unlessHidden, integrations);
    await expectRefused(duplicate(reader.call, unused, (await ownProject(reader.id)).id));
  });

  it('is refused to members under a change policy of the others', async () => {
    const integration = await genuine();
    const [user, approver] = [
      await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' }),
      await makeUser(test.coffer, { organizationId: test.organizationId }),
    ];
    const invited = { usernames: [user.email, approver.email], emails: [], roleSlugs: ['member'] };
    await ok(test.admin('POST', `/api/v1/projects/${project.id}/memberships`, invited));
    const approvers = [{ type: 'user', id: approver.id }];
    await ok(
      test.admin('POST', '/api/v1/secret-approvals', { workspaceId: project.id, environment: 'prod', approvers }),
    );
    const call = test.as(user.token);
    const made = await ok(call('POST', '/api/v1/projects', { projectName: 'mine' }));
    await expectRefused(duplicate(call, unused, made.project.id), 400, 'A change policy covers');
    await synced(project, integration);
    expect(held()).toMatchObject({ TOP: 'GENUINE' });
  });

  it('does not open, by copies made before, what the others write later', async () => {
    const { call, own } = await attacker();
    const copy = await copyTo(call, unused, own.id);
    // Copied on, to a project whose members are not in the first one.
    const onward = await SyncedProject.make(test);
    const second = await copyTo(test.admin, copy, onward.id);
    const integration = await genuine();
    await expectRefused(integrate(call, copy, { ...fromDev, ...importing }));
    const outsider = await test.identity({ projectId: onward.id, projectRole: 'admin' });
    await expectRefused(integrate(outsider.call, second, { ...fromDev, ...importing }));
    await expectRefused(duplicate(outsider.call, second, own.id), 404);
    await expectRefused(duplicate(call, copy, own.id));
    await ok(integrate(call, copy, { ...fromDev, path: 'of/their/own' }));
    await synced(project, integration);
  });

  it('does not bring an integration that exists already to the target of others', async () => {
    const { call, own } = await attacker();
    const copy = await copyTo(call, unused, own.id);
    const { integration } = await ok(integrate(call, copy, { ...fromDev, ...importing, path: 'elsewhere' }));
    await genuine();
    await expectRefused(call('PATCH', `/api/v1/integration/${integration.id}`, { path: 'prod' }));
    const waiting = await ok(integrate(call, copy, { ...fromDev, ...importing, path: 'waiting' }));
    await expectRefused(integrate(test.admin, used, { ...fromProd, path: 'waiting' }), 400, waiting.integration.id);
  });

  it('is known by two keys of one account, and by a key with a role', async () => {
    const there = { region: 'eu-central-1', app: 'only' };
    const [first, next] = [targets.aws.keys, targets.aws.makeKeys()];
    const store = (keys: typeof first, more = {}) =>
      project.authorize('aws-secret-manager', {
        ...{ accessId: keys.accessKeyId, accessToken: keys.secretAccessKey },
        ...more,
      });
    await genuine(await store(first), there);
    const { call, own } = await attacker();
    const role = { awsAssumeIamRoleArn: `arn:aws:iam::${targets.aws.id}:role/x` };
    for (const id of [await store(next), await store(next, role)]) {
      await expectRefused(integrate(call, id, { ...fromDev, ...there }));
      await expectRefused(duplicate(call, id, own.id));
    }
  });

  it('is recorded in both projects', async () => {
    const other = await SyncedProject.make(test);
    const copyId = await copyTo(test.admin, used, other.id);
    const eventsOf = async ({ id }: SyncedProject, type: string) => {
      const at = `/api/v1/organization/audit-logs?eventType=${type}&projectId=${id}`;
      return (await ok(test.admin('GET', at))).auditLogs.map(
        (one: { event: { metadata: object } }) => one.event.metadata,
      );
    };
    const event = { integration: 'hashicorp-vault' };
    expect(await eventsOf(project, 'copy-integration-auth')).toEqual([
      { ...event, integrationAuthId: used, copyId, copyProjectId: other.id },
    ]);
    expect(await eventsOf(other, 'authorize-integration')).toEqual([
      { ...event, integrationAuthId: copyId, copyOf: used },
    ]);
  });
});

describe('attack: other fields of copied credentials', () => {
  const there = { region: 'eu-central-1', app: 'only' };

  it('do not separate a copy from its origin while a secret of it stays', async () => {
    const aws = await project.authorize('aws-secret-manager', targets.of['aws-secret-manager'].auth());
    const role = { roleId: targets.vault.role.roleId, secretId: targets.vault.role.secretId };
    const login = { accessId: role.roleId, accessToken: role.secretId, url: 'https://vault.acme.example' };
    const vault = await project.authorize('hashicorp-vault', login);
    const { call, own } = await attacker();
    const [key, appRole] = [await copyTo(call, aws, own.id), await copyTo(call, vault, own.id)];
    await genuine(aws, there);
    await genuine();
    const { accessKeyId } = targets.aws.keys;
    for (const accessId of ['AKIAIOSFODNN7OTHERXX', accessKeyId]) {
      await ok(change(call, key, { accessId }));
      await expectRefused(integrate(call, key, { ...fromDev, ...importing, ...there, path: undefined }));
    }
    for (const given of [
      { accessToken: 'of-another-role' },
      { accessId: 'another-role' },
      { accessToken: role.secretId },
    ]) {
      await ok(change(call, appRole, given));
      await expectRefused(integrate(call, appRole, { ...fromDev, ...importing }));
    }
  });

  it('make it credentials of its own if all its secrets are given again', async () => {
    const { call, own } = await attacker();
    const copy = await copyTo(call, unused, own.id);
    await genuine();
    await expectRefused(integrate(call, copy, fromDev));
    await ok(change(call, copy, { accessToken: 'hvs.of-the-caller' }));
    const { integration } = await ok(integrate(call, copy, fromDev));
    // It is no longer the credential of others.
    expect(await own.run(integration.id)).toMatchObject({ isSynced: false });
    expect(held()).toMatchObject({ TOP: 'GENUINE' });
  });

  it('do not send the ID of a copied credential to another server', async () => {
    const { roleId, secretId } = targets.vault.role;
    const login = { accessId: roleId, accessToken: secretId, url: 'https://vault.acme.example' };
    const vault = await project.authorize('hashicorp-vault', login);
    const { call, own } = await attacker();
    const copy = await copyTo(call, vault, own.id);
    const given = { url: 'https://vault.evil.example', accessToken: 'x' };
    await expectRefused(change(call, copy, given), 400, 'Send accessId again');
    await ok(change(call, copy, { ...given, accessId: 'y' }));
  });
});

describe('attack: ending an integration while it changes', () => {
  /** Holds a row, so that its deletion waits; syncs do not. */
  async function holding(table: string, id: string | undefined, work: () => Promise<void>): Promise<void> {
    const client = await test.coffer.pool.connect();
    try {
      await client.query('begin');
      await client.query(`select id from ${table} where id = $1 for no key update`, [id]);
      await work();
    } finally {
      await client.query('rollback');
      client.release();
    }
  }
  const isWaiting = async (table: string) => {
    const { rows } = await test.coffer.pool.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like $1`,
      [`%${table}%`],
    );
    return rows[0]!.n > 0;
  };

  it('does not free what it has written after the right to read that was checked', async () => {
    const ends = { subject: 'environments', action: ['read', 'delete'] };
    const { call } = await identity(...unlessHidden, integrations, ends);
    const integration = await genuine();
    const { environment } = await project.status(integration);
    const deletions = [
      ['app_connections', used, `/api/v1/integration-auth/${used}`],
      ['app_connections', used, `/api/v1/integration-auth?integration=hashicorp-vault&projectId=${project.id}`],
      ['environments', environment.id, `/api/v1/projects/${project.id}/environments/${environment.id}`],
    ] as const;
    for (const [table, id, url] of deletions) {
      await project.write({ HIDDEN: null }, 'prod');
      await synced(project, integration);
      let ending: Promise<Answer> | undefined;
      await holding(table, id, async () => {
        ending = call('DELETE', url);
        while (!(await isWaiting(table))) await new Promise((resolve) => setTimeout(resolve, 5));
        await project.write({ HIDDEN: 'written meanwhile' }, 'prod');
        await synced(project, integration);
      });
      await expectRefused(ending!, 400, 'ask again');
    }
    await project.write({ HIDDEN: null }, 'prod');
    await synced(project, integration);
    await ok(call('DELETE', deletions[0][2]));
  });

  it('checks the right to end its source again after its items were deleted', async () => {
    const inDev = { subject: 'secrets', action: all, conditions: { environment: 'dev' } };
    const { call } = await identity(inDev, integrations);
    await project.write({ OWN: 'own' }, 'dev');
    const { integration } = await ok(integrate(call, used, { ...fromDev, path: 'own' }));
    await synced(project, integration.id);
    const at = `/api/v1/integration/${integration.id}`;
    let changed: Promise<Answer> | undefined;
    targets.vault.fault = (method, path, response) => {
      if (changed !== undefined || method !== 'GET' || !path.includes('/data/own')) return false;
      // Somebody else gives it another source meanwhile.
      changed = test.admin('PATCH', at, { environment: 'prod', secretPath: '/' });
      const goOn = () => response.writeHead(404, { 'content-type': 'application/json' }).end('{"errors":[]}');
      changed.then(goOn, goOn);
      return true;
    };
    const answer = call('DELETE', `${at}?shouldDeleteIntegrationSecrets=true`);
    await expectRefused(answer);
    expect((await changed!).status).toBe(200);
    expect(await project.status(integration.id)).toMatchObject({ environment: { slug: 'prod' } });
  });
});
