import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { columnSeal } from '../../crypto/index.ts';
import { newId, type Context } from '../../kernel/index.ts';
import {
  integrationExamples,
  makeOrganization,
  makeProject,
  testCoffer,
  type TestCoffer,
} from '../../testing/index.ts';
import { AppConnectionEntity, INTEGRATION_AUTH_FIELDS, NO_FIELDS, openAuth } from '../connection/index.ts';
import { SecretSyncEntity, TARGET_FIELDS } from '../sync/index.ts';
import type { AuthRow } from './find.ts';
import { getIntegration } from './integration.service.ts';
import { configure, integrations } from './offered.ts';
import type { IntegrationSettings } from './settings.ts';

// The previous release runs beside this one during an upgrade, and uses tables that are now views.

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

let ctx: Context;
let project: { id: string; organizationId: string; environmentId: string };
beforeEach(async () => {
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  const { id } = await makeProject(test.coffer, organizationId, admin.actor);
  ctx = test.coffer.contextFor(admin.actor);
  const { rows } = await query<{ id: string }>(`select id from environments where project_id = $1 and slug = 'dev'`, [
    id,
  ]);
  project = { id, organizationId, environmentId: rows[0]!.id };
});

/** As the role that serves. */
const query = <Row extends object = Record<string, unknown>>(sql: string, values: unknown[]) =>
  test.coffer.pool.query<Row>(sql, values);

const insert = (table: string, row: Record<string, unknown>) => {
  const names = Object.keys(row);
  const places = names.map((_, at) => `$${at + 1}`);
  return query(`insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`, Object.values(row));
};

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Makes an integration as the release before does. */
async function integrate(name: string, fields: Record<string, string>, metadata: IntegrationSettings = {}) {
  const place = { organizationId: project.organizationId, projectId: project.id };
  const owner = { organization_id: project.organizationId, project_id: project.id };
  const { url, namespace, ...own } = { ...NO_FIELDS, ...integrationExamples[name]!.auth };
  const [authId, id] = [newId(), newId()];
  const credentials = await columnSeal('integration_auths.sealed').sealJson(ctx, { id: authId, ...place }, own);
  await insert('integration_auths', { id: authId, ...owner, integration: name, url, namespace, sealed: credentials });
  await insert('integrations', {
    ...{ id, ...owner, integration_auth_id: authId, integration: name, is_active: true },
    ...{ environment_id: project.environmentId, folder_id: null, secret_path: '/' },
    ...Object.fromEntries(TARGET_FIELDS.map((field) => [snakeCase(field), fields[field] ?? null])),
    ...{ metadata, target: `of ${id}`, is_initialized: false },
    sealed: await columnSeal('integrations.sealed').seal(ctx, { id, ...place }, 'a key'),
  });
  return { authId, id };
}

const SETTINGS: readonly IntegrationSettings[] = [
  {},
  { secretPrefix: 'P_', secretSuffix: '_S', shouldDisableDelete: true, shouldEnableDelete: true },
  { shouldEnableDelete: true, kmsKeyId: 'alias/app', secretAWSTag: [{ key: 'team', value: 'web' }] },
];

describe.each(integrations.names)('an integration that the previous release has created: %s', (name) => {
  const example = integrationExamples[name]!;

  it('is the same sync that this release creates from its fields', async () => {
    for (const metadata of SETTINGS) {
      const { id } = await integrate(name, example.integration, metadata);
      const { sync, config, options } = configure(name, { fields: example.integration, metadata });
      const row = await ctx.em.findOneOrFail(SecretSyncEntity, { id });
      const stored = sync.configure(row.config, row.options);
      expect([row.destination, stored.config, stored.options]).toEqual([sync.destination, config, options]);
      const { metadata: answered, ...answer } = await getIntegration(ctx, { integrationId: id });
      expect([answer, answered]).toMatchObject([{ integration: name, ...example.integration }, metadata]);
    }
  });

  it('has credentials that this release reads, and vice versa', async () => {
    const { authId, id } = await integrate(name, example.integration);
    const row = await ctx.em.findOneOrFail(AppConnectionEntity, { id: authId });
    const { connector } = integrations.require(name).sync;
    expect(row.app).toBe(connector.app);
    expect(await openAuth(ctx, row as AuthRow, connector)).toEqual({ ...NO_FIELDS, ...example.auth });
    const { rows } = await query(
      `select i.*, a.url, a.namespace from integrations i
       join integration_auths a on a.id = i.integration_auth_id and a.integration = i.integration where i.id = $1`,
      [id],
    );
    const fields = TARGET_FIELDS.flatMap((field) =>
      field in example.integration ? [[snakeCase(field), example.integration[field]]] : [],
    );
    expect(rows).toMatchObject([{ integration: name, ...Object.fromEntries(fields) }]);
    expect(
      INTEGRATION_AUTH_FIELDS.filter((field) => rows[0]![field] && rows[0]![field] !== example.auth[field]),
    ).toEqual([]);
  });
});

