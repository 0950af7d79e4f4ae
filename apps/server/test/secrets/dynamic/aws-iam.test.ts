import { AwsAccount, StandIns, type TargetCase } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  describeDynamicProvider,
  describeTarget,
  dynamicSecretsOf,
  sentInGuide,
} from '../../harness/dynamic-secret.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
const standIns = new StandIns();
const account = new AwsAccount();
const READ_ONLY = 'arn:aws:iam::aws:policy/ReadOnlyAccess';
const ROLE = `arn:aws:iam::${account.id}:role/coffer`;
const IAM = 'iam.amazonaws.com';
const STS = `sts.${account.region}.amazonaws.com`;

beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch });
  const { coffer, organizationId } = test;
  account.now = () => coffer.contextFor({ type: 'platform', organizationId }).now().getTime();
  await account.serve(standIns);
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});
afterEach(() => {
  account.throttled = 0;
  account.iam.lag = 0;
  account.denied.clear();
  account.fault = () => undefined;
  standIns.patience = {};
});

const { accessKeyId: accessKey, secretAccessKey } = account.keys;
const inputs = () => ({ accessKey, secretAccessKey, region: account.region });

const whoHas = (keys: { accessKeyId: string; secretAccessKey: string }) => account.whoHas(standIns.fetch, keys);
const ownerOf = (data: Record<string, string>) =>
  whoHas({ accessKeyId: data['ACCESS_KEY']!, secretAccessKey: data['SECRET_ACCESS_KEY']! });

const awsIam: TargetCase = {
  type: 'aws-iam',
  inputs,
  wrong: () => ({ ...inputs(), secretAccessKey: 'not/the/secret/of/this/key' }),
  elsewhere: () => ({ region: 'eu-west-1' }),
  weaker: ({ ACCESS_KEY, SECRET_ACCESS_KEY }) => ({ accessKey: ACCESS_KEY, secretAccessKey: SECRET_ACCESS_KEY }),
  sealed: ['secretAccessKey'],
  works: async (data) => (await ownerOf(data)) !== undefined,
  outage: {
    begin: async () => {
      for (const host of [IAM, STS]) await standIns.stop(host);
    },
    end: () => account.serve(standIns),
  },
};

const { made, unmade } = dynamicSecretsOf(() => test, 'aws-iam', inputs);
const actions = async (work: () => Promise<unknown>): Promise<string[]> => {
  const before = account.calls.length;
  await work();
  return account.calls.slice(before).map((call) => call.split(' ')[0]!);
};

