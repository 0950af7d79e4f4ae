import { describe, expect, it } from 'vitest';
import { isRemote, type RemoteIo } from '../../family/index.ts';
import type { OutboundRequest } from '../../kernel/index.ts';
import { retrying } from './call.ts';
import { AwsFault, orReject, recoverFrom } from './fault.ts';
import { jsonAws } from './json.ts';
import { queryAws } from './query.ts';
import { assumeRole } from './role.ts';
import { iamOf, REGION, serviceIn, stsIn } from './service.ts';
import { at } from './xml.ts';

const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

/** Responses of AWS, one after the other, and the received requests. */
function aws(...answers: readonly (readonly [status: number, body: string])[]) {
  const asked: (OutboundRequest & { url: string })[] = [];
  const io: RemoteIo = {
    now: new Date('2031-02-03T04:05:06Z'),
    async fetch(url, request = {}) {
      asked.push({ url, ...request });
      const [status, body] = answers[Math.min(asked.length, answers.length) - 1]!;
      return { status, headers: {}, body: Buffer.from(body), text: () => body, json: (): unknown => JSON.parse(body) };
    },
  };
  return { io, asked };
}

const errorXml = (code: string, message = 'No') =>
  `<ErrorResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`;

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a query-protocol service', () => {
  it('is called with a signed form, and returns the result', async () => {
    const { io, asked } = aws([
      200,
      '<CreateUserResponse><CreateUserResult><User><UserName>a</UserName></User></CreateUserResult></CreateUserResponse>',
    ]);
    const result = await queryAws(io, iamOf('eu-central-1'), keys)('CreateUser', { UserName: 'a+b', Path: undefined });
    expect(at(result, 'User', 'UserName')?.text).toBe('a');
    expect(asked).toEqual([
      expect.objectContaining({
        url: 'https://iam.amazonaws.com/',
        method: 'POST',
        body: 'Action=CreateUser&Version=2010-05-08&UserName=a%2Bb',
        maxRedirects: 0,
        headers: expect.objectContaining({
          'X-Amz-Date': '20310203T040506Z',
          Authorization: expect.stringContaining('/20310203/us-east-1/iam/aws4_request'),
        }),
      }),
    ]);
  });

  it('returns errors with code, status and message', async () => {
    const { io } = aws([404, errorXml('NoSuchEntity', 'The user with name a cannot be found.')]);
    const fault = await failureOf(queryAws(io, iamOf('eu-central-1'), keys)('GetUser'));
    expect(fault).toBeInstanceOf(AwsFault);
    expect(fault).toMatchObject({
      code: 'NoSuchEntity',
      status: 404,
      message: 'NoSuchEntity: The user with name a cannot be found.',
    });
  });

  it.each([
    [403, '<html>', 'status 403'],
    [502, '', 'status 502'],
  ])('with the status %i and no text is reported by its status', async (status, body, message) => {
    const { io } = aws([status, body]);
    expect(await failureOf(queryAws(io, iamOf('eu-central-1'), keys)('GetUser'))).toMatchObject({ message });
  });

  it.each(['', '{}', '<a></a>', '<DeleteUserResponse></DeleteUserResponse>'])(
    'that answers something else is malformed: %s',
    async (body) => {
      const { io } = aws([200, body]);
      const failure = await failureOf(queryAws(io, iamOf('eu-central-1'), keys)('GetUser'));
      expect(isRemote(failure, 'malformed')).toBe(true);
    },
  );
});

describe('a JSON service', () => {
  it('is called with a signed object, and returns one', async () => {
    const { io, asked } = aws([200, '{"Version":1}']);
    expect(await jsonAws(io, 'ssm', 'cn-north-1', keys)('PutParameter', { Name: '/a' })).toEqual({ Version: 1 });
    expect(asked).toEqual([
      expect.objectContaining({
        url: 'https://ssm.cn-north-1.amazonaws.com.cn/',
        body: '{"Name":"/a"}',
        headers: expect.objectContaining({ 'X-Amz-Target': 'AmazonSSM.PutParameter' }),
      }),
    ]);
  });

  it('may return nothing only for deletions', async () => {
    const { io } = aws([200, '']);
    const ssm = jsonAws(io, 'ssm', 'eu-central-1', keys);
    expect(await ssm('DeleteParameter', { Name: '/a' })).toEqual({});
    expect(isRemote(await failureOf(ssm('GetParametersByPath')), 'malformed')).toBe(true);
  });

  it.each([
    ['{"__type":"ParameterNotFound","message":"x"}', 'ParameterNotFound', 'ParameterNotFound: x'],
    ['{"__type":"com.amazonaws.ssm#ParameterNotFound","Message":"x"}', 'ParameterNotFound', 'ParameterNotFound: x'],
    ['{"__type":"ParameterNotFound:http://internal/"}', 'ParameterNotFound', 'ParameterNotFound'],
    ['<html>', '', 'status 400'],
  ])('names its faults, in any format: %s', async (body, code, message) => {
    const { io } = aws([400, body]);
    expect(await failureOf(jsonAws(io, 'ssm', 'eu-central-1', keys)('GetParametersByPath'))).toMatchObject({
      code,
      message,
    });
  });
});

