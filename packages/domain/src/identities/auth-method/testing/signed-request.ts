import aws4 from 'aws4';
import type { SigningKeys } from '../../../apps/aws/testing/signature-v4.ts';

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

/** The input of a login: a request signed with the library `aws4`, as the SDKs do. */
export function signedRequest(keys: SigningKeys, given: Signing = {}) {
  const {
    region = 'us-east-1',
    host = `sts.${region}.amazonaws.com`,
    body = 'Action=GetCallerIdentity&Version=2011-06-15',
    method = 'POST',
    path = '/',
    service = 'sts',
  } = given;
  // Signatures within one second are equal, unless the requests differ.
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
    'X-Coffer-Nonce': `nonce-${++signings}`,
    ...given.headers,
  };
  const signed = aws4.sign({ host, path, service, region, method, body, headers }, { ...keys });
  return handOver(body, signed.headers as Record<string, string>);
}

/** The fields of the login. */
export const handOver = (body: string, headers: object) => ({
  iamHttpRequestMethod: 'POST',
  iamRequestBody: Buffer.from(body).toString('base64'),
  iamRequestHeaders: Buffer.from(JSON.stringify(headers)).toString('base64'),
});

/** The headers of the input, to modify. */
export const headersOf = ({ iamRequestHeaders }: { iamRequestHeaders: string }): Record<string, string> =>
  JSON.parse(Buffer.from(iamRequestHeaders, 'base64').toString()) as Record<string, string>;
