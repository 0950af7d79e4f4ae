import { AwsAccount, StandIns } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dynamicSecretsOf } from '../../harness/dynamic-secret.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const standIns = new StandIns();
const account = new AwsAccount();
const user = {
  UserId: '{{username}}',
  UserName: '{{username}}',
  Passwords: ['{{password}}'],
  AccessString: 'on ~* +@read',
};
const inputs = () => ({
  ...{ clusterName: 'shop', region: account.region, ...account.keys },
  creationStatement: JSON.stringify(user),
  revocationStatement: '{"UserId": "{{username}}"}',
});

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch });
  account.now = () => test.coffer.now().getTime();
  await account.serve(standIns);
});
afterEach(() => {
  account.fault = () => undefined;
  account.elastiCache.busy = 0;
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const { made, refused, unmade } = dynamicSecretsOf(() => test, 'aws-elasticache', inputs);

describe('users of ElastiCache', () => {
  it('are added to the user group of the cluster, also while it is being changed', async () => {
    const one = await made();
    account.elastiCache.busy = 2;
    const { status, body } = await one.lease();
    expect([status, account.elastiCache.accepts(body.data.DB_USERNAME, body.data.DB_PASSWORD)]).toEqual([200, true]);
    expect(account.elastiCache.users.get(body.data.DB_USERNAME)).toMatchObject({ accessString: 'on ~* +@read' });
    expect((await one.revoke(body.lease.id)).status).toBe(200);
    expect(account.elastiCache.users.has(body.data.DB_USERNAME)).toBe(false);
  });

  it('that could not be added to the group are deleted', async () => {
    const one = await made();
    account.fault = (action) => (action === 'ModifyUserGroup' ? { type: 'AccessDenied', status: 403 } : undefined);
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([400, expect.stringContaining('AccessDenied')]);
    account.fault = () => undefined;
    await one.reapFailed();
    expect(account.elastiCache.users.size).toBe(0);
  });

  it('need a cluster with a user group', async () => {
    expect(await refused({ clusterName: 'open' })).toContain('has no user group');
    expect(await refused({ clusterName: 'none' })).toContain('ReplicationGroupNotFoundFault');
  });

  it.each([
    ['{', 'creationStatement: JSON'],
    [JSON.stringify({ ...user, UserId: 'shop' }), 'UserId'],
    [JSON.stringify({ ...user, Passwords: ['fixed password'] }), 'Passwords'],
    [JSON.stringify({ ...user, NoPasswordRequired: true }), 'NoPasswordRequired'],
  ])('are not created from the statement %s', async (creationStatement, message) => {
    const { status, body } = await (await unmade()).create('aws-elasticache', { ...inputs(), creationStatement });
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});