describe('a fault', () => {
  const sts = stsIn('eu-central-1');
  const outcomes = (fault: AwsFault) => [fault.rejection.code, fault.outcome(false).code, fault.outcome(true).code];

  it.each([
    [400, 'AccessDenied', ['remote.rejected', 'remote.rejected', 'remote.ambiguous']],
    [400, 'Throttling', ['remote.throttled', 'remote.throttled', 'remote.ambiguous']],
    [400, 'ThrottlingException', ['remote.throttled', 'remote.throttled', 'remote.ambiguous']],
    [400, 'TooManyUpdates', ['remote.throttled', 'remote.throttled', 'remote.ambiguous']],
    [503, 'SlowDown', ['remote.throttled', 'remote.throttled', 'remote.ambiguous']],
    [500, 'ServiceFailure', ['remote.ambiguous', 'remote.ambiguous', 'remote.ambiguous']],
  ])('%i %s is %j: for a call, for one at the beginning of work, midway', (status, code, expected) => {
    expect(outcomes(new AwsFault(sts, status, code, 'x'))).toEqual(expected);
  });

  it.each([
    ['SignatureDoesNotMatch', 'Signature expired: 20310203T040506Z is now earlier than 20310203T050000Z'],
    ['InvalidSignatureException', 'Signature not yet current: 20310203T040506Z is still later than …'],
    ['RequestExpired', ''],
  ])('with a wrong clock names it: %s', (code, words) => {
    const { rejection } = new AwsFault(sts, 403, code, words);
    expect(rejection.message).toMatch(/^sts\.eu-central-1\.amazonaws\.com reports: .*compare the clock of this server/);
    expect(new AwsFault(sts, 403, code, 'The signature does not match').rejection.message).toMatch(
      code === 'RequestExpired' ? /clock/ : /match$/,
    );
  });

  it('is recovered from by its code, and rejected by any other', async () => {
    const fault = (code: string) => Promise.reject(new AwsFault(sts, 400, code, 'x'));
    expect(await recoverFrom(fault('NotFound'), ['NotFound'], () => 'nothing')).toBe('nothing');
    expect(isRemote(await failureOf(recoverFrom(fault('Denied'), ['NotFound'], () => 0)), 'rejected')).toBe(true);
    expect(isRemote(await failureOf(orReject(fault('Throttling'))), 'throttled')).toBe(true);
    const bug = new Error('not of AWS');
    expect(await failureOf(orReject(Promise.reject(bug)))).toBe(bug);
  });
});

describe('an action that AWS throttles', () => {
  it('is retried, and no other is', async () => {
    const { io, asked } = aws(
      [400, errorXml('Throttling')],
      [409, errorXml('ConcurrentModification')],
      [200, '<GetUserResponse></GetUserResponse>'],
    );
    const ask = retrying(queryAws(io, iamOf('us-east-1'), keys), AbortSignal.timeout(20_000));
    expect(await ask('GetUser')).toMatchObject({ name: 'GetUserResult' });
    expect(asked).toHaveLength(3);
    const denied = aws([403, errorXml('AccessDenied')]);
    await failureOf(retrying(queryAws(denied.io, iamOf('us-east-1'), keys), AbortSignal.timeout(20_000))('GetUser'));
    expect(denied.asked).toHaveLength(1);
  });

  it('is abandoned at the deadline of the work', async () => {
    const { io } = aws([400, errorXml('Throttling')]);
    const ask = retrying(queryAws(io, iamOf('us-east-1'), keys), AbortSignal.timeout(20));
    expect(await failureOf(ask('GetUser'))).toMatchObject({ name: 'AbortError' });
  });
});

describe('a role', () => {
  const credentials = (inner: string) =>
    `<AssumeRoleResponse><AssumeRoleResult><Credentials>${inner}</Credentials></AssumeRoleResult></AssumeRoleResponse>`;
  const role = { region: 'eu-central-1', roleArn: 'arn:aws:iam::123456789012:role/x', sessionName: 'coffer' };
  const given = '<AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>';

  it('returns temporary keys, which are redacted', async () => {
    const { io, asked } = aws([200, credentials(given)]);
    const hidden: string[] = [];
    const sts = queryAws(io, stsIn(role.region), keys);
    const temporary = await assumeRole(sts, { ...role, externalId: 'shop' }, (one) => hidden.push(one));
    expect(temporary).toEqual({ accessKeyId: 'ASIA', secretAccessKey: 's', sessionToken: 't' });
    expect(hidden).toEqual(['ASIA', 's', 't']);
    expect(String(asked[0]!.body)).toContain('ExternalId=shop&DurationSeconds=900');
  });

  it('with incomplete keys is malformed', async () => {
    const { io } = aws([200, credentials('<AccessKeyId>ASIA</AccessKeyId>')]);
    const failure = await failureOf(assumeRole(queryAws(io, stsIn(role.region), keys), role, () => undefined));
    expect(isRemote(failure, 'malformed')).toBe(true);
  });
});

describe('a region', () => {
  it.each(['eu-central-1', 'us-gov-west-1', 'cn-northwest-1', 'ap-southeast-5'])('may be %s', (region) => {
    expect(region).toMatch(REGION);
    expect(serviceIn('ssm', region).host).toMatch(/^ssm\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/);
  });

  it.each(['s3', 'us-iso-east-1', 'us-east-1.evil.test', 'compute-1', 'us-east-123', 'US-EAST-1', '', 'x-1', 'us-1'])(
    'is never %s',
    (region) => {
      expect(region).not.toMatch(REGION);
    },
  );
});
