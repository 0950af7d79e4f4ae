import { hash } from 'node:crypto';
import { REGION, stsIn } from '../../../../apps/aws/index.ts';
import { badRequest, unauthenticated, type OutboundRequest } from '../../../../kernel/index.ts';

/** The input of a login: a GetCallerIdentity request that the client signed and did not send. */
export interface SignedRequest {
  readonly iamHttpRequestMethod: string;
  /** Base64. */
  readonly iamRequestBody: string;
  /** Base64 of a JSON object. */
  readonly iamRequestHeaders: string;
}

const GLOBAL_HOST = 'sts.amazonaws.com';
const GLOBAL_REGION = 'us-east-1';
const BODIES = ['Action=GetCallerIdentity&Version=2011-06-15', 'Version=2011-06-15&Action=GetCallerIdentity'];
const FORM = 'application/x-www-form-urlencoded; charset=utf-8';
const JSON_TYPE = 'application/json';

const AUTHORIZATION = new RegExp(
  '^AWS4-HMAC-SHA256 Credential=(?<key>\\w{16,128})/(?<date>\\d{8})/(?<region>[^/,]{0,64})/sts/aws4_request' +
    ', ?SignedHeaders=(?<signed>[a-z0-9-]+(?:;[a-z0-9-]+)*), ?Signature=(?<signature>[0-9a-f]{64})$',
);

/** Names the server that a request was signed for, so that no other server can use it. */
export const SERVER_ID = 'x-coffer-server-id';

/** For how long AWS accepts a signature before and after the time that it names; milliseconds. */
const VALIDITY = 15 * 60_000;

