// @long: large values, many callers
import { listSecretVersions, runSync } from '@coffer/domain';
import { makeIdentity, StandIns, type MadeIdentity } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turnsOf } from '../harness/turns.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const standIns = new StandIns();
let test: TestServer;
let projectId: string;
let member: MadeIdentity;
let call: Caller;
/** What the remote says when it refuses. */
let said = '';
/** Of a million characters, with a beginning of its own. */
const largeValue = (n: number) =>
  `${n}-`.padEnd(10, 'x') + 'the quick brown fox jumps over the lazy dog; '.repeat(20_000);

beforeAll(async () => {
  test = await testServer({ fetch: (url, request) => standIns.fetch(url, request) });
  await standIns.serve('vault.acme.example', (_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ errors: [said] }));
  });
  projectId = (await test.project()).id;
  member = await makeIdentity(test.coffer, { organizationId: test.organizationId, projectId, projectRole: 'member' });
  call = test.as(member.token);
  for (let batch = 0; batch < 2; batch++) await write('dev', batch * 1_000, 1_000, (n) => `${n}-`.repeat(100));
  for (let batch = 0; batch < 2; batch++) await write('staging', batch * 8, 8, largeValue);
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const write = async (environment: string, first: number, count: number, value: (n: number) => string) => {
  const numbers = Array.from({ length: count }, (_, n) => first + n);
  const secrets = numbers.map((n) => ({ secretKey: `K${n}`, secretValue: value(n) }));
  const { status } = await call('POST', '/api/v4/secrets/batch', { projectId, environment, secretPath: '/', secrets });
  expect(status).toBe(200);
};

describe('attack: an integration whose target refuses', () => {
  const integrate = async (sourceEnvironment: string) => {
    const server = { workspaceId: projectId, integration: 'hashicorp-vault', url: 'https://vault.acme.example' };
    const { body } = await call('POST', '/api/v1/integration-auth/access-token', {
      ...server,
      accessToken: 'hvs.aaaaaaaaaaaaaaaaaaaa',
    });
    const integrationAuthId = body.integrationAuth.id;
    const target = { app: 'secret', path: `${sourceEnvironment}-${Date.now()}` };
    const made = await call('POST', '/api/v1/integration', { integrationAuthId, sourceEnvironment, ...target });
    expect(made.status).toBe(200);
    return made.body.integration.id as string;
  };
  const sync = async (integrationId: string): Promise<string> => {
    const { organizationId } = test;
    const platform = test.coffer.contextFor({ type: 'platform', organizationId });
    await call('POST', `/api/v1/integration/${integrationId}/sync`);
    await runSync.run(platform, { organizationId, integrationId }, {} as never);
    // The job does not wait for a run that takes long.
    let message = '';
    const read = async () => (await call('GET', `/api/v1/integration/${integrationId}`)).body.integration.syncMessage;
    await expect.poll(async () => (message = (await read()) ?? '')).not.toBe('');
    return message;
  };

  it('gives others their turns while thousands of values, or dozens of large ones, are redacted', async () => {
    for (const [environment, quoted] of [
      ['dev', '1711-1711-1711-'],
      ['staging', largeValue(15).slice(2_000, 2_040)],
    ] as const) {
      said = 'permission denied, see the policy of the token; '.repeat(3) + quoted + '.'.repeat(800);
      const id = await integrate(environment);
      let message = '';
      await turnsOf(1, async () => (message = await sync(id)));
      expect([environment, message]).toEqual([environment, expect.stringContaining('permission denied')]);
      expect(message).toContain('[hidden]');
      expect(message).not.toContain(quoted);
    }
  });
});

const VERSIONS = 20;

describe('attack: a secret with many large versions', () => {
  let secretId: string;
  beforeAll(async () => {
    const place = { projectId, environment: 'prod', secretPath: '/' };
    const { body } = await call('POST', '/api/v4/secrets/K0', { ...place, secretValue: largeValue(0) });
    secretId = body.secret.id;
    for (let version = 1; version < VERSIONS; version++)
      await call('PATCH', '/api/v4/secrets/K0', { ...place, secretValue: largeValue(version) });
  });

  it('gives others their turns while they are opened', async () => {
    const ctx = test.coffer.contextFor(member.actor);
    let length = 0;
    await turnsOf(1, async () => {
      ({ length } = await listSecretVersions(ctx, { secretId, offset: 0, limit: 1_000 }));
    });
    expect(length).toBe(VERSIONS);
  });
});
