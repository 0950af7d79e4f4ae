import { AwsAccount, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ok } from '../../harness/groups.ts';
import { describeRotation, RotationAtWork, type RotatedSystem } from '../../harness/rotation.ts';
import { testServer } from '../../harness/test-server.ts';

const KIND = { type: 'aws-iam-user-secret', fields: ['accessKeyId', 'secretAccessKey'] } as const;
const HOSTS = ['iam.amazonaws.com', 'sts.us-east-1.amazonaws.com'];

const standIns = new StandIns();
const account = new AwsAccount({ region: 'us-east-1' });
let system: RotatedSystem;
let number = 0;
beforeAll(async () => {
  const test = await testServer({ fetch: standIns.fetch });
  account.now = () => test.coffer.now().getTime();
  await account.serve(standIns);
  const addUser = (): string => {
    const UserName = `rotated${++number}`;
    account.iam.actions['CreateUser']!(new URLSearchParams({ UserName }));
    return UserName;
  };
  const { region } = account;
  system = {
    test,
    app: 'aws',
    credentials: { method: 'access-key', ...account.keys },
    accounts: async () => ({ parameters: { userName: addUser(), region } }),
    rejected: async () => ({ parameters: { userName: 'nobody', region }, message: 'NoSuchEntity' }),
    works: async ({ accessKeyId, secretAccessKey }) =>
      (await account.whoHas(standIns.fetch, { accessKeyId: accessKeyId!, secretAccessKey: secretAccessKey! })) !==
      undefined,
    async invalidate({ accessKeyId }) {
      for (const { keys } of account.iam.users.values()) {
        const at = keys.findIndex((key) => key.accessKeyId === accessKeyId);
        if (at >= 0) keys.splice(at, 1);
      }
    },
    async shut() {
      for (const host of HOSTS) await standIns.stop(host);
    },
    open: () => account.serve(standIns),
  };
});
afterAll(async () => {
  await system.test.close();
  await standIns.close();
});

describeRotation('AWS IAM User Secret', { ...KIND, slots: 2, system: () => system });

it('a key whose answer was lost is deleted by the next attempt, and no other', async () => {
  const one = await RotationAtWork.made(system, KIND.type, KIND.fields);
  const { secretRotation } = await ok(one.get());
  const { keys } = account.iam.users.get(secretRotation.parameters.userName)!;
  const first = await one.active();
  account.fault = (action) => (action === 'CreateAccessKey' ? 'lost' : undefined);
  expect((await one.rotate()).status).toBe(400);
  account.fault = () => undefined;
  expect(keys).toHaveLength(2);
  await ok(one.rotate());
  const second = await one.active();
  expect(keys.map(({ accessKeyId }) => accessKeyId)).toEqual([first['accessKeyId'], second['accessKeyId']]);
});
