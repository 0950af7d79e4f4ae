import { createHash, createHmac } from 'node:crypto';
import { failure } from '../../exit.ts';
import type { Io } from '../../io.ts';

const BODY = 'Action=GetCallerIdentity&Version=2011-06-15';
const SERVICE = 'sts';

export interface SignedRequest {
  readonly iamHttpRequestMethod: 'POST';
  readonly iamRequestBody: string;
  readonly iamRequestHeaders: string;
}

/**
 * A signed request for GetCallerIdentity, which the server sends to show who this machine is (AWS Signature Version 4). Credentials
 * and region are those of the environment.
 */
export async function signedIdentityRequest({ env }: Pick<Io, 'env'>, now = new Date()): Promise<SignedRequest> {
  const [id, secret, token] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY'], env['AWS_SESSION_TOKEN']];
  if (!id || !secret)
    throw failure('There are no AWS credentials', 'Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN');
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    host: `sts.${region}.amazonaws.com`,
    'x-amz-date': time,
    ...(token && { 'x-amz-security-token': token }),
  };
  const names = Object.keys(headers).toSorted();
  const canonical = [
    'POST',
    '/',
    '',
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    sha256(BODY),
  ];
  const scope = `${time.slice(0, 8)}/${region}/${SERVICE}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical.join('\n'))].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${secret}`);
  const signature = hmac(key, text).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  const signed = { ...headers, authorization, 'content-length': String(BODY.length) };
  return {
    iamHttpRequestMethod: 'POST',
    iamRequestBody: Buffer.from(BODY).toString('base64'),
    iamRequestHeaders: Buffer.from(JSON.stringify(signed)).toString('base64'),
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
