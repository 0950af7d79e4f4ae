import type { Log } from '@coffer/domain';
import { faults, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { integrationSlugs, IntegrationTargets } from '../../harness/integration-targets.ts';
import { synced, SyncedProject } from '../../harness/integrations.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const lines: string[] = [];
const keep = (details: object, message: string) => void lines.push(JSON.stringify({ message, ...details }));
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };

const PATIENCE = 100;
const SECRETS = { URL: 'postgres://secret-host/db', PASSWORD: 'correct horse battery staple' };

let standIns: StandIns;
let test: TestServer;
let project: SyncedProject;
let targets: IntegrationTargets;
beforeAll(async () => {
  standIns = new StandIns();
  test = await testServer({ fetch: (url, request) => standIns.fetch(url, request), log, clock: 'standing' });
});
beforeEach(async () => {
  project = await SyncedProject.make(test);
  await project.write(SECRETS);
  targets = new IntegrationTargets(test, standIns, project);
  await targets.serve();
  lines.length = 0;
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

describe.each(integrationSlugs)('%s', (slug) => {
  it.each(Object.entries(faults))('shows it, and is retried, if the remote %s', async (_, listener) => {
    const { host, auth, target, held } = targets.at(slug);
    const id = await project.integrate(slug, auth(), target);
    await standIns.serve(host, listener);
    standIns.patience = { [host]: PATIENCE };
    try {
      const { isSynced, syncMessage, lastUsed } = await project.run(id);
      expect([isSynced, syncMessage, lastUsed]).toEqual([false, expect.stringContaining(host), expect.any(String)]);
      expect(await project.dueIn(id)).toBeGreaterThan(5);
    } finally {
      standIns.patience = {};
      await targets.serve();
    }
    await project.run(id);
    expect(await project.status(id)).toMatchObject({ isSynced: false });
    test.advance(60_000);
    expect(await project.run(id)).toMatchObject({ isSynced: true, syncMessage: null });
    expect(held()).toEqual(SECRETS);
  });

  it('shows an unreachable target as an error', async () => {
    const { host, auth, target } = targets.at(slug);
    const id = await project.integrate(slug, auth(), target);
    await standIns.stop(host);
    expect(await project.run(id)).toMatchObject({ isSynced: false, syncMessage: expect.stringContaining(host) });
    await targets.serve();
    await synced(project, id);
  });

  it('does not disclose credentials and values that the remote repeats', async () => {
    const { host, auth, target } = targets.at(slug);
    const { accessToken = '' } = auth();
    const echoes = [
      accessToken,
      accessToken.slice(0, 15),
      encodeURIComponent(accessToken),
      Buffer.from(accessToken).toString('base64'),
      SECRETS.PASSWORD,
      SECRETS.PASSWORD.slice(2),
      Buffer.from(SECRETS.PASSWORD).toString('base64'),
    ];
    const id = await project.integrate(slug, auth(), target);
    for (const echo of echoes) {
      const said = `Strange: ${echo}!`;
      const body = JSON.stringify({ __type: 'Strange', message: said, errors: [said] });
      await standIns.serve(host, (_request, response) => void response.writeHead(400).end(body));
      const { syncMessage } = await project.sync(id);
      expect(syncMessage).toContain('[hidden]');
      expect([syncMessage.includes(echo), lines.join().includes(echo)]).toEqual([false, false]);
      // Also when its secrets are to be deleted.
      const { rows } = await test.coffer.pool.query<{ hash: Buffer }>(
        `insert into secret_sync_entries (sync_id, organization_id, name, hash) values ($1, $2, 'URL', '\\x00')
         on conflict do nothing returning hash`,
        [id, test.organizationId],
      );
      expect(rows.length).toBeLessThan(2);
      const answer = await test.admin('DELETE', `/api/v1/integration/${id}?shouldDeleteIntegrationSecrets=true`);
      expect([answer.status, answer.body.message.includes(echo)]).toEqual([400, false]);
      await test.admin('PATCH', `/api/v1/integration/${id}`, { isActive: true });
    }
  });
});
