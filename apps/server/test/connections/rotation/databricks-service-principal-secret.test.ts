import { Databricks, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../../harness/groups.ts';
import { describeRotation, RotationAtWork, type RotatedSystem } from '../../harness/rotation.ts';
import { testServer } from '../../harness/test-server.ts';

const standIns = new StandIns();
const databricks = new Databricks();
const FIELDS = ['clientId', 'clientSecret'];
const TYPE = 'databricks-service-principal-secret';

let system: RotatedSystem & { close(): Promise<void> };
let last: string;
beforeAll(async () => {
  const test = await testServer({ fetch: standIns.fetch });
  const open = () => standIns.serve(databricks.host, databricks.listener);
  await open();
  const [clientSecret] = databricks.principalSecrets.values();
  const secretOf = ({ clientId, clientSecret: secret }: Readonly<Record<string, string>>) =>
    [...databricks.principals.values()]
      .filter(({ applicationId }) => applicationId === clientId)
      .flatMap(({ secrets }) =>
        [...secrets].filter(([, one]) => one.secret === secret).map(([id]) => ({ secrets, id })),
      )[0];
  system = {
    ...{ test, app: 'databricks', open },
    credentials: {
      ...{ method: 'service-principal', workspaceUrl: `https://${databricks.host}` },
      ...{ clientId: databricks.clientId, clientSecret },
    },
    accounts: async () => {
      last = databricks.addPrincipal('Shop');
      const { applicationId } = databricks.principals.get(last)!;
      return { parameters: { servicePrincipalId: last, clientId: applicationId } };
    },
    rejected: async () => ({
      parameters: { servicePrincipalId: '4711', clientId: crypto.randomUUID() },
      message: 'does not exist',
    }),
    works: async (credential) => secretOf(credential) !== undefined,
    invalidate: async (credential) => {
      const found = secretOf(credential);
      found?.secrets.delete(found.id);
    },
    shut: () => standIns.stop(databricks.host),
    async close() {
      await test.close();
      await standIns.close();
    },
  };
});
afterAll(() => system.close());

describeRotation('Databricks Service Principal Secret', { type: TYPE, fields: FIELDS, slots: 2, system: () => system });

describe('secrets of a service principal', () => {
  it('are not made for that of the connection', async () => {
    const one = await RotationAtWork.unmade(system, TYPE, FIELDS);
    const parameters = { servicePrincipalId: '7', clientId: databricks.clientId.toUpperCase() };
    const secrets = databricks.principalSecrets.size;
    await expectRefused(one.create({ parameters }), 400, 'uses one of these logins');
    expect([await one.list(), databricks.principalSecrets.size]).toEqual([[], secrets]);
  });

  it('that Coffer has not added stay, and one whose answer was lost is replaced', async () => {
    const one = await RotationAtWork.made(system, TYPE, FIELDS);
    const { secrets } = databricks.principals.get(last)!;
    const theirs = databricks.addSecret(last);
    databricks.fault = ({ method, path, text }) => {
      if (method !== 'POST' || !path.endsWith('/credentials/secrets')) return undefined;
      databricks.fault = () => undefined;
      const { lifetime } = JSON.parse(text) as { lifetime: string };
      databricks.addSecret(last, Number.parseInt(lifetime));
      return { status: 500, body: { error_code: 'INTERNAL_ERROR', message: '' } };
    };
    expect((await one.rotate()).status).toBe(400);
    expect(secrets.size).toBe(3);
    await ok(one.rotate());
    expect([secrets.size, secrets.has(theirs)]).toEqual([3, true]);
    expect(await system.works(await one.active())).toBe(true);
  });

  it('are of the service principal with both IDs', async () => {
    const one = await RotationAtWork.unmade(system, TYPE, FIELDS);
    const [a, b] = [databricks.addPrincipal('A'), databricks.addPrincipal('B')];
    const { applicationId } = databricks.principals.get(b)!;
    const { status } = await one.create({ parameters: { servicePrincipalId: a, clientId: applicationId } });
    expect([status, databricks.principals.get(a)!.secrets.size]).toEqual([400, 0]);
  });
});