describe('the release before', () => {
  it.each([
    ['github-org', { visibility: 'selected', selectedRepositoryIds: [1, 2] }],
    ['github-env', { owner: 'acme', repo: 'web', env: 'prod' }],
  ])('has its own names for the scopes of GitHub secrets: %s', async (scope, expected) => {
    const fields = { scope, owner: 'acme', app: 'web', targetEnvironmentId: 'prod' };
    const metadata: IntegrationSettings = { githubVisibility: 'selected', githubVisibilityRepoIds: ['1', '2'] };
    const { id } = await integrate('github', fields, metadata);
    const { config } = configure('github', { fields, metadata });
    const row = await ctx.em.findOneOrFail(SecretSyncEntity, { id });
    expect(integrations.require('github').sync.configure(row.config, row.options).config).toEqual(config);
    expect(config).toMatchObject(expected);
  });

  it('copies credentials, which keep the project that they come from', async () => {
    const { authId } = await integrate('github', integrationExamples['github']!.integration);
    const other = await makeProject(test.coffer, project.organizationId, ctx.actor);
    const copy = (id: string, origin: string) =>
      insert('app_connections', {
        ...{ id, organization_id: project.organizationId, project_id: other.id, integration: 'github', app: 'github' },
        ...{ given: { url: null, namespace: null, origin }, credentials: Buffer.from('sealed') },
      });
    const [known, orphaned] = [newId(), newId()];
    await copy(known, authId);
    await copy(orphaned, newId());
    const found = await ctx.em.find(AppConnectionEntity, { id: [known, orphaned, authId] });
    expect(new Map(found.map(({ id, originProjectIds }) => [id, originProjectIds]))).toEqual(
      new Map([
        [known, [project.id]],
        [orphaned, []],
        [authId, []],
      ]),
    );
  });

  it('claims a sync, stores its entries and settles it, by its own statements', async () => {
    const { id } = await integrate('github', integrationExamples['github']!.integration);
    const [claimId, until] = [newId(), new Date(Date.now() + 60_000)];
    await query('update integrations set due_at = now() where organization_id = $1 and id = $2 and is_active', [
      project.organizationId,
      id,
    ]);
    const claim = () =>
      query(
        `update integrations i set claim_id = $3, claimed_until = $4, due_at = null
         where i.organization_id = $1 and i.id = $2 and i.is_active and i.due_at <= now() + interval '1 minute'
           and not exists (select 1 from integrations o
             where o.organization_id = i.organization_id and o.target = i.target and o.claimed_until > now())
         returning i.id`,
        [project.organizationId, id, claimId, until],
      );
    expect([(await claim()).rows, (await claim()).rows]).toEqual([[{ id }], []]);
    const held =
      'held as (select i.id, i.organization_id from integrations i where i.id = $1 and i.claim_id = $2 for share)';
    const note = () =>
      query(
        `with ${held} insert into integration_entries (integration_id, organization_id, name, hash)
         select held.id, held.organization_id, 'KEY', '\\x01' from held
         on conflict (integration_id, name) do update set hash = excluded.hash, next_hash = null`,
        [id, claimId],
      );
    await note();
    await note();
    const settled = await query(
      `update integrations set claim_id = null, claimed_until = null, failures = 0, is_synced = true, last_used = now()
       where id = $1 and claim_id = $2 returning id, organization_id, due_at`,
      [id, claimId],
    );
    expect(settled.rows).toEqual([{ id, organization_id: project.organizationId, due_at: null }]);
    expect(await getIntegration(ctx, { integrationId: id })).toMatchObject({ isSynced: true });
    await query('delete from integrations where id = $1', [id]);
    expect((await query('select 1 from secret_sync_entries where sync_id = $1', [id])).rows).toEqual([]);
  });
});
