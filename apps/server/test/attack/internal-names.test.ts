import { createOutbound } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

/** What the name servers of the operator know. */
const INSIDE: Readonly<Record<string, string>> = {
  'vault.corp': '10.0.0.5',
  'kubernetes.default': '127.0.0.1',
  'metadata.corp': '169.254.169.254',
};
const resolve = async (name: string) =>
  Object.entries(INSIDE).flatMap(([known, address]) => (known === name ? [{ address, family: 4 as const }] : []));
const outbound = createOutbound({ allow: [], resolve });
let test: TestServer;
let projectId: string;
beforeAll(async () => {
  test = await testServer({ fetch: outbound.fetch, connect: outbound.connect });
  projectId = (await test.project()).id;
});
afterAll(async () => {
  await test.close();
  await outbound.close();
});

describe('attack: names of the internal network', () => {
  it.each([
    ['postgres', (host: string) => ({ host, port: 5432, database: 'd', username: 'u', password: 'p' })],
    ['redis', (host: string) => ({ host, port: 6379, username: 'u', password: 'p', sslEnabled: false })],
    ['hashicorp-vault', (host: string) => ({ instanceUrl: `https://${host}`, accessToken: 'hvs.token' })],
  ])('are answered in an app connection %s as names that nobody has', async (app, credentialsAt) => {
    const method = app === 'hashicorp-vault' ? 'access-token' : 'username-and-password';
    const answers = new Set<string>();
    for (const host of [...Object.keys(INSIDE), 'nobody.corp']) {
      const input = { name: `of-${host.replace('.', '-')}`, projectId, method, credentials: credentialsAt(host) };
      const { status, body } = await test.admin('POST', `/api/v1/app-connections/${app}`, input);
      expect([status, body.message]).toEqual([400, expect.stringContaining(`${host} has no address, or one that`)]);
      answers.add(JSON.stringify({ ...body, reqId: '' }).replaceAll(host, '?'));
    }
    expect([...answers]).toHaveLength(1);
  });
});
