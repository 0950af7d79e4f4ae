import { randomUUID } from 'node:crypto';
import aws4 from 'aws4';
import { z } from 'zod';
import type { OutboundResponse } from '../../kernel/index.ts';
import { needed, type IntegrationSettings, type Remote } from './destination.ts';
import { malformed, rejected, throttled } from '../../family/index.ts';
import { jsonOf, wordsOf } from './remote.ts';

/** What the destinations at AWS have in common: keys, regions, signatures (Signature Version 4), errors. */

export const AwsCredentials = z.object({
  accessId: needed('the id of an access key (accessId)', 128).regex(/^\w+$/, 'the id of an access key (accessId)'),
  accessToken: needed('the secret of the access key (accessToken)').regex(
    /^[\x21-\x7e]+$/,
    'the secret of the access key (accessToken)',
  ),
  awsAssumeIamRoleArn: z
    .string()
    .max(2048)
    .regex(
      /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
      'the ARN of a role, as arn:aws:iam::123456789012:role/x',
    )
    .optional(),
});
export type AwsCredentials = z.output<typeof AwsCredentials>;

/** A part of a host's name: nothing that could lead elsewhere. */
export const Region = needed('a region such as eu-central-1').regex(
  /^[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d$/,
  'a region such as eu-central-1',
);

interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const hostOf = (service: string, region: string): string =>
  `${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

/** Asks one service of one region, as the credentials' user or as the role that it assumes. */
export type AwsCall = (action: string, input: object) => Promise<Record<string, unknown>>;

/** An error of AWS's by name, for those who know what to do about it. */
class AwsFault extends Error {
  /** `ResourceNotFoundException`, … */
  readonly fault: string;
  /** What is thrown where nobody knows. */
  readonly refusal: Error;

  constructor(fault: string, refusal: Error) {
    super(fault);
    this.fault = fault;
    this.refusal = refusal;
  }
}

/** Does work, and something else for an error of one of these names. All other refusals are thrown as they are told to people. */
export async function recoverFrom<T>(
  work: Promise<T>,
  faults: readonly string[],
  otherwise: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AwsFault)) throw error;
    if (faults.includes(error.fault)) return otherwise();
    throw error.refusal;
  }
}

/** The same where no error is expected. */
export const orReject = <T>(work: Promise<T>): Promise<T> =>
  recoverFrom(work, [], () => Promise.reject(new Error('No fault is expected')));

const THROTTLED =
  /^(Throttl|TooManyRequests|TooManyUpdates|RequestLimitExceeded|ProvisionedThroughputExceeded|SlowDown)/;

/** Opens a way to a service that speaks JSON 1.1; its actions are named with this prefix (`secretsmanager`). */
export async function openAws(
  remote: Remote,
  credentials: AwsCredentials,
  { service, region, prefix }: { service: string; region: string; prefix: string },
): Promise<AwsCall> {
  const own: Keys = { accessKeyId: credentials.accessId, secretAccessKey: credentials.accessToken };
  const role = credentials.awsAssumeIamRoleArn;
  const keys = role === undefined ? own : await assumeRole(remote, own, role, region);
  return async (action, input) => {
    const headers = { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': `${prefix}.${action}` };
    const { url, answer } = await send(remote, keys, { service, region, headers, body: JSON.stringify(input) });
    const said = jsonOf(answer);
    if (answer.status !== 200) throw faultOf(url, answer, said);
    // Deletions answer nothing.
    if (answer.body.length === 0 && action.startsWith('Delete')) return {};
    if (typeof said !== 'object' || said === null) throw malformed(url, 'something other than JSON');
    return said as Record<string, unknown>;
  };
}

interface Sent {
  readonly service: string;
  readonly region: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function send(remote: Remote, keys: Keys, { service, region, headers, body }: Sent) {
  const host = hostOf(service, region);
  const date = remote.now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const signed = aws4.sign(
    { host, path: '/', service, region, method: 'POST', headers: { ...headers, 'X-Amz-Date': date }, body },
    { ...keys },
  );
  const url = `https://${host}/`;
  const answer = await remote.fetch(url, { method: 'POST', headers: signed.headers as Record<string, string>, body });
  return { url, answer };
}

const Fault = z
  .object({ __type: z.string() })
  .transform(({ __type: type }) => type.split('#').at(-1)!.split(':')[0]!)
  .catch('');

function faultOf(url: string, answer: OutboundResponse, said: unknown): Error {
  const name = Fault.parse(said);
  if (THROTTLED.test(name)) return throttled(url);
  return new AwsFault(name, rejected(url, answer.status, [name, wordsOf(answer)].filter(Boolean).join(': ')));
}

/** Seconds: the shortest that AWS gives. */
const SESSION = 900;

/**
 * Temporary keys of a role. The role's trust policy can demand the external id, which is the project's: so nobody
 * borrows the role through another project.
 */
async function assumeRole(remote: Remote, keys: Keys, role: string, region: string): Promise<Keys> {
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: `coffer-${randomUUID()}`,
    ExternalId: remote.projectId,
    DurationSeconds: String(SESSION),
  }).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const { url, answer } = await send(remote, keys, { service: 'sts', region, headers, body });
  const xml = answer.text();
  const element = (name: string) => new RegExp(`<${name}>([^<>&]+)</${name}>`).exec(xml)?.[1]?.trim();
  if (answer.status !== 200) {
    if (THROTTLED.test(element('Code') ?? '')) throw throttled(url);
    throw rejected(url, answer.status, [element('Code'), element('Message')].filter(Boolean).join(': '));
  }
  const [accessKeyId, secretAccessKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map(element);
  for (const one of [accessKeyId, secretAccessKey, sessionToken]) if (one) remote.hide(one);
  if (!accessKeyId || !secretAccessKey || !sessionToken) throw malformed(url, 'no keys for the role');
  return { accessKeyId, secretAccessKey, sessionToken };
}

/** What is said of a thing that is made at AWS. */
export const creationOptionsOf = (
  { kmsKeyId, secretAWSTag }: IntegrationSettings,
  keyField: 'KmsKeyId' | 'KeyId',
): object => ({
  ...(kmsKeyId && { [keyField]: kmsKeyId }),
  ...(secretAWSTag?.length && { Tags: secretAWSTag.map(({ key, value }) => ({ Key: key, Value: value })) }),
});
