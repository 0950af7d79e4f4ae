import { AzureCloud, Graph, StandIns, type GraphApplication } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../harness/groups.ts';
import { describeRotation, RotationAtWork, type RotatedSystem } from '../../harness/rotation.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const standIns = new StandIns();
const azure = new AzureCloud();
const graph = new Graph();
azure.graph = graph;
const FIELDS = ['clientId', 'clientSecret'];

let test: TestServer;
let system: RotatedSystem;
let last: GraphApplication;
beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch });
  await azure.serve(standIns);
  await azure.serveApi(standIns, graph);
  system = {
    test,
    app: 'azure-client-secrets',
    credentials: { method: 'client-secret', tenantId: azure.tenantId, ...azure.application },
    accounts: async () => {
      last = graph.addApplication('Shop');
      return { parameters: { objectId: last.id, clientId: last.appId } };
    },
    rejected: async () => ({
      parameters: { objectId: crypto.randomUUID(), clientId: crypto.randomUUID() },
      message: 'does not exist',
    }),
    works: async ({ clientId, clientSecret }) =>
      graph.applications.some(
        ({ appId, passwords }) => appId === clientId && passwords.some(({ secretText }) => secretText === clientSecret),
      ),
    invalidate: async ({ clientSecret }) => {
      for (const { passwords } of graph.applications) {
        const at = passwords.findIndex(({ secretText }) => secretText === clientSecret);
        if (at >= 0) passwords.splice(at, 1);
      }
    },
    shut: () => standIns.stop('graph.microsoft.com'),
    open: () => azure.serveApi(standIns, graph),
  };
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

describeRotation('Azure Client Secret', {
  type: 'azure-client-secret',
  fields: FIELDS,
  slots: 2,
  system: () => system,
});

describe('client secrets of an application', () => {
  it('that Coffer has not added stay, and one whose answer was lost is replaced', async () => {
    const one = await RotationAtWork.made(system, 'azure-client-secret', FIELDS);
    const application = last;
    const theirs = { keyId: crypto.randomUUID(), displayName: 'theirs', secretText: 'theirs', endDateTime: '' };
    application.passwords.unshift({ ...theirs, hint: 'the', startDateTime: '' });
    azure.accident = (call) => {
      if (!call.url.pathname.endsWith('/addPassword')) return false;
      azure.accident = () => false;
      graph.serve({ ...call, answer: () => call.answer(500, { error: { code: 'InternalServerError', message: '' } }) });
      return true;
    };
    expect((await one.rotate()).status).toBe(400);
    expect(application.passwords).toHaveLength(3);
    await ok(one.rotate());
    expect(application.passwords.map(({ displayName }) => displayName.split(' ')[0])).toEqual([
      'theirs',
      'Coffer',
      'Coffer',
    ]);
    expect(await system.works(await one.active())).toBe(true);
  });

  it('are of the application with both IDs', async () => {
    const one = await RotationAtWork.unmade(system, 'azure-client-secret', FIELDS);
    const [a, b] = [graph.addApplication('A'), graph.addApplication('B')];
    const answer = await one.create({ parameters: { objectId: a.id, clientId: b.appId } });
    expect([answer.status, a.passwords.length]).toEqual([400, 0]);
  });
});
