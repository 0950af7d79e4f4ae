import { sendWebhooks } from '@coffer/domain';
import { loginMethodExamples } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Approvals } from '../harness/approvals.ts';
import { ok } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';
import { turnsOf } from '../harness/turns.ts';

// Globs that are stored outside of rules: of policies, webhooks and login methods. Many of them meet many paths.

let test: TestServer;
let world: Approvals;
let projectId: string;

const DEEP = `/p${`/${'a'.repeat(255)}`.repeat(7)}`;
const FOLDERS = Array.from({ length: 12 }, (_, n) => `${'a'.repeat(100)}${n}`);
/** Matches none of them, which is found out at the end. */
const glob = (length: number, name: string) => `/**/${'*a'.repeat(length)}b-${name}-0-*`;

/** Stores copies of a row, each with a glob of its own, as if they had all been created. */
const copied = (table: string, id: string, count: number) =>
  test.coffer.pool.query(
    `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
       'secret_path', replace(t.secret_path, '-0-', '-' || n || '-')))).*
     from ${table} t, generate_series(1, $2::int) n where t.id = $1`,
    [id, count],
  );

const write = (name: string) =>
  test.admin('PATCH', '/api/v4/secrets/batch', {
    ...{ projectId, environment: 'dev', secretPath: `${DEEP}/${name}`, mode: 'upsert' },
    secrets: [{ secretKey: 'KEY', secretValue: 'value' }],
  });

beforeAll(async () => {
  test = await testServer();
  world = await Approvals.in(test);
  projectId = world.project.id;
  for (const name of FOLDERS) {
    await ok(test.admin('POST', '/api/v2/folders', { projectId, environment: 'dev', path: DEEP, name }));
    await ok(write(name));
  }
});
afterAll(() => test.close());

describe('attack: many long globs of one project', () => {
  it('of webhooks do not block others while it is found out which of them a change concerns', async () => {
    const { webhook } = await ok(
      test.admin('POST', '/api/v1/webhooks', {
        ...{ workspaceId: projectId, environment: 'dev', secretPath: glob(240, 'hook') },
        webhookUrl: 'https://webhook.invalid/x',
      }),
    );
    await copied('webhooks', webhook.id, 60);
    for (const name of FOLDERS) await ok(write(name));
    const { organizationId } = test;
    const platform = test.coffer.contextFor({ type: 'platform', organizationId });
    await turnsOf(5, () => sendWebhooks(platform, { organizationId, projectId }));
    const { rows } = await test.coffer.pool.query('select from webhook_deliveries where webhook_id = $1', [webhook.id]);
    expect(rows).toEqual([]);
  });

  it('of change policies do not block others while a folder gets another name, and have a limit of number', async () => {
    const approver = await world.member();
    const policy = { approvers: [{ type: 'user', id: approver.id }], approvals: 1 };
    const create = (name: string) =>
      test.admin('POST', '/api/v1/secret-approvals', {
        ...{ workspaceId: projectId, environment: 'dev', secretPath: glob(490, name), ...policy },
      });
    const { approval } = await ok(create('first'));
    await copied('approval_policies', approval.id, 20);
    await turnsOf(5, () =>
      write(FOLDERS[0]!)
        .then(() => renamed('q'))
        .then(() => renamed('p')),
    );
    await copied('approval_policies', approval.id, 179);
    const { status, body } = await create('last');
    expect([status, body.message]).toEqual([400, expect.stringContaining('at most 200 policies')]);
  });

  /** The folder above all, under another name. */
  async function renamed(name: string): Promise<void> {
    const place = { projectId, environment: 'dev', path: '/' };
    const { folders } = await ok(test.admin('GET', `/api/v2/folders?projectId=${projectId}&environment=dev`));
    await ok(test.admin('PATCH', `/api/v2/folders/${folders[0].id}`, { ...place, name }));
  }
});

describe('attack: many globs of bound claims', () => {
  it.each(['jwt-auth', 'oidc-auth'] as const)('have a limit of their size together: %s', async (kind) => {
    const { id } = await test.identity();
    const { least } = loginMethodExamples[kind]!;
    const list = Array.from({ length: 98 }, (_, n) => `*${'a?b'.repeat(12)}${n}`.slice(0, 39)).join(',');
    const attach = (count: number) =>
      test.admin('POST', `/api/v1/auth/${kind}/identities/${id}`, {
        ...least,
        boundClaims: Object.fromEntries(Array.from({ length: count }, (_, n) => [`claim${n}`, list])),
      });
    expect(await attach(100)).toMatchObject({
      ...{ status: 400, body: { message: expect.stringContaining('at most 10000 characters together') } },
    });
    await ok(attach(2));
  });
});
