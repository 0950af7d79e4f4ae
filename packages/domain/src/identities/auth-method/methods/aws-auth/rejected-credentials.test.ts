import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AwsAccount, type AwsPrincipal } from '../../../../apps/aws/testing/account.ts';
import type { LoginAttempt } from '../../auth-method.ts';
import { attempt } from '../../testing/attempt.ts';
import { faults, StandIns } from '../../testing/stand-ins.ts';
import { handOver, headersOf, signedRequest, type Signing } from '../../testing/signed-request.ts';
import { awsAuth } from './aws-auth.ts';

const ACCOUNT = '123456789012';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/web`;
const SESSION = `arn:aws:sts::${ACCOUNT}:assumed-role/web/i-0123456789`;
const standIns = new StandIns();
const usEast1 = new AwsAccount({ region: 'us-east-1' });
const euWest2 = new AwsAccount({ region: 'eu-west-2' });
const govWest1 = new AwsAccount({ region: 'us-gov-west-1' });
const evil = new AwsAccount({ region: 'us-east-1' });
let keys: AwsPrincipal;

beforeAll(async () => {
  keys = usEast1.keysOf(SESSION);
  await standIns.serve('sts.us-east-1.amazonaws.com', usEast1.listener('sts'));
  await standIns.serve('sts.amazonaws.com', usEast1.listener('sts'));
  await standIns.serve('sts.eu-west-2.amazonaws.com', euWest2.listener('sts'));
  await standIns.serve('sts.us-gov-west-1.amazonaws.com', govWest1.listener('sts'));
  for (const host of ['evil.test', 'sts.s3.amazonaws.com', 'sts.us-east-1.amazonaws.com.evil.test'])
    await standIns.serve(host, evil.listener('sts'));
});
afterAll(() => standIns.close());
beforeEach(() => {
  standIns.called.length = 0;
  evil.received.length = 0;
});

type Login = Partial<ReturnType<typeof signedRequest>>;

/** The facts of a login with this configuration. */
async function prove(login: Login, given: object = {}, useOnce: LoginAttempt['useOnce'] = () => undefined) {
  const config = awsAuth.config.parse({ allowedAccountIds: ACCOUNT, allowedPrincipalArns: ROLE, ...given });
  return awsAuth.verify!(config, awsAuth.credentials!.parse(login), attempt({ fetch: standIns.fetch, useOnce }));
}
/** A login whose headers are changed after signing. */
const changed = (change: (headers: Record<string, string>) => object, signing: Signing = {}): Login => {
  const login = signedRequest(keys, signing);
  return { ...login, iamRequestHeaders: handOver('', change(headersOf(login))).iamRequestHeaders };
};
const refused = (code: string) => ({ kind: 'unauthenticated', code: `aws_auth.${code}` });
const malformed = { kind: 'bad_request', code: 'aws_auth.malformed' };

describe('a true proof', () => {
  const proved = {
    aws: {
      accountId: ACCOUNT,
      arn: SESSION,
      userId: 'AROAEXAMPLE:i-0123456789',
      partition: 'aws',
      service: 'sts',
      resourceType: 'assumed-role',
      resourceName: 'web/i-0123456789',
    },
  };

  it('identifies its owner', async () => {
    expect(await prove(signedRequest(keys))).toEqual(proved);
    expect(standIns.called).toEqual(['https://sts.us-east-1.amazonaws.com/']);
  });

  it('may come from another region, and from the global endpoint', async () => {
    const user = euWest2.keysOf(`arn:aws:iam::${ACCOUNT}:user/ops/Alice`);
    const anyone = { allowedPrincipalArns: '' };
    expect(await prove(signedRequest(user, { region: 'eu-west-2' }), anyone)).toMatchObject({
      aws: { service: 'iam', resourceType: 'user', resourceName: 'ops/Alice', userId: 'AIDAEXAMPLE' },
    });
    expect(await prove(signedRequest(keys, { host: 'sts.amazonaws.com' }))).toEqual(proved);
    expect(standIns.called).toEqual(['https://sts.eu-west-2.amazonaws.com/', 'https://sts.amazonaws.com/']);
  });

  it('is single-use, by its signature, for as long as AWS may accept it', async () => {
    const used: Parameters<LoginAttempt['useOnce']>[0][] = [];
    const [first, second] = [signedRequest(keys), signedRequest(keys)];
    for (const login of [first, first, second]) await prove(login, {}, (proof) => used.push(proof));
    const [one, again, other] = used.map(({ id }) => id);
    expect(one).toContain(/Signature=(\w+)/.exec(headersOf(first)['Authorization']!)![1]);
    expect([again, other === one]).toEqual([one, false]);
    const minutes = (used[0]!.expiresAt.getTime() - Date.now()) / 60_000;
    expect([minutes > 29, minutes <= 30]).toEqual([true, true]);
  });

  it('names the server that it was signed for, if the method requires it', async () => {
    const signedFor = (id: string) => signedRequest(keys, { headers: { 'X-Coffer-Server-ID': id } });
    const serverId = 'coffer.example.com';
    expect(await prove(signedFor(serverId), { serverId })).toEqual(proved);
    expect(await prove(signedFor('whoever'))).toEqual(proved);
    for (const login of [signedFor('other.example.com'), signedFor(`${serverId}.evil.test`), signedRequest(keys)])
      await expect(prove(login, { serverId })).rejects.toMatchObject(refused('server_id'));
    const added = changed((headers) => ({ ...headers, 'X-Coffer-Server-ID': serverId }));
    await expect(prove(added, { serverId })).rejects.toMatchObject(malformed);
    const replaced = changed((headers) => ({ ...headers, 'X-Coffer-Server-ID': serverId }), {
      headers: { 'X-Coffer-Server-ID': 'other.example.com' },
    });
    await expect(prove(replaced, { serverId })).rejects.toMatchObject(refused('rejected'));
  });

  it('goes to the configured endpoint, and to no other', async () => {
    const stsEndpoint = 'https://sts.eu-west-2.amazonaws.com';
    const local = euWest2.keysOf(SESSION);
    expect(await prove(signedRequest(local, { region: 'eu-west-2' }), { stsEndpoint })).toEqual(proved);
    await expect(prove(signedRequest(keys), { stsEndpoint })).rejects.toMatchObject(refused('host'));
    expect(standIns.called).toEqual(['https://sts.eu-west-2.amazonaws.com/']);
  });

  it.each([
    ['AWS answers XML', { headers: { Accept: 'text/xml' } }],
    ['AWS may answer as it likes', { headers: { Accept: '*/*' } }],
    ['the parameters are the other way round', { body: 'Version=2011-06-15&Action=GetCallerIdentity' }],
    [
      'the body has its hash',
      { headers: { 'x-amz-content-sha256': 'ab821ae955788b0e33ebd34c208442ccfc2d406e2edc5e7a39bd6458fbb4f843' } },
    ],
  ] as [string, Signing][])('is taken where %s', async (_, signing) => {
    expect(await prove(signedRequest(keys, signing))).toEqual(proved);
  });

  it('may omit the length that it signed, and name headers in any case', async () => {
    expect(await prove(changed(({ 'Content-Length': _, ...rest }) => rest))).toEqual(proved);
    const lower = (headers: object) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    expect(await prove(changed(lower))).toEqual(proved);
    const upper = (headers: object) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(await prove(changed(upper))).toEqual(proved);
  });

  it('is sent on without what the client added unsigned', async () => {
    const added = { 'User-Agent': 'boto', Accept: 'text/plain', Connection: 'close', 'Accept-Encoding': 'gzip' };
    expect(await prove(changed((headers) => ({ ...headers, ...added })))).toEqual(proved);
    const { headers, body } = usEast1.received.at(-1)!;
    expect(headers).toMatchObject({ 'user-agent': 'coffer', accept: 'application/json' });
    expect(headers['accept-encoding']).toBeUndefined();
    expect(body).toBe('Action=GetCallerIdentity&Version=2011-06-15');
  });
});

describe('a request that was signed for another purpose', () => {
  it.each([
    ['evil.test', {}],
    ['sts.us-east-1.amazonaws.com.evil.test', {}],
    ['sts.us-east-1.amazonaws.com:443', {}],
    ['sts.us-east-1.amazonaws.com/evil', {}],
    ['evil.test#.amazonaws.com', {}],
    ['evil.test@sts.us-east-1.amazonaws.com', {}],
    ['STS.us-east-1.amazonaws.com', {}],
    ['sts.eu-west-2.amazonaws.com', {}],
    ['sts.amazonaws.com', { region: 'eu-west-2' }],
    ['169.254.169.254', {}],
  ])('by the host %s is not sent', async (host, signing) => {
    await expect(prove(signedRequest(keys, { ...signing, host }))).rejects.toMatchObject(refused('host'));
    await expect(prove(changed((headers) => ({ ...headers, Host: host }), signing))).rejects.toMatchObject(
      refused('host'),
    );
    expect(standIns.called).toEqual([]);
  });

  it.each([
    's3',
    's3-us-west-2',
    's3-website-us-east-1',
    'us-east-1.evil.test',
    'us-east-1/..',
    '..',
    '../..',
    'evil.test/',
    'evil.test#',
    '@evil.test',
    'us-east-1:443',
    'US-EAST-1',
    'us-east-1a',
    'us-east-123',
    'a-very-long-region-name-1',
    '%2e%2e',
    'x',
    '-',
  ])('by the region «%s» is not sent', async (region) => {
    await expect(prove(signedRequest(keys, { region, host: `sts.${region}.amazonaws.com` }))).rejects.toMatchObject(
      malformed,
    );
    expect(standIns.called).toEqual([]);
  });

  it.each([
    ['another service', { service: 's3' }],
    ['another action', { body: 'Action=GetSessionToken&Version=2011-06-15' }],
    ['another action besides', { body: 'Action=GetCallerIdentity&Version=2011-06-15&Action=AssumeRole' }],
    ['more parameters', { body: 'Action=GetCallerIdentity&Version=2011-06-15&X=1' }],
    ['another version', { body: 'Action=GetCallerIdentity&Version=2010-01-01' }],
    ['an encoded body', { body: 'Action=Get%43allerIdentity&Version=2011-06-15' }],
    ['a body with a line more', { body: 'Action=GetCallerIdentity&Version=2011-06-15\n' }],
    ['no body', { body: '' }],
    ['another type', { headers: { 'Content-Type': 'application/json' } }],
    ['a header of its own', { headers: { 'X-Forwarded-Host': 'evil.test' } }],
    ['what the client calls itself', { headers: { 'X-Amz-User-Agent': 'x' } }],
    ['a header of AWS that is not needed', { headers: { 'X-Amz-Target': 'Evil' } }],
    ['a hash of another body', { headers: { 'X-Amz-Content-Sha256': '0'.repeat(64) } }],
    ['no hash at all', { headers: { 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' } }],
    ['an answer that is compressed', { headers: { 'Accept-Encoding': 'gzip' } }],
  ] as [string, Signing][])('by %s is not sent', async (_, signing) => {
    await expect(prove(signedRequest(keys, signing))).rejects.toMatchObject(malformed);
    expect(standIns.called).toEqual([]);
  });

  it('by another path or query does not have this signature', async () => {
    for (const path of ['/?Action=AssumeRole', '/evil', '/?X-Amz-Expires=1'])
      await expect(prove(signedRequest(keys, { path })), path).rejects.toMatchObject(refused('rejected'));
  });

  it('by another method is not sent', async () => {
    for (const method of ['GET', 'PUT', 'post', 'POST ', ''])
      await expect(prove({ ...signedRequest(keys), iamHttpRequestMethod: method })).rejects.toMatchObject(malformed);
    await expect(prove(signedRequest(keys, { method: 'GET' }))).rejects.toMatchObject(refused('rejected'));
  });
});

describe('a request that was changed after signing', () => {
  const withHeader = (name: string, value: unknown) => () => changed((headers) => ({ ...headers, [name]: value }));
  const withSignature = (pattern: RegExp, by: string) => () =>
    changed((headers) => ({ ...headers, Authorization: headers['Authorization']!.replace(pattern, by) }));

  it.each([
    [
      'in its body',
      () => ({ ...signedRequest(keys), iamRequestBody: handOver('Action=AssumeRole', {}).iamRequestBody }),
    ],
    ['by a header more', withHeader('X-Evil', '1')],
    ['by an unsigned header of AWS', withHeader('X-Amz-Target', 'Evil')],
    ['by a host in another case', withHeader('host', 'evil.test')],
    ['by a line in a header', withHeader('X-Amz-Date', '20260101T000000Z\r\nHost: evil.test')],
    ['by a header whose name is a line', withHeader('X-A: b\r\nHost', 'evil.test')],
    ['by a list in place of a header', withHeader('X-Amz-Date', ['20260101T000000Z'])],
    ['by a number in place of a header', withHeader('X-Amz-Date', 20260101)],
    ['by another length', withHeader('Content-Length', '4')],
    ['by a name that objects have', withSignature(/host;/, 'constructor;host;')],
    ['by fewer signed headers', withSignature(/host;/, '')],
    ['by a signed date less', withSignature(/;x-amz-date/, '')],
    ['by signed headers out of order', withSignature(/content-type;host/, 'host;content-type')],
    ['by a signed header twice', withSignature(/host;/, 'host;host;')],
    ['by its loss of the region', withSignature(/us-east-1/, '')],
    ['by a scope of another service', withSignature(/\/sts\//, '/s3/')],
    ['by a day of another time', withSignature(/\/\d{8}\//, '/20200101/')],
    ['by another algorithm', withSignature(/^AWS4-HMAC-SHA256/, 'AWS4-ECDSA-P256-SHA256')],
    ['by a second signature', withSignature(/$/, `, Signature=${'0'.repeat(64)}`)],
    ['by a line in the signature', withSignature(/$/, '\r\nX-Evil: 1')],
    ['by its loss of the signature', () => changed(({ Authorization: _, ...rest }) => rest)],
    ['by its loss of the host', () => changed(({ Host: _, ...rest }) => rest)],
    ['by its loss of the date', () => changed(({ 'X-Amz-Date': _, ...rest }) => rest)],
    [
      'into a list',
      () => ({
        ...signedRequest(keys),
        iamRequestHeaders: handOver('', [headersOf(signedRequest(keys))]).iamRequestHeaders,
      }),
    ],
    ['into no JSON', () => ({ ...signedRequest(keys), iamRequestHeaders: Buffer.from('{').toString('base64') })],
    ['into null', () => ({ ...signedRequest(keys), iamRequestHeaders: Buffer.from('null').toString('base64') })],
    [
      'into no base64',
      () => ({ ...signedRequest(keys), iamRequestHeaders: JSON.stringify(headersOf(signedRequest(keys))) }),
    ],
  ] as [string, () => Login][])('%s is not sent', async (_, make) => {
    await expect(prove(make())).rejects.toMatchObject({ code: expect.stringMatching(/^aws_auth\.(malformed|host)$/) });
    expect(standIns.called).toEqual([]);
  });

  it.each([
    ['by another signature', withSignature(/Signature=.{8}/, 'Signature=00000000')],
    ['by another key', withSignature(/Credential=\w+/, `Credential=AKIA${'0'.repeat(16)}`)],
    [
      'by another date',
      withHeader('X-Amz-Date', `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}T000001Z`),
    ],
    ['by the token of another session', withHeader('X-Amz-Security-Token', 'b3RoZXI=')],
    ['by another region', withSignature(/us-east-1/, 'eu-west-2')],
  ] as [string, () => Login][])('%s is refused by AWS', async (_, make) => {
    const twice = ['a', 'b'].map(make);
    for (const login of twice)
      await expect(prove(login)).rejects.toMatchObject({ code: expect.stringMatching(/^aws_auth\.(rejected|host)$/) });
  });

  it('is rejected by AWS when it is too old', async () => {
    const login = signedRequest(keys);
    await prove(login);
    vi.useFakeTimers({ now: Date.now() - 16 * 60_000, toFake: ['Date'] });
    const old = signedRequest(keys);
    vi.useRealTimers();
    await expect(prove(old)).rejects.toMatchObject(refused('rejected'));
  });
});

describe('an owner who may not log in', () => {
  const as = (arn: string, given: object) => prove(signedRequest(usEast1.keysOf(arn)), given);

  it.each([
    ['999999999999', SESSION],
    [`${ACCOUNT.slice(0, -1)}3, 999999999999`, SESSION],
    [ACCOUNT, `arn:aws:sts::999999999999:assumed-role/${ACCOUNT}/x`],
    [ACCOUNT, `arn:aws:iam::999999999999:user/${ACCOUNT}`],
  ])('with the accounts %s: %s', async (allowedAccountIds, arn) => {
    await expect(as(arn, { allowedAccountIds, allowedPrincipalArns: '' })).rejects.toMatchObject(refused('account'));
  });

  it.each([
    [ROLE, `arn:aws:sts::${ACCOUNT}:assumed-role/web2/web`],
    [ROLE, `arn:aws:sts::${ACCOUNT}:assumed-role/WEB/web`],
    [ROLE, `arn:aws:sts::${ACCOUNT}:assumed-role/x/web/y`],
    [ROLE, `arn:aws:sts::999999999999:assumed-role/web/x`],
    [ROLE, `arn:aws-us-gov:sts::${ACCOUNT}:assumed-role/web/x`],
    [ROLE, `arn:aws:iam::${ACCOUNT}:user/role/web`],
    [ROLE, `arn:aws:sts::${ACCOUNT}:federated-user/web`],
    [ROLE, `arn:aws:iam::${ACCOUNT}:root`],
    [`arn:aws:iam::${ACCOUNT}:role/we`, SESSION],
    [`arn:aws:iam::${ACCOUNT}:role/*-deploy`, `arn:aws:sts::${ACCOUNT}:assumed-role/any/x-deploy`],
    [`arn:aws:sts::${ACCOUNT}:assumed-role/*-deploy`, `arn:aws:sts::${ACCOUNT}:assumed-role/any/x-deploy`],
    [`arn:aws:sts::${ACCOUNT}:assumed-role/web*`, `arn:aws:sts::${ACCOUNT}:assumed-role/other/web1`],
    [`arn:aws:sts::${ACCOUNT}:assumed-role/*/ci`, `arn:aws:sts::${ACCOUNT}:assumed-role/any/not-ci`],
    [`arn:aws:iam::${ACCOUNT}:user/*-bot`, `arn:aws:iam::${ACCOUNT}:user/ann/a-bot`],
    [`arn:aws:iam::${ACCOUNT}:user/a.c`, `arn:aws:iam::${ACCOUNT}:user/abc`],
    [`arn:aws:iam::${ACCOUNT}:user/a+`, `arn:aws:iam::${ACCOUNT}:user/aa`],
    [`arn:aws:iam::${ACCOUNT}:user/a*`, `arn:aws:iam::${ACCOUNT}:role/a`],
    [`arn:aws:iam::${ACCOUNT}:user/ops/*`, `arn:aws:iam::${ACCOUNT}:user/ops`],
    [`arn:aws:iam::${ACCOUNT}:role/web/*`, SESSION],
    ['arn:aws:iam::999999999999:*', SESSION],
    [`arn:aws-us-gov:iam::${ACCOUNT}:*`, SESSION],
    [`arn:aws:sts::${ACCOUNT}:*`, `arn:aws:iam::${ACCOUNT}:user/Alice`],
  ])('with the principals %s: %s', async (allowedPrincipalArns, arn) => {
    const login = as(arn, { allowedAccountIds: '', allowedPrincipalArns });
    await expect(login).rejects.toMatchObject(refused('principal'));
  });

  it('by the number of an account alone, in another partition of the same domain', async () => {
    const arn = `arn:aws-us-gov:iam::${ACCOUNT}:user/eve`;
    const login = () =>
      signedRequest(govWest1.keysOf(arn), { region: 'us-gov-west-1', host: 'sts.us-gov-west-1.amazonaws.com' });
    await expect(prove(login(), { allowedPrincipalArns: '' })).rejects.toMatchObject(refused('partition'));
    const accepted = [
      { allowedPrincipalArns: '', stsEndpoint: 'https://sts.us-gov-west-1.amazonaws.com' },
      { allowedPrincipalArns: `arn:aws-us-gov:iam::${ACCOUNT}:user/*` },
    ];
    for (const given of accepted) expect(await prove(login(), given)).toMatchObject({ aws: { arn } });
  });

  it('whatever a pattern costs to match', async () => {
    const login = as(`arn:aws:iam::${ACCOUNT}:user/${'a'.repeat(1500)}`, {
      allowedPrincipalArns: `arn:aws:iam::${ACCOUNT}:user/${'a*'.repeat(250)}b`,
    });
    await expect(login).rejects.toMatchObject(refused('principal'));
  });

  it.each([
    [ROLE, SESSION],
    [SESSION, SESSION],
    [`arn:aws:iam::999999999999:role/x, ${ROLE}`, SESSION],
    [`arn:aws:iam::${ACCOUNT}:*`, SESSION],
    [`arn:aws:sts::${ACCOUNT}:*`, SESSION],
    [`arn:aws:iam::${ACCOUNT}:*`, `arn:aws:iam::${ACCOUNT}:user/a/b`],
    [`arn:aws:iam::${ACCOUNT}:*`, `arn:aws:iam::${ACCOUNT}:root`],
    [`arn:aws:iam::${ACCOUNT}:role/w*b`, SESSION],
    [`arn:aws:iam::${ACCOUNT}:role/*`, SESSION],
    [`arn:aws:sts::${ACCOUNT}:assumed-role/web/*`, SESSION],
    [`arn:aws:sts::${ACCOUNT}:assumed-role/*`, SESSION],
    [`arn:aws:iam::${ACCOUNT}:user/*`, `arn:aws:iam::${ACCOUNT}:user/a/b`],
    [`arn:aws:iam::${ACCOUNT}:user/a/*-bot`, `arn:aws:iam::${ACCOUNT}:user/a/x-bot`],
    [`arn:aws-us-gov:iam::${ACCOUNT}:role/web`, `arn:aws-us-gov:sts::${ACCOUNT}:assumed-role/web/x`],
  ])('is admitted with the principals %s: %s', async (allowedPrincipalArns, arn) => {
    await expect(as(arn, { allowedPrincipalArns })).resolves.toMatchObject({ aws: { arn } });
  });

  it.each([
    { allowedPrincipalArns: '*' },
    { allowedPrincipalArns: 'arn:aws:iam::*:role/web' },
    { allowedPrincipalArns: 'arn:*:iam::123456789012:role/web' },
    { allowedPrincipalArns: 'arn:aws:s3::123456789012:role/web' },
    { allowedPrincipalArns: 'arn:aws:iam::12345678901:role/web' },
    { allowedPrincipalArns: 'arn:aws:iam::123456789012:group/web' },
    { allowedPrincipalArns: 'arn:aws:iam::123456789012:role/' },
    { allowedPrincipalArns: 'arn:aws:iam::123456789012:role/{a,b}' },
    { allowedPrincipalArns: `${ROLE}, x` },
    { allowedPrincipalArns: `${ROLE}\narn` },
    { allowedAccountIds: '12345678901' },
    { allowedAccountIds: '*' },
    { allowedAccountIds: '123456789012 123456789013' },
    { stsEndpoint: '' },
    { stsEndpoint: 'sts.amazonaws.com' },
    { stsEndpoint: 'http://sts.amazonaws.com' },
    { stsEndpoint: 'https://sts.amazonaws.com/path' },
    { stsEndpoint: 'https://sts.amazonaws.com/?x' },
    { stsEndpoint: 'https://user@sts.amazonaws.com/' },
  ])('is not admitted by a configuration such as %j', (given) => {
    expect(awsAuth.Attach.safeParse({ identityId: 'x', ...given }).success).toBe(false);
    expect(awsAuth.Update.safeParse({ identityId: 'x', ...given }).success).toBe(false);
  });
});

describe('an endpoint', () => {
  const stsEndpoint = 'https://faulty.test';
  const askFaulty = () => prove(signedRequest(keys, { host: 'faulty.test' }), { stsEndpoint });

  it.each(Object.keys(faults))('that %s is refused, clearly', async (fault) => {
    standIns.patience = { 'faulty.test': 300 };
    await standIns.serve('faulty.test', faults[fault]!);
    await expect(askFaulty()).rejects.toMatchObject({
      kind: 'bad_request',
      code: expect.stringMatching(/^(outbound|aws_auth)\./),
    });
    standIns.patience = {};
  });

  const result = `<Arn>${SESSION}</Arn><UserId>x</UserId><Account>${ACCOUNT}</Account>`;
  const wrapped = (inner: string) =>
    `<GetCallerIdentityResponse><GetCallerIdentityResult>${inner}</GetCallerIdentityResult></GetCallerIdentityResponse>`;
  const json = (fields: object) =>
    JSON.stringify({
      GetCallerIdentityResponse: {
        GetCallerIdentityResult: { Arn: SESSION, UserId: 'x', Account: ACCOUNT, ...fields },
      },
    });

  it('is understood in both forms', async () => {
    const written = `<?xml version="1.0" encoding="UTF-8"?>\n${wrapped(result)}\n`;
    for (const body of [json({}), ` ${json({})}`, wrapped(result), written]) {
      await standIns.serve('faulty.test', (_, response) => response.end(body));
      expect(await askFaulty()).toMatchObject({ aws: { arn: SESSION } });
    }
  });

  it.each([
    ['two callers', wrapped(result + `<Arn>arn:aws:iam::${ACCOUNT}:user/x</Arn>`)],
    ['two results', wrapped(result).replace('</GetCallerIdentityResponse>', '') + wrapped(result)],
    ['a caller in a comment', `<!-- ${wrapped(result)} -->`],
    ['a caller in JSON', `{"a":"${wrapped(result).replaceAll('"', "'")}"}`],
    ['a caller in something else', `<x>${wrapped(result)}</x>`],
    ['a caller in an error', `<ErrorResponse><Error><Message>${wrapped(result)}</Message></Error></ErrorResponse>`],
    ['a caller and more', `${wrapped(result)}<x></x>`],
    ['a document type', `<!DOCTYPE x [<!ENTITY e "${SESSION}">]>${wrapped(result.replace(SESSION, '&e;'))}`],
    ['elements in elements', wrapped(result.replace(SESSION, `<b>${SESSION}</b>`))],
    ['elements that do not close', wrapped(result.replace('</Arn>', '</Brn>'))],
    ['another namespace', wrapped(result).replace('Response>', 'Response xmlns="https://evil.test/">')],
    ['no account', wrapped(result.replace(/<Account>.*<\/Account>/, ''))],
    ['another account than the ARN has', json({ Account: '999999999999' })],
    ['an account that is a number', json({ Account: Number(ACCOUNT) })],
    ['an ARN of something else', json({ Arn: `arn:aws:s3::${ACCOUNT}:role/web` })],
    ['an ARN with a line', json({ Arn: `${SESSION}\nx` })],
    ['a list', `[${json({})}]`],
    ['the JSON of an object that is too deep', json({}).replace('{', '{"x":{').concat('}')],
  ])('with the response %s proves nothing', async (_, body) => {
    await standIns.serve('faulty.test', (_request, response) => response.end(body));
    await expect(askFaulty()).rejects.toMatchObject({ kind: 'bad_request', code: 'aws_auth.bad_answer' });
  });
});
