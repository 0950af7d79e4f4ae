import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Access keys, with the session token of those that are temporary. */
export interface SigningKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface Expected {
  readonly service: string;
  readonly region: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the port is a part of the host that is signed: of a store that is asked by its address. */
  readonly hasPort?: boolean;
  find(accessKeyId: string): SigningKeys | undefined;
}

const AUTHORIZATION = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
const CLOCK_SKEW = 15 * 60_000;
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * The signer of a received request, by the published algorithm (AWS Signature Version 4); `undefined` if the signature
 * is not valid for this request, these keys, this service, region and time.
 */
export function whoSigned(
  request: IncomingMessage,
  body: string | Uint8Array,
  expected: Expected,
): SigningKeys | undefined {
  const { method, url, headers } = request;
  const [, credential = '', signedHeaders = '', signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  const [accessKeyId = '', date = '', ...rest] = credential.split('/');
  const keys = expected.find(accessKeyId);
  if (!keys || rest.join('/') !== `${expected.region}/${expected.service}/aws4_request`) return undefined;
  const names = signedHeaders.split(';');
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (!mustBeSigned.every((name) => names.includes(name))) return undefined;
  if (headers['x-amz-security-token'] !== keys.sessionToken) return undefined;
  const when = String(headers['x-amz-date']);
  const at = Date.parse(when.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!when.startsWith(date) || !(Math.abs(expected.now - at) < CLOCK_SKEW)) return undefined;
  const host = expected.hasPort ? headers.host : hostOf(request);
  const valueOf = (name: string) => (name === 'host' ? host : String(headers[name] ?? '').trim());
  const [path, query = ''] = (url ?? '').split('?');
  const canonical = [
    method,
    path,
    query.split('&').toSorted().join('&'),
    ...names.map((name) => `${name}:${valueOf(name)}`),
    '',
    signedHeaders,
    sha256(body),
  ].join('\n');
  const scope = `${date}/${expected.region}/${expected.service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', when, scope, sha256(canonical)].join('\n');
  const key = [date, expected.region, expected.service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${keys.secretAccessKey}`,
  );
  return hmac(key, toSign).toString('hex') === signature ? keys : undefined;
}

/** The access key ID that a request claims to be signed by. */
export const claimedKeyOf = ({ headers }: IncomingMessage): string =>
  /Credential=([^/,]+)/.exec(headers.authorization ?? '')?.[1] ?? '';

/** The port is the test's; the real default port is omitted from the header. */
export const hostOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '');
