import { StandIns } from '@coffer/domain/testing';
import { AwsAccount, signedRequest, type AwsPrincipal } from '@coffer/domain/testing/clouds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeLoginMethod, loginMethodWorld } from '../harness/login-method.ts';
import { describeProvider, type ProviderCase } from '../harness/login-provider.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const ARN = 'arn:aws:sts::123456789012:assumed-role/web/i-0123456789';
const standIns = new StandIns();
const east = new AwsAccount({ region: 'us-east-1' });
const west = new AwsAccount({ region: 'eu-west-2' });
let test: TestServer;
let keys: AwsPrincipal;
beforeAll(async () => {
  keys = east.keysOf(ARN);
  await standIns.serve('sts.us-east-1.amazonaws.com', east.listener('sts'));
  await standIns.serve('sts.eu-west-2.amazonaws.com', west.listener('sts'));
  test = await testServer({ fetch: standIns.fetch });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const aws: ProviderCase = {
  kind: 'aws-auth',
  key: 'identityAwsAuth',
  standIns,
  host: 'sts.us-east-1.amazonaws.com',
  least: () => ({}),
  binding: () => ({ allowedAccountIds: '123456789012' }),
  answered: () => ({
    type: 'iam',
    stsEndpoint: 'https://sts.amazonaws.com/',
    allowedPrincipalArns: '',
    allowedAccountIds: '123456789012',
    serverId: '',
  }),
  changes: () => ({
    stsEndpoint: 'https://sts.eu-west-2.amazonaws.com',
    allowedPrincipalArns: ' arn:aws:iam::123456789012:role/web,arn:aws-us-gov:iam::123456789012:*',
    allowedAccountIds: '123456789012,210987654321',
    serverId: 'coffer.example.com',
  }),
  sealed: [],
  refused: () => [
    [{ stsEndpoint: '' }, 422],
    [{ stsEndpoint: 'http://sts.amazonaws.com/' }, 422],
    [{ stsEndpoint: 'https://sts.amazonaws.com/x' }, 422],
    [{ allowedPrincipalArns: '*' }, 422],
    [{ allowedPrincipalArns: 'arn:aws:iam::*:role/web' }, 422],
    [{ allowedPrincipalArns: 'arn:aws:iam::123456789012:role/a,'.repeat(200) }, 422],
    [{ allowedAccountIds: '1234' }, 422],
    [{ allowedAccountIds: '123456789012,'.repeat(400) }, 422],
    [{ allowedAccountIds: 123456789012 }, 422],
    [{ serverId: 'two words' }, 422],
    [{ serverId: 'x'.repeat(256) }, 422],
  ],
  notAttached: { GET: 400, PATCH: 404, DELETE: 400 },
  proof: async () => signedRequest(keys),
  claims: () => ({
    aws: {
      accountId: '123456789012',
      arn: ARN,
      userId: 'AROAEXAMPLE:i-0123456789',
      partition: 'aws',
      service: 'sts',
      resourceType: 'assumed-role',
      resourceName: 'web/i-0123456789',
    },
  }),
  rejectedCredentials: async () => signedRequest({ ...keys, secretAccessKey: 'guessed' }),
};

describe('AWS auth', () => {
  describeLoginMethod(() => test, aws);
});

describe('attaching AWS auth', () => {
  const { urlOf, identity, attached } = loginMethodWorld(() => test, aws);

  it('requires a max TTL, unlike an update', async () => {
    const bare = urlOf(await identity());
    expect((await test.admin('POST', bare, { accessTokenTTL: 0, accessTokenMaxTTL: 0 })).status).toBe(422);
    const { url } = await attached();
    expect((await test.admin('PATCH', url, { accessTokenMaxTTL: 0 })).status).toBe(200);
  });

  it('rejects changes of the type', async () => {
    const { url, first } = await attached({ type: 'ec2' });
    expect(first.type).toBe('iam');
    expect((await test.admin('PATCH', url, { type: 'ec2' })).body.identityAwsAuth.type).toBe('iam');
  });

  it('accepts lists up to the maximum length, and returns them', async () => {
    const allowedAccountIds = '123456789012,'.repeat(315).slice(0, -1);
    const { url, first } = await attached({ allowedAccountIds });
    expect(first.allowedAccountIds).toBe(allowedAccountIds.replaceAll(',', ', '));
    expect((await test.admin('GET', url)).body.identityAwsAuth).toEqual(first);
    expect((await test.admin('PATCH', url, { allowedAccountIds: first.allowedAccountIds })).status).toBe(200);
  });

  it('stores lists with one blank after each comma', async () => {
    const { first } = await attached(aws.changes());
    expect(first).toMatchObject({
      allowedPrincipalArns: 'arn:aws:iam::123456789012:role/web, arn:aws-us-gov:iam::123456789012:*',
      allowedAccountIds: '123456789012, 210987654321',
    });
  });
});

describe('logging in by a signed request', () => {
  const { attached } = loginMethodWorld(() => test, aws);

  it('applies changed lists from the next login on', async () => {
    const { url, logIn } = await attached();
    for (const [change, status] of [
      [{ allowedAccountIds: '210987654321' }, 401],
      [{ allowedAccountIds: '210987654321, 123456789012' }, 200],
      [{ allowedPrincipalArns: 'arn:aws:iam::123456789012:role/web2' }, 401],
      [{ allowedPrincipalArns: 'arn:aws:iam::123456789012:role/w*' }, 200],
      [{ stsEndpoint: 'https://sts.eu-west-2.amazonaws.com' }, 401],
    ] as const) {
      expect((await test.admin('PATCH', url, change)).status).toBe(200);
      expect([change, (await logIn()).status]).toEqual([change, status]);
    }
  });

  it('defaults to the method POST, and calls the endpoint of the region', async () => {
    const { logIn } = await attached();
    const { iamHttpRequestMethod: _, ...login } = signedRequest(west.keysOf(ARN), { region: 'eu-west-2' });
    expect((await logIn(login)).status).toBe(200);
    expect(standIns.called.at(-1)).toBe('https://sts.eu-west-2.amazonaws.com/');
  });

  it('refuses a malformed signed request with 400, and one for another host with 401, calls nothing, and records both', async () => {
    const { logIn, identityId } = await attached();
    const before = standIns.called.length;
    const good = signedRequest(keys);
    for (const [status, bad] of [
      [400, { ...good, iamHttpRequestMethod: 'GET' }],
      [400, { ...good, iamRequestBody: 'x' }],
      [400, { ...good, iamRequestHeaders: 'e30=' }],
      [400, signedRequest(keys, { region: 's3' })],
      [400, signedRequest(keys, { region: 'us-east-1/../x' })],
      [401, signedRequest(keys, { host: 'evil.test' })],
      [422, { ...good, iamRequestBody: undefined }],
      [422, { ...good, iamRequestHeaders: { host: 'evil.test' } }],
      [422, { ...good, iamRequestHeaders: 'x'.repeat(20_001) }],
    ] as const) {
      const { body } = await logIn(bad);
      expect(body).toMatchObject({ statusCode: status });
      expect(JSON.stringify(body)).not.toContain(keys.accessKeyId);
    }
    expect(standIns.called).toHaveLength(before);
    const { rows } = await test.coffer.pool.query(
      `select distinct data ->> 'reason' as reason from audit_events
       where type = 'aws_auth.login_failed' and data ->> 'identityId' = $1 order by 1`,
      [identityId],
    );
    expect(rows).toEqual([{ reason: 'aws_auth.host' }, { reason: 'aws_auth.malformed' }]);
  });

  it('accepts each signed request once, for any identity, also in parallel', async () => {
    const [one, other] = [await attached(), await attached()];
    const login = signedRequest(keys);
    const answers = await Promise.all([one, other, one, other, one].map(({ logIn }) => logIn(login)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401]);
    test.advance(10 * 60_000);
    expect((await one.logIn(login)).body).toMatchObject({
      statusCode: 401,
      message: expect.stringContaining('already used'),
    });
    expect((await one.logIn()).status).toBe(200);
  });

  it('does not use up a request that was refused', async () => {
    const { url, logIn } = await attached({ allowedAccountIds: '210987654321' });
    const login = signedRequest(keys);
    expect((await logIn(login)).status).toBe(401);
    await test.admin('PATCH', url, { allowedAccountIds: '123456789012' });
    expect((await logIn(login)).status).toBe(200);
  });

  it('requires the signed name of this server if the method is configured so', async () => {
    const { logIn } = await attached({ serverId: 'coffer.example.com' });
    const signedFor = (id: string) => signedRequest(keys, { headers: { 'X-Coffer-Server-ID': id } });
    for (const login of [signedRequest(keys), signedFor('elsewhere.example.com')])
      expect((await logIn(login)).status).toBe(401);
    expect((await logIn(signedFor('coffer.example.com'))).status).toBe(200);
  });

  describeProvider(() => test, aws);
});
