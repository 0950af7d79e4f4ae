import type { Rule } from '@coffer/domain';
import { StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedDuring, type StatementWithValues } from '../harness/asked-during.ts';
import { dynamicPlace, DynamicSecretAtWork } from '../harness/dynamic-secret.ts';
import { ok } from '../harness/groups.ts';
import { HeldStatements } from '../harness/held-statement.ts';
import { rotatedPostgres, type RotatedPostgres } from '../harness/rotated-postgres.ts';
import { RotationAtWork } from '../harness/rotation.ts';
import { SyncWorld } from '../harness/secret-syncs.ts';
import type { Answer, Caller, TestServer } from '../harness/test-server.ts';

const standIns = new StandIns();
let system: RotatedPostgres;
let test: TestServer;
let held: HeldStatements;
beforeAll(async () => {
  system = await rotatedPostgres({ fetch: standIns.fetch });
  ({ test } = system);
  held = new HeldStatements(test);
});
afterAll(async () => {
  await system.close();
  await standIns.close();
});

interface Prepared {
  readonly projectId: string;
  /** What the caller may do, by names that are changed. */
  readonly rules: readonly Rule[];
  /** Hold the request, and change these names. */
  readonly changes: readonly StatementWithValues[];
  readonly ask: (call: Caller) => Promise<Answer>;
  /** What stays. */
  readonly kept: () => Promise<unknown>;
}

const LOCK = (table: string, id: string): StatementWithValues => [
  `select from ${table} where id = $1 for update`,
  [id],
];
const inDev = { conditions: { environment: 'dev' } };
const renamed = (projectId: string): StatementWithValues => [
  `update environments set slug = 'renamed' where project_id = $1 and slug = 'dev'`,
  [projectId],
];