/** The headers that may be signed and are sent on as they were signed, with the form of their values. */
const SENT: ReadonlyMap<string, RegExp> = new Map([
  ['accept', /^(?:application\/json|(?:application|text)\/xml|\*\/\*)$/],
  ['content-type', /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i],
  ['user-agent', /^[\x20-\x7e]{1,512}$/],
  ['x-amz-content-sha256', /^[0-9a-f]{64}$/],
  ['x-amz-date', /^\d{8}T\d{6}Z$/],
  ['x-amz-security-token', /^[\w+/=-]{1,8192}$/],
  [SERVER_ID, /^[\x21-\x7e]{1,255}$/],
  // Signatures within one second are equal and single-use, unless the requests differ.
  ['x-coffer-nonce', /^[\w-]{1,128}$/],
]);
/** Headers that clients add without signing: dropped, or set by Coffer. */
const OURS = new Set(['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'user-agent']);
const NEEDED = ['host', 'x-amz-date'];

const malformed = (why: string) => badRequest('aws_auth.malformed', `The signed request is not accepted: ${why}`);

export interface ReadRequest {
  readonly url: string;
  readonly request: OutboundRequest;
  readonly signature: string;
  /** After this AWS accepts it no more. */
  readonly expiresAt: Date;
  /** The value of the header `X-Coffer-Server-ID`, if it is signed. */
  readonly serverId: string | undefined;
}

/**
 * Builds the only permitted request from what a caller signed: GetCallerIdentity, to the endpoint of the configuration
 * and the region. Of the caller's text, only signed values of the above forms are sent.
 *
 * @throws DomainError 400 for anything but a signed GetCallerIdentity; 401 if it was signed for another host.
 */
export function readSignedRequest(
  stsEndpoint: string,
  { iamHttpRequestMethod, iamRequestBody, iamRequestHeaders }: SignedRequest,
): ReadRequest {
  if (iamHttpRequestMethod !== 'POST') throw malformed('the method must be POST');
  const body = readBase64(iamRequestBody, 'iamRequestBody');
  if (!BODIES.includes(body)) throw malformed(`the body must be ${BODIES[0]}`);
  const headers = readHeaders(iamRequestHeaders);
  const authorization = headers.get('authorization') ?? '';
  const { date = '', region = '', signed = '', signature = '' } = AUTHORIZATION.exec(authorization)?.groups ?? {};
  if (!signed) throw malformed('authorization must be a version 4 signature for sts');
  if (!REGION.test(region)) throw malformed('the region is not valid');
  const names = signed.split(';');
  requireSigned(headers, names, body);
  if (!headers.get('x-amz-date')?.startsWith(date)) throw malformed('it was signed for another day');
  const signedAt = readDate(headers.get('x-amz-date') ?? '');
  const host = headers.get('host') ?? '';
  if (!hostsOf(stsEndpoint, region).includes(host))
    throw unauthenticated('aws_auth.host', 'The request was signed for a host other than the configured stsEndpoint');
  const sent = names.filter((name) => SENT.has(name)).map((name) => [name, headers.get(name) ?? '']);
  return {
    url: `https://${host}/`,
    request: {
      method: 'POST',
      headers: { accept: JSON_TYPE, 'content-type': FORM, ...Object.fromEntries(sent), authorization },
      body,
    },
    signature,
    // The clocks of AWS and the client may differ in both directions from ours.
    expiresAt: new Date(signedAt + 2 * VALIDITY),
    serverId: headers.get(SERVER_ID),
  };
}

function readDate(text: string): number {
  const time = Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (Number.isNaN(time)) throw malformed('x-amz-date is not a valid date');
  return time;
}

/**
 * AWS's default endpoint includes the regional endpoints of its domain: other partitions have accounts of their own,
 * with possibly equal numbers. Any other endpoint includes only itself.
 */
function hostsOf(stsEndpoint: string, region: string): string[] {
  const { host } = new URL(stsEndpoint);
  if (host !== GLOBAL_HOST) return [host];
  const regional = stsIn(region).host;
  const isOfDomain = regional.endsWith('.amazonaws.com');
  return [...(isOfDomain ? [regional] : []), ...(region === GLOBAL_REGION ? [GLOBAL_HOST] : [])];
}

/** AWS's default endpoint is of the partition `aws`, but is in one domain with that of the regions of the government. */
export const isOfPartition = (stsEndpoint: string, { partition }: { readonly partition: string }): boolean =>
  new URL(stsEndpoint).host !== GLOBAL_HOST || partition === 'aws';

/** Checks that everything is signed, and that each header occurs once with a permitted value. */
function requireSigned(headers: ReadonlyMap<string, string>, names: readonly string[], body: string): void {
  const signed = new Set(names);
  if (signed.size !== names.length || names.join() !== names.toSorted().join())
    throw malformed('the signed headers must be sorted and unique');
  for (const name of NEEDED) if (!signed.has(name)) throw malformed(`${name} must be signed`);
  for (const name of headers.keys())
    if (name !== 'authorization' && !signed.has(name) && !OURS.has(name))
      throw malformed('it has headers that are not signed');
  const known = new Map([...headers, ['content-length', String(body.length)]]);
  for (const name of names) {
    const value = known.get(name);
    const isRight = name === 'host' || name === 'content-length' || SENT.get(name)?.test(value ?? '');
    if (!isRight || value === undefined) throw malformed('a signed header is missing or not accepted');
  }
  const length = headers.get('content-length');
  if (length !== undefined && length !== String(body.length)) throw malformed('content-length does not match the body');
  const digest = signed.has('x-amz-content-sha256') ? headers.get('x-amz-content-sha256') : undefined;
  if (digest !== undefined && digest !== hash('sha256', body)) throw malformed('the hash does not match the body');
}

function readHeaders(encoded: string): Map<string, string> {
  const entries = Object.entries(readObject(readBase64(encoded, 'iamRequestHeaders')));
  const headers = new Map<string, string>();
  for (const [name, given] of entries) {
    // Some sign with a length that is a number.
    const value: unknown = typeof given === 'number' ? String(given) : given;
    if (typeof value !== 'string' || headers.has(name.toLowerCase()))
      throw malformed('each header must have exactly one text value');
    headers.set(name.toLowerCase(), value);
  }
  return headers;
}

function readObject(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Thrown below, without the parser's message, which quotes the signature.
  }
  throw malformed('iamRequestHeaders must be the base64 of a JSON object');
}

function readBase64(given: string, field: string): string {
  const bytes = Buffer.from(given, 'base64');
  if (bytes.toString('base64') !== given) throw malformed(`${field} must be base64`);
  return bytes.toString('latin1');
}
