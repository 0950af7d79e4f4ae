import { AwsAccount, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectRefused, ok } from '../../harness/groups.ts';
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

it('a user as whom another connection logs in gets no key', async () => {
  const { parameters } = (await system.accounts()) as { parameters: { userName: string } };
  const { keys } = account.iam.users.get(parameters.userName)!;
  account.iam.actions['CreateAccessKey']!(new URLSearchParams({ UserName: parameters.userName }));
  const { accessKeyId, secretAccessKey } = keys[0]!;
  const used = { ...system, credentials: { method: 'access-key', accessKeyId, secretAccessKey } };
  await RotationAtWork.unmade(used, KIND.type, KIND.fields);
  const one = await RotationAtWork.unmade(system, KIND.type, KIND.fields);
  await expectRefused(one.create({ parameters }), 400, 'uses one of these logins');
  expect([await one.list(), keys.map((key) => key.accessKeyId)]).toEqual([[], [accessKeyId]]);
});

const DENIED = { type: 'AccessDenied', status: 403, message: 'a policy of the organization denies it' };
const faulty = async <T>(fault: typeof account.fault, work: () => Promise<T>): Promise<T> => {
  account.fault = fault;
  try {
    return await work();
  } finally {
    account.fault = () => undefined;
  }
};

it('a key that is made, but does not work, is taken back with its creation, however often that is tried', async () => {
  const one = await RotationAtWork.unmade(system, KIND.type, KIND.fields);
  const wanted = await system.accounts();
  const { keys } = account.iam.users.get((wanted.parameters as { userName: string }).userName)!;
  const noLogins = (action: string) => (action === 'GetCallerIdentity' ? DENIED : undefined);
  for (let i = 0; i < 3; i++) {
    const { status, body } = await faulty(noLogins, () => one.create(wanted));
    expect([status, body.message]).toEqual([400, expect.stringContaining('AccessDenied')]);
    expect([await one.list(), keys]).toEqual([[], []]);
  }
  // Where it cannot be taken back, it is not forgotten.
  const neither = (action: string) => (['GetCallerIdentity', 'DeleteAccessKey'].includes(action) ? DENIED : undefined);
  expect((await faulty(neither, () => one.create(wanted))).status).toBe(400);
  expect([await one.list(), keys]).toEqual([[expect.anything()], [expect.anything()]]);
  [one.id] = (await one.list()).map(({ id }) => id) as [string];
  await ok(one.rotate());
  expect(keys.map(({ accessKeyId }) => accessKeyId)).toEqual([(await one.active())['accessKeyId']]);
});

it('a key that was revoked is not active, also where another one cannot be', async () => {
  const one = await RotationAtWork.made(system, KIND.type, KIND.fields);
  await ok(one.rotate());
  await ok(one.rotate());
  const { activeIndex, generatedCredentials } = await one.generated();
  let deletions = 0;
  const second = (action: string) => (action === 'DeleteAccessKey' && ++deletions === 2 ? DENIED : undefined);
  const answer = await faulty(second, () => one.delete('?revokeGeneratedCredentials=true'));
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('could not be revoked')]);
  const { secretRotation } = await ok(one.get());
  expect(secretRotation).toMatchObject({
    rotationStatus: 'failed',
    lastRotationMessage: expect.stringMatching('revoked'),
  });
  expect((await one.generated()).generatedCredentials).toEqual(generatedCredentials.toSpliced(activeIndex, 1));
  expect((await one.events()).map(({ type }) => type)).toContain('secret_rotation.revocation_started');
  await ok(one.rotate());
  expect(await system.works(await one.active())).toBe(true);
});