/** A request for a dynamic secret of a team, or a lease of it, which is of another team by the time. */
async function ofTeam(
  table: 'dynamic_secrets' | 'dynamic_secret_leases',
  action: string[],
  ask: (one: DynamicSecretAtWork, leaseId: string) => Promise<Answer>,
): Promise<Prepared> {
  const place = await dynamicPlace(test);
  const { projectId } = place;
  const team = (value: string) => [{ key: 'team', value }];
  const one = new DynamicSecretAtWork(test, place);
  const inputs = { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' };
  const { id } = (await ok(one.create('totp', inputs, { metadata: team('a') }))).dynamicSecret;
  const { lease } = await ok(one.lease());
  const given: StatementWithValues = [
    'update dynamic_secrets set metadata = $2 where id = $1',
    [id, JSON.stringify(team('b'))],
  ];
  return {
    projectId,
    rules: [
      { subject: 'dynamic-secrets', action, conditions: { metadata: { $elemMatch: { key: 'team', value: 'a' } } } },
    ],
    changes: [LOCK(table, table === 'dynamic_secrets' ? id : lease.id), given],
    ask: (call) => ask(new DynamicSecretAtWork(test, place, one.name, call), lease.id),
    kept: async () => {
      const { version, status, expireAt } = (await ok(one.getLease(lease.id))).lease;
      return [(await ok(one.get())).dynamicSecret.status, version, status, expireAt];
    },
  };
}

async function ofSync(action: string[], ask: (call: Caller, path: string) => Promise<Answer>): Promise<Prepared> {
  const one = await SyncWorld.make(test, standIns, 'aws-secrets-manager');
  const { id: projectId } = one.project;
  const sync = await one.create({ isAutoSyncEnabled: false });
  return {
    projectId,
    rules: [
      { subject: 'secret-syncs', action, ...inDev },
      { subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'] },
    ],
    changes: [LOCK('secret_syncs', sync.id), renamed(projectId)],
    ask: (call) => ask(call, one.pathOf(sync)),
    kept: async () => {
      const { name, lastSyncJobId, syncStatus, removeStatus } = await one.get(sync);
      return { name, lastSyncJobId, syncStatus, removeStatus };
    },
  };
}

async function ofRotation(ask: (one: RotationAtWork) => Promise<Answer>): Promise<Prepared> {
  const one = await RotationAtWork.made(system, 'postgres-credentials', ['username', 'password']);
  const { projectId, id } = one;
  return {
    projectId,
    rules: [{ subject: 'secret-rotation', action: ['read', 'rotate-secrets'], ...inDev }],
    changes: [LOCK('secret_rotations', id), renamed(projectId)],
    ask: (call) => ask(one.as(call)),
    kept: async () => (await ok(one.get())).secretRotation.lastRotatedAt,
  };
}

const EDIT = ['read-root-credential', 'edit-root-credential'];
const WAYS: readonly (readonly [string, () => Promise<Prepared>])[] = [
  [
    'a dynamic secret is deleted',
    () => ofTeam('dynamic_secrets', ['read-root-credential', 'delete-root-credential'], (one) => one.delete()),
  ],
  [
    'a dynamic secret is deleted by force',
    () => ofTeam('dynamic_secrets', ['delete-root-credential'], (one) => one.delete({ isForced: true })),
  ],
  ['a lease of somebody else is revoked', () => ofTeam('dynamic_secret_leases', EDIT, (one, id) => one.revoke(id))],
  [
    'a lease of somebody else is revoked by force',
    () => ofTeam('dynamic_secret_leases', EDIT, (one, id) => one.revoke(id, { isForced: true })),
  ],
  ['a lease of somebody else is renewed', () => ofTeam('dynamic_secret_leases', EDIT, (one, id) => one.renew(id))],
  [
    'a secret sync is run',
    () => ofSync(['read', 'sync-secrets'], (call, path) => call('POST', `${path}/sync-secrets`)),
  ],
  [
    'what a secret sync has written is removed',
    () => ofSync(['read', 'remove-secrets'], (call, path) => call('POST', `${path}/remove-secrets`)),
  ],
  ['a secret sync is renamed', () => ofSync(['read', 'edit'], (call, path) => call('PATCH', path, { name: 'other' }))],
  ['a secret rotation rotates', () => ofRotation((one) => one.rotate())],
  ['a secret rotation is reconciled', () => ofRotation((one) => one.reconcile())],
];

describe('attack: what gets another place or other metadata while a request waits to claim it', () => {
  it.each(WAYS)('is out of reach for callers without a right there: %s', async (_, prepare) => {
    const { projectId, rules, changes, ask, kept } = await prepare();
    const { call } = await test.identity({ projectId, rules });
    const before = await kept();
    expect((await askedDuring(test, changes, () => ask(call))).status).toBeOneOf([403, 404]);
    expect(await kept()).toEqual(before);
  });

  it('keeps at its target what a secret sync has written, if the caller may not write the folder under its new name', async () => {
    const one = await SyncWorld.make(test, standIns, 'aws-secrets-manager');
    const { id: projectId } = one.project;
    await one.project.write({ KEY: 'value' });
    const sync = await one.create({ isAutoSyncEnabled: false });
    await ok(test.admin('POST', `${one.pathOf(sync)}/sync-secrets`));
    await one.run(sync);
    const before = one.target.held();
    expect(before).not.toEqual({});
    const rules = [
      { subject: 'secret-syncs', action: ['read', 'delete', 'remove-secrets'] },
      { subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'], ...inDev },
    ];
    const { call } = await test.identity({ projectId, rules });
    const changes = [LOCK('secret_syncs', sync.id), renamed(projectId)];
    const end = () => call('DELETE', `${one.pathOf(sync)}?removeSecrets=true`);
    expect((await askedDuring(test, changes, end)).status).toBe(403);
    expect(one.target.held()).toEqual(before);
    expect((await ok(test.admin('DELETE', `${one.pathOf(sync)}?removeSecrets=true`))).secretSync.id).toBe(sync.id);
    expect(one.target.held()).toEqual({});
  });

  it('is recorded by its present place, if a dynamic secret is deleted', async () => {
    const place = await dynamicPlace(test);
    const one = new DynamicSecretAtWork(test, place);
    const inputs = { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' };
    const { id } = (await ok(one.create('totp', inputs))).dynamicSecret;
    await ok(askedDuring(test, [LOCK('dynamic_secrets', id), renamed(place.projectId)], () => one.delete()));
    const { rows } = await test.coffer.pool.query(
      `select data ->> 'environment' as environment from audit_events
       where type = 'dynamic_secret.deleted' and data ->> 'dynamicSecretId' = $1`,
      [id],
    );
    expect(rows).toEqual([{ environment: 'renamed' }]);
  });

  it('shows no credentials of a secret rotation to callers without a right there', async () => {
    const one = await RotationAtWork.made(system, 'postgres-credentials', ['username', 'password']);
    const { projectId } = one;
    const { environments } = (await ok(test.admin('GET', `/api/v1/projects/${projectId}`))).project;
    const { id } = environments.find(({ slug }: { slug: string }) => slug === 'dev');
    const rules = [{ subject: 'secret-rotation', action: ['read-generated-credentials'], ...inDev }];
    const { call } = await test.identity({ projectId, rules });
    const read = () => call('GET', one.at('/generated-credentials'));
    expect((await read()).status).toBe(200);
    const rename = () =>
      ok(test.admin('PATCH', `/api/v1/projects/${projectId}/environments/${id}`, { slug: 'renamed' }));
    expect((await held.during(/from secret_rotation_credentials/, read, rename)).status).toBe(403);
  });
});
