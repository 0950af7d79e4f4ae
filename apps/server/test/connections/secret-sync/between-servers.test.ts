import { StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../harness/groups.ts';
import { SyncedProject } from '../../harness/integrations.ts';
import { SyncWorld } from '../../harness/secret-syncs.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const HOST = 'other.example.com';
const standIns = new StandIns();
let here: TestServer;
let there: TestServer;
let theirs: SyncedProject;
beforeAll(async () => {
  here = await testServer({ fetch: standIns.fetch });
  there = await testServer({ settings: { siteUrl: `https://${HOST}` } });
  theirs = await SyncedProject.make(there);
  await there.app.ready();
  await standIns.serve(HOST, (request, response) => there.app.routing(request, response));
});
afterAll(async () => {
  await here.close();
  await there.close();
  await standIns.close();
});

/** Credentials of a machine identity of the other server, which may write all secrets of the project there. */
async function credentials() {
  const { id } = await there.identity({
    projectId: theirs.id,
    rules: [{ subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'] }],
  });
  const path = `/api/v1/auth/universal-auth/identities/${id}`;
  const { identityUniversalAuth } = await ok(there.admin('POST', path, {}));
  const { clientSecret } = await ok(there.admin('POST', `${path}/client-secrets`, {}));
  return {
    ...{ method: 'machine-identity-universal-auth', instanceUrl: `https://${HOST}` },
    ...{ machineIdentityClientId: identityUniversalAuth.clientId, machineIdentityClientSecret: clientSecret },
  };
}

describe('a secret sync to another Coffer', () => {
  it('writes, changes and removes secrets there, and imports them from there', async () => {
    const one = await SyncWorld.make(here, standIns, 'external-infisical');
    const connectionId = await one.connect('external-infisical', one.project.id, await credentials());
    const destinationConfig = { projectId: theirs.id, environment: 'dev', secretPath: '/' };
    await theirs.write({ THEIRS: 'of the other server' });
    await one.project.write({ KEY: 'value', REFERENCE: 'is ${KEY}', GONE: 'soon' });
    const made = await one.create({ connectionId, destinationConfig });
    const { plan } = await one.ask(made, 'plan');
    expect(plan).toMatchObject({
      create: expect.arrayContaining(['KEY', 'REFERENCE', 'GONE']),
      change: [],
      remove: [],
    });
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded', lastSyncMessage: null });
    const both = { THEIRS: 'of the other server', KEY: 'value', REFERENCE: 'is value' };
    expect(await theirs.read()).toEqual({ ...both, GONE: 'soon' });
    await one.project.write({ GONE: null, KEY: 'other' });
    await one.project.follow();
    await one.run(made);
    expect(await theirs.read()).toEqual({ ...both, KEY: 'other', REFERENCE: 'is other' });
    await one.ask(made, 'import-secrets?importBehavior=prioritize-source');
    await one.run(made);
    expect(await one.project.read()).toMatchObject({ THEIRS: 'of the other server' });
    await ok(here.admin('DELETE', `${one.pathOf(made)}?removeSecrets=true`));
    expect(await theirs.read()).toEqual({ THEIRS: 'of the other server' });
  });
});
