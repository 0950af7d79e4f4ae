import { X509Certificate } from 'node:crypto';
import { openCoffer, parseRootKey, runSync, type Coffer } from '@coffer/domain';
import { GitHub, StandIns, type TestDatabase } from '@coffer/domain/testing';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { drain } from '../src/http/drain.ts';
import { earlierDatabase, restoreEarlier } from './harness/upgrade/earlier-database.ts';

const { world, madeAt, rootKey, reads, migrations } = earlierDatabase;
const { ids, place, admin } = world;
/** As long after the fixture was made as an upgrade may come. */
const LATER = 3_600_000;

const standIns = new StandIns();
let database: TestDatabase;
let coffer: Coffer;
let app: FastifyInstance;
let ran: unknown[];
beforeAll(async () => {
  database = await restoreEarlier(earlierDatabase);
  const start = Date.now();
  const lines: object[] = [];
  const hear = () => undefined;
  coffer = await openCoffer({
    databaseUrl: database.servingUrl,
    migrationUrl: database.url,
    rootKey: parseRootKey(rootKey),
    fetch: standIns.fetch,
    now: () => new Date(Date.parse(madeAt) + LATER + Date.now() - start),
    log: { debug: hear, warn: hear, error: hear, info: (details) => void lines.push(details) },
  });
  ran = lines.flatMap((line) => ('migrations' in line ? (line.migrations as unknown[]) : []));
  app = await createApp({ coffer });
});
afterAll(async () => {
  await drain(app, 5, coffer.log);
  await coffer.close();
  await standIns.close();
  await database.drop();
});

async function call(method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, token: string = world.adminToken) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}
async function ok(...asked: Parameters<typeof call>) {
  const { status, body } = await call(...asked);
  expect([status, status === 200 || body]).toEqual([200, true]);
  return body;
}

describe('a database of an earlier release', () => {
  it('is migrated to the current schema', () => {
    expect(migrations.length).toBeGreaterThan(40);
    expect(ran).toContain('0047-names-of-access-requests');
    expect(ran).not.toContain(migrations.at(-1)!.name);
  });

  it.each(reads)('returns the same about $what', async ({ path, body }) => {
    expect(await call('GET', path)).toMatchObject({ status: 200, body });
  });

  it('lets users and machines log in, and accepts their existing tokens', async () => {
    const { clientId, clientSecret, accessToken } = world;
    const login = await ok('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret }, '');
    const secret = `/api/v4/secrets/HOST?projectId=${ids.project}&environment=dev&secretPath=/`;
    for (const token of [login.accessToken, accessToken])
      expect((await ok('GET', secret, undefined, token)).secret.secretValue).toBe('db.example.net');
    await ok('POST', '/api/v3/auth/login', { email: admin.email, password: admin.password }, '');
  });

  it('has converted an integration to a sync with a connection', async () => {
    const { rows } = await coffer.pool.query(
      `select c.app, c.given as auth, s.destination, s.config, s.options, s.given
       from secret_syncs s join app_connections c on c.id = s.connection_id where s.id = $1`,
      [world.integration],
    );
    expect(rows).toEqual([
      {
        app: 'github',
        auth: { url: null, namespace: null },
        destination: 'github',
        config: { scope: 'repository', owner: 'acme', repo: 'web' },
        options: {
          initialSyncBehavior: 'overwrite-destination',
          prefix: 'SHOP_',
          disableSecretDeletion: true,
        },
        given: { fields: { owner: 'acme', app: 'web' }, metadata: { secretPrefix: 'SHOP_' } },
      },
    ]);
  });

  it('opens the credential of an integration, and syncs by it', async () => {
    const github = new GitHub(world.gitHubToken);
    await standIns.serve('api.github.com', github.listener);
    await ok('PATCH', `/api/v1/integration/${world.integration}`, { isActive: true });
    const platform = coffer.contextFor({ type: 'platform', organizationId: ids.organization });
    const job = { organizationId: ids.organization, integrationId: world.integration };
    await runSync.run(platform, job, {} as never);
    const { integration } = await ok('GET', `/api/v1/integration/${world.integration}`);
    expect(integration).toMatchObject({ isSynced: true, syncMessage: null });
    expect(github.values('/repos/acme/web/actions')).toEqual({ SHOP_HOST: 'db.example.net' });
  });

  it('calls a webhook at its address, signed by its key', async () => {
    const heard: (string | string[] | undefined)[] = [];
    await standIns.serve('hooks.example.com', ({ url, headers }, response) => {
      heard.push(url, headers['x-infisical-signature'] ?? headers['x-coffer-signature']);
      response.end();
    });
    await ok('POST', `/api/v1/webhooks/${world.webhook}/test`);
    expect(heard).toEqual(['/shop?key=x', expect.stringMatching(/^t=\d+;[0-9a-f]{64}$/)]);
  });

  it('leases from a dynamic secret', async () => {
    const { data } = await ok('POST', '/api/v1/dynamic-secrets/leases', { ...place, dynamicSecretName: 'codes' });
    expect(data.TOTP).toMatch(/^\d{8}$/);
  });

  it('still requires approvals of a change policy', async () => {
    const change = { projectId: ids.project, environment: 'prod', secretPath: '/', secretValue: 'x' };
    const { approval } = await ok('POST', '/api/v4/secrets/HOST', change);
    expect(approval).toMatchObject({ status: 'open' });
  });

  it('issues certificates by its authority', async () => {
    const { certificate, issuingCaCertificate } = await ok(
      'POST',
      `/api/v1/pki/ca/${world.authority}/issue-certificate`,
      {
        commonName: 'api.example.com',
        ttl: '30d',
      },
    );
    const issuer = new X509Certificate(issuingCaCertificate);
    expect(new X509Certificate(certificate).verify(issuer.publicKey)).toBe(true);
  });
});