describe('users at AWS', () => {
  describeDynamicProvider(() => test, awsIam);
  describeTarget(() => test, awsIam);

  it('have all their properties before there is a key, and leave nothing', async () => {
    account.iam.policies.add(`arn:aws:iam::${account.id}:policy/boundary`);
    account.iam.policies.add(`arn:aws:iam::${account.id}:policy/of/shop,all`);
    const policyDocument = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::shop/*' }],
    });
    const one = await made(
      {
        awsPath: '/coffer/leases/',
        permissionBoundaryPolicyArn: `arn:aws:iam::${account.id}:policy/boundary`,
        policyDocument,
        userGroups: 'developers , readers',
        policyArns: `${READ_ONLY}, arn:aws:iam::${account.id}:policy/of/shop,all`,
        tags: [
          { key: 'team', value: 'shop + co=1@x' },
          { key: 'Größe', value: '' },
        ],
      },
      { usernameTemplate: 'shop+{{identity.name}}@{{random 12}}' },
    );
    let issued: { lease: { id: string; externalEntityId: string }; data: Record<string, string> } | undefined;
    const calls = await actions(async () => (issued = (await one.lease()).body));
    const { lease, data } = issued!;
    expect(calls).toEqual([
      'CreateUser',
      'AddUserToGroup',
      'AddUserToGroup',
      'AttachUserPolicy',
      'AttachUserPolicy',
      'PutUserPolicy',
      'CreateAccessKey',
    ]);
    const name = data['USERNAME']!;
    expect([name, lease.externalEntityId]).toEqual([expect.stringMatching(/^shop\+machine@[a-z0-9]{12}$/), name]);
    expect(await ownerOf(data)).toBe(`arn:aws:iam::${account.id}:user/coffer/leases/${name}`);
    expect(account.iam.users.get(name)).toMatchObject({
      boundary: `arn:aws:iam::${account.id}:policy/boundary`,
      tags: new Map([
        ['team', 'shop + co=1@x'],
        ['Größe', ''],
      ]),
      groups: new Set(['developers', 'readers']),
      attached: new Set([READ_ONLY, `arn:aws:iam::${account.id}:policy/of/shop,all`]),
      inline: new Map([['coffer', policyDocument]]),
    });
    const removed = await actions(() => one.revoke(lease.id));
    expect(removed.slice(0, 2)).toEqual(['ListAccessKeys', 'DeleteAccessKey']);
    expect([await ownerOf(data), account.iam.users.has(name)]).toEqual([undefined, false]);
  });

  it('are deleted with everything that they have created for themselves', async () => {
    const one = await made({ userGroups: 'readers' });
    const { lease, data } = (await one.lease()).body;
    const user = account.iam.users.get(data.USERNAME)!;
    const second = account.makeKeys();
    user.keys.push(second);
    for (let i = 0; i < 5; i++) user.inline.set(`own-${i}`, '{}');
    user.belongings.set('password', new Set(['1']));
    for (const kind of ['device', 'certificate', 'sshKey', 'serviceCredential'])
      user.belongings.set(kind, new Set([`arn:aws:iam::${account.id}:mfa/${kind}`, 'B', 'C']));
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect([await ownerOf(data), await whoHas(second)]).toEqual([undefined, undefined]);
    expect(account.iam.users.has(data.USERNAME)).toBe(false);
  });

  it('that cannot be deleted yet stay recorded, with the error of AWS, and without their keys', async () => {
    const one = await made();
    const { lease, data } = (await one.lease()).body;
    account.iam.users.get(data.USERNAME)!.belongings.set('device', new Set(['A']));
    account.denied.add('DeactivateMFADevice');
    const { status, body } = await one.revoke(lease.id);
    expect([status, body.message]).toEqual([
      400,
      `${IAM} reports: DeleteConflict: Cannot delete entity, must delete device first.`,
    ]);
    expect(await one.leases()).toMatchObject([{ status: 'Failed to delete', statusDetails: body.message }]);
    expect(await ownerOf(data)).toBeUndefined();
    account.denied.clear();
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(account.iam.users.has(data.USERNAME)).toBe(false);
  });

  it('are revoked without an error if they were already removed, wholly or in part', async () => {
    const one = await made({ userGroups: 'readers' });
    const first = (await one.lease()).body;
    account.iam.users.delete(first.data.USERNAME);
    expect((await one.revoke(first.lease.id)).status).toBe(200);
    const second = (await one.lease()).body;
    const user = account.iam.users.get(second.data.USERNAME)!;
    user.keys.length = 0;
    user.groups.clear();
    expect((await one.revoke(second.lease.id)).status).toBe(200);
    expect(await one.leases()).toEqual([]);
  });

  it('are created although AWS throttles calls, and is eventually consistent', async () => {
    const one = await made({ userGroups: 'readers' });
    account.throttled = 2;
    account.iam.lag = 2;
    const { status, body } = await one.lease();
    expect([status, await ownerOf(body.data)]).toEqual([200, expect.stringContaining(body.data.USERNAME)]);
    account.throttled = 1;
    expect((await one.revoke(body.lease.id)).status).toBe(200);
    expect(account.iam.users.has(body.data.USERNAME)).toBe(false);
  });

  it('are not created while AWS throttles all calls, with an error in bounded time', async () => {
    const one = await made();
    account.throttled = 1000;
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([400, `${IAM} is throttling requests`]);
    const [left] = await one.leases();
    account.throttled = 0;
    test.advance(120_000);
    if (left) await one.reap(left.id);
    expect(await one.leases()).toEqual([]);
  });

  it.each([
    ['AddUserToGroup', { userGroups: 'readers, nobody' }, 'NoSuchEntity: The group with name nobody cannot be found.'],
    [
      'AttachUserPolicy',
      { policyArns: 'arn:aws:iam::aws:policy/Nothing' },
      'NoSuchEntity: Policy arn:aws:iam::aws:policy/Nothing does not exist or is not attachable.',
    ],
    ['PutUserPolicy', { policyDocument: '{"Statement":1}' }, 'MalformedPolicyDocument: Syntax errors in policy.'],
  ])('that are refused at %s are taken back', async (_, more, words) => {
    const users = [...account.iam.users.keys()];
    const one = await made(more);
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([400, `${IAM} reports: ${words}`]);
    expect([...account.iam.users.keys()]).toEqual(users);
    await one.reapFailed();
  });

  it('that are rejected completely leave nothing to revoke', async () => {
    const one = await made({ permissionBoundaryPolicyArn: 'arn:aws:iam::aws:policy/Nothing' });
    expect((await one.lease()).body.message).toMatch(/^iam\.amazonaws\.com reports: NoSuchEntity: Scope ARN/);
    expect(await one.leases()).toEqual([]);
    account.denied.add('CreateUser');
    const other = await made();
    expect((await other.lease()).body.message).toMatch(
      /reports: AccessDenied: .*not authorized to perform: iam:CreateUser$/,
    );
    expect(await other.leases()).toEqual([]);
  });

  it.each(['CreateUser', 'AddUserToGroup', 'CreateAccessKey'])(
    'whose %s was done, and its answer lost, are found by their name',
    async (action) => {
      const users = [...account.iam.users.keys()];
      const one = await made({ userGroups: 'readers' });
      account.fault = (asked) => (asked === action ? 'lost' : undefined);
      const { status, body } = await one.lease();
      expect([status, body.message]).toEqual([400, `${IAM} closed the connection`]);
      account.fault = () => undefined;
      expect([...account.iam.users.keys()]).toEqual(users);
      await one.reapFailed();
    },
  );

  it('may be managed by another key of the same account, and by none of another', async () => {
    const one = await made();
    const { lease, data } = (await one.lease()).body;
    const foreign = new AwsAccount({ region: account.region });
    expect(accountIn(foreign.keys.accessKeyId)).not.toBe(accountIn(accessKey));
    foreign.now = account.now;
    await foreign.serve(standIns);
    const { accessKeyId, secretAccessKey: secret } = foreign.keys;
    expect(await one.update({ inputs: { accessKey: accessKeyId, secretAccessKey: secret } })).toMatchObject({
      status: 400,
      body: { message: 'The dynamic secret has leases in its present target system. Revoke the leases first' },
    });
    await account.serve(standIns);
    const keeper = (await one.lease()).body.data;
    account.keepers.add(keeper.ACCESS_KEY);
    const changes = { accessKey: keeper.ACCESS_KEY, secretAccessKey: keeper.SECRET_ACCESS_KEY };
    expect((await one.update({ inputs: changes })).status).toBe(200);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await ownerOf(data)).toBeUndefined();
  });

  const failing: [string, () => void][] = [
    ['answers what is no XML', () => (account.fault = () => ({ status: 200, body: '{}' }))],
    [
      'answers something else',
      () => (account.fault = () => ({ status: 200, body: '<OtherResponse></OtherResponse>' })),
    ],
    ['answers a 500', () => (account.fault = () => ({ status: 500, body: 'oops' }))],
    ['answers without end', () => (account.fault = () => ({ status: 200, body: `<a>${'x'.repeat(2_000_000)}</a>` }))],
    ['hangs up', () => (account.fault = () => 'lost')],
    [
      'repeats what it was sent',
      () => (account.fault = (_, form) => quoting(`${JSON.stringify(form)} ${secretAccessKey}`)),
    ],
  ];
  const quoting = (words: string) => ({
    status: 400,
    body: `<ErrorResponse><Error><Code>Other</Code><Message>${words.replaceAll('&', '&amp;')}</Message></Error></ErrorResponse>`,
  });
  it.each(failing)('are not created if AWS %s, with a clear error', async (_, begin) => {
    const one = await made();
    begin();
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^(iam\.amazonaws\.com|AWS IAM) /)]);
    expect(JSON.stringify(body)).not.toContain(secretAccessKey);
    expect((await (await unmade()).create('aws-iam', inputs())).status).toBe(400);
  });

  it('are not created if AWS does not respond, with an error in bounded time', async () => {
    const one = await made();
    const silent = new AwsAccount();
    await standIns.serve(IAM, () => undefined);
    await standIns.serve(STS, silent.listener('sts'));
    standIns.patience = { [IAM]: 300 };
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([400, `${IAM} did not answer in time`]);
    await account.serve(standIns);
  });

  it.each([
    [{ method: 'irsa' }, 422],
    [{ method: 'assume-role' }, 422],
    [{ method: 'assume-role', roleArn: 'arn:aws:iam::123456789012:user/x' }, 422],
    [{ credentialType: 'temporary-credentials' }, 422],
    [{ accessKey: undefined }, 422],
    [{ accessKey: 'x/y' }, 422],
    [{ secretAccessKey: '' }, 422],
    [{ region: 'evil.example.com/' }, 422],
    [{ region: 'us-iso-east-1' }, 422],
    [{ awsPath: 'x' }, 422],
    [{ awsPath: '/x y/' }, 422],
    [{ permissionBoundaryPolicyArn: 'x' }, 422],
    [{ userGroups: 'a b' }, 422],
    [{ userGroups: Array.from({ length: 11 }, (_, i) => `g${i}`).join() }, 422],
    [{ policyArns: `x,${READ_ONLY}` }, 422],
    [{ policyArns: Array.from({ length: 21 }, (_, i) => READ_ONLY + i).join() }, 422],
    [{ tags: [{ key: '', value: 'x' }] }, 422],
    [{ tags: Array.from({ length: 51 }, (_, i) => ({ key: `k${i}`, value: '' })) }, 422],
    [{ policyDocument: '[]' }, 400],
    [{ policyDocument: '{' }, 400],
  ])('are not created from inputs such as %j: %i', async (more, status) => {
    expect((await (await unmade()).create('aws-iam', { ...inputs(), ...more })).status).toBe(status);
  });

  it('are leased as the guide has it', async () => {
    const [sent] = sentInGuide('AWS IAM') as [{ provider: { inputs: object } }];
    account.iam.policies.add('arn:aws:iam::123456789012:policy/boundary');
    const one = await made({ ...sent.provider.inputs, ...inputs() });
    const { lease, data } = (await one.lease()).body;
    expect(account.iam.users.get(data.USERNAME)).toMatchObject({
      path: '/coffer/',
      boundary: 'arn:aws:iam::123456789012:policy/boundary',
      attached: new Set([READ_ONLY]),
    });
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('may have empty texts for absent values, and only the region of their service', async () => {
    const empty = { awsPath: '', permissionBoundaryPolicyArn: '', policyDocument: '', userGroups: '', policyArns: '' };
    const one = await made({ ...empty, tags: [], credentialType: 'iam-user' });
    const { lease } = (await one.lease()).body;
    expect((await one.revoke(lease.id)).status).toBe(200);
    const other = await (await unmade()).create('aws-iam', { ...inputs(), region: 'eu-west-3' });
    expect(other.status).toBe(400);
    expect(other.body.message).toContain('sts.eu-west-3.amazonaws.com has no address');
  });
});

describe('users that a role manages', () => {
  const byRole = (more: object = {}) => ({ ...inputs(), method: 'assume-role', roleArn: ROLE, ...more });

  it('are created as the role, with keys that last no longer than the work', async () => {
    account.roles.set(ROLE, null);
    account.keepers.delete(accessKey);
    const one = await unmade();
    expect((await one.create('aws-iam', byRole())).status).toBe(200);
    let issued: { lease: { id: string }; data: Record<string, string> } | undefined;
    const calls = await actions(async () => (issued = (await one.lease()).body));
    expect(calls).toEqual(['AssumeRole', 'CreateUser', 'CreateAccessKey']);
    expect(await ownerOf(issued!.data)).toContain(issued!.data['USERNAME']);
    expect((await one.renew(issued!.lease.id)).status).toBe(200);
    expect(await ownerOf(issued!.data)).toBeDefined();
    expect((await one.revoke(issued!.lease.id)).status).toBe(200);
    expect(await ownerOf(issued!.data)).toBeUndefined();
    account.keepers.add(accessKey);
  });

  it('are created with the external ID if the role requires it', async () => {
    account.roles.set(ROLE, 'shop:1');
    for (const externalId of [undefined, '', 'shop:2']) {
      const { status, body } = await (await unmade()).create('aws-iam', byRole({ externalId }));
      expect([status, body.message]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^${STS} reports: AccessDenied: `)),
      ]);
    }
    const one = await unmade();
    expect((await one.create('aws-iam', byRole({ externalId: 'shop:1' }))).status).toBe(200);
    const { lease } = (await one.lease()).body;
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('are reported without the credentials of the role', async () => {
    account.roles.set(ROLE, null);
    const one = await unmade();
    expect((await one.create('aws-iam', byRole())).status).toBe(200);
    let token: string | undefined;
    account.fault = (action) => {
      if (action !== 'CreateUser') return undefined;
      ({ sessionToken: token } = account.lastSession!);
      const { secretAccessKey: secret } = account.lastSession!;
      return {
        status: 403,
        body: `<ErrorResponse><Error><Code>AccessDenied</Code><Message>Not ${token}, ${secret}</Message></Error></ErrorResponse>`,
      };
    };
    const { body } = await one.lease();
    expect(body.message).toBe(`${IAM} reports: AccessDenied: Not [hidden], [hidden]`);
    expect(token).toBeDefined();
  });

  it('need keys that may assume it: the server has none', async () => {
    const { status, body } = await (
      await unmade()
    ).create('aws-iam', {
      method: 'assume-role',
      region: account.region,
      roleArn: ROLE,
    });
    expect([status, JSON.stringify(body)]).toEqual([
      422,
      expect.stringContaining('accessKey and secretAccessKey are required'),
    ]);
  });
});

/** The part of an access key ID that encodes its account. */
const accountIn = (id: string) => id.slice(4, 12);
