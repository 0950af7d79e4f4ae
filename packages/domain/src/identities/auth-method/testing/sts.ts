import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import aws4 from 'aws4';

/** Access keys that AWS knows, and whose they are. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string;
  readonly arn: string;
  readonly userId: string;
}

interface Failure {
  readonly status: number;
  readonly code: string;
}

const CLOCK_SKEW = 15 * 60_000;

/**
 * AWS's security token service in one region, as far as GetCallerIdentity goes: it works out the signature of what it
 * really received, by the published algorithm (Signature Version 4), and answers as AWS does.
 */
export class Sts {
  /** The host and the headers of all requests. */
  readonly received: { host: string; headers: IncomingMessage['headers']; body: string }[] = [];
  readonly region: string;
  readonly #keys = new Map<string, AwsKeys>();

  constructor(region: string) {
    this.region = region;
  }

  /** Makes access keys of somebody; temporary ones for sessions. */
  keysOf(arn: string): AwsKeys {
    const isSession = arn.includes(':assumed-role/');
    const keys = {
      accessKeyId: (isSession ? 'ASIA' : 'AKIA') + randomBytes(8).toString('hex').toUpperCase(),
      secretAccessKey: randomBytes(30).toString('base64'),
      ...(isSession && { sessionToken: randomBytes(300).toString('base64') }),
      arn,
      userId: isSession ? `AROAEXAMPLE:${arn.split('/').at(-1)}` : 'AIDAEXAMPLE',
    };
    this.#keys.set(keys.accessKeyId, keys);
    return keys;
  }

  readonly listener: RequestListener = (request, response) => {
    this.#answer(request).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  };

  async #answer(request: IncomingMessage): Promise<{ status: number; type: string; body: string }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    this.received.push({ host: hostOf(request), headers: request.headers, body });
    const found = this.#whoSigned(request, body);
    if ('code' in found) {
      const error = `<Error><Type>Sender</Type><Code>${found.code}</Code><Message>No</Message></Error>`;
      return { status: found.status, type: 'text/xml', body: `<ErrorResponse>${error}</ErrorResponse>` };
    }
    const { arn: Arn, userId: UserId } = found;
    const Account = Arn.split(':')[4];
    if (request.headers.accept === 'application/json') {
      const GetCallerIdentityResponse = {
        GetCallerIdentityResult: { Account, Arn, UserId },
        ResponseMetadata: { RequestId: '01234567-89ab-cdef-0123-456789abcdef' },
      };
      return { status: 200, type: 'application/json', body: JSON.stringify({ GetCallerIdentityResponse }) };
    }
    return {
      status: 200,
      type: 'text/xml',
      body: `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <GetCallerIdentityResult>
    <Arn>${Arn.replaceAll('&', '&amp;')}</Arn>
    <UserId>${UserId}</UserId>
    <Account>${Account}</Account>
  </GetCallerIdentityResult>
  <ResponseMetadata>
    <RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId>
  </ResponseMetadata>
</GetCallerIdentityResponse>
`,
    };
  }

  #whoSigned(request: IncomingMessage, body: string): AwsKeys | Failure {
    const { method, url, headers } = request;
    const parts = /^AWS4-HMAC-SHA256 Credential=(.+?), ?SignedHeaders=(.+?), ?Signature=(.+)$/.exec(
      headers.authorization ?? '',
    );
    const [, credential = '', signedHeaders = '', signature] = parts ?? [];
    const [accessKeyId = '', date = '', region, service, end] = credential.split('/');
    const keys = this.#keys.get(accessKeyId);
    if (!keys) return { status: 403, code: 'InvalidClientTokenId' };
    const scope = `${date}/${this.region}/sts/aws4_request`;
    const when = String(headers['x-amz-date']);
    const names = signedHeaders.split(';');
    const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
    const isWhole = mustBeSigned.every((name) => names.includes(name)) && when.startsWith(date);
    if (!isWhole || [region, service, end].join('/') !== `${this.region}/sts/aws4_request`)
      return { status: 403, code: 'SignatureDoesNotMatch' };
    if (keys.sessionToken !== headers['x-amz-security-token']) return { status: 403, code: 'InvalidClientTokenId' };
    const canonical = [
      method,
      url,
      '',
      ...names.map((name) => `${name}:${valueOf(request, name)}`),
      '',
      signedHeaders,
      createHash('sha256').update(body).digest('hex'),
    ].join('\n');
    const toSign = ['AWS4-HMAC-SHA256', when, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
    const key = [date, this.region, 'sts', 'aws4_request'].reduce<string | Buffer>(
      (last, part) => hmac(last, part),
      `AWS4${keys.secretAccessKey}`,
    );
    if (hmac(key, toSign).toString('hex') !== signature) return { status: 403, code: 'SignatureDoesNotMatch' };
    const at = Date.parse(when.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    if (!(Math.abs(Date.now() - at) < CLOCK_SKEW)) return { status: 403, code: 'SignatureDoesNotMatch' };
    const form = new URLSearchParams(body);
    if (form.get('Action') !== 'GetCallerIdentity') return { status: 400, code: 'InvalidAction' };
    return keys;
  }
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** The port is the test's; the real one is left out of the header. */
const hostOf = (request: IncomingMessage) => (request.headers.host ?? '').replace(/:\d+$/, '');
const valueOf = (request: IncomingMessage, name: string) =>
  name === 'host' ? hostOf(request) : String(request.headers[name] ?? '').trim();

export interface Signing {
  readonly region?: string;
  readonly host?: string;
  readonly body?: string;
  readonly method?: string;
  readonly path?: string;
  readonly service?: string;
  /** More headers, signed with the rest. */
  readonly headers?: Record<string, string>;
}

let signings = 0;

/** What a client hands over at a login: a request that it signed with the library `aws4`, as the SDKs do. */
export function signedRequest(keys: AwsKeys, given: Signing = {}) {
  const {
    region = 'us-east-1',
    host = `sts.${region}.amazonaws.com`,
    body = 'Action=GetCallerIdentity&Version=2011-06-15',
    method = 'POST',
    path = '/',
    service = 'sts',
  } = given;
  // Signatures of one second are the same, unless something differs.
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
    'X-Coffer-Nonce': `nonce-${++signings}`,
    ...given.headers,
  };
  const signed = aws4.sign({ host, path, service, region, method, body, headers }, keys);
  return handOver(body, signed.headers as Record<string, string>);
}

/** The fields of the login. */
export const handOver = (body: string, headers: object) => ({
  iamHttpRequestMethod: 'POST',
  iamRequestBody: Buffer.from(body).toString('base64'),
  iamRequestHeaders: Buffer.from(JSON.stringify(headers)).toString('base64'),
});

/** The headers of what is handed over, to be changed. */
export const headersOf = ({ iamRequestHeaders }: { iamRequestHeaders: string }): Record<string, string> =>
  JSON.parse(Buffer.from(iamRequestHeaders, 'base64').toString()) as Record<string, string>;
