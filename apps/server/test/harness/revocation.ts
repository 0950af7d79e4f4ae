import { expect } from 'vitest';
import type { MadeAuthority } from './certificates.ts';
import { openssl, type ToolRun } from './openssl.ts';
import type { TestServer } from './test-server.ts';

export const OCSP_REQUEST = 'application/ocsp-request';
export const OCSP_RESPONSE = 'application/ocsp-response';

export interface RawAnswer {
  readonly status: number;
  readonly type: unknown;
  readonly headers: Record<string, unknown>;
  readonly octets: Buffer;
}

/** An anonymous request for binary data. */
export const rawly =
  (test: TestServer) =>
  async (method: 'GET' | 'POST' | 'HEAD', url: string, payload?: Buffer, headers = {}): Promise<RawAnswer> => {
    const answer = await test.app.inject({ method, url, headers, ...(payload && { payload }) });
    return {
      status: answer.statusCode,
      type: answer.headers['content-type'],
      headers: answer.headers,
      octets: answer.rawPayload,
    };
  };

type Issuing = Pick<MadeAuthority, 'certificate'>;
type Answering = Pick<MadeAuthority, 'certificate' | 'keyId'>;

/** OpenSSL's request for a certificate: DER of an OCSPRequest. */
export function ocspRequest(issuer: Issuing, certificate: string, options: readonly string[] = ['-no_nonce']): Buffer {
  const args = ['ocsp', '-issuer', 'ca.pem', ...options, '-cert', 'leaf.pem', '-reqout', 'request.der'];
  return openssl(args, { 'ca.pem': issuer.certificate, 'leaf.pem': certificate }).file('request.der');
}

/** The response of the authority's responder. */
export async function ocspOf(test: TestServer, issuer: Answering, certificate: string): Promise<Buffer> {
  const asked = ocspRequest(issuer, certificate);
  const { status, type, octets } = await rawly(test)('POST', `/api/v1/pki/ocsp/${issuer.keyId}`, asked, {
    'content-type': OCSP_REQUEST,
  });
  expect([status, type]).toEqual([200, OCSP_RESPONSE]);
  return octets;
}

/** OpenSSL's verification of an OCSP response for a certificate. */
export const judgeOcsp = (
  issuer: Issuing,
  certificate: string,
  response: Buffer,
  options: readonly string[] = [],
): ToolRun =>
  openssl(
    [
      ...['ocsp', '-issuer', 'ca.pem', '-cert', 'leaf.pem', '-respin', 'response.der'],
      // Of an authority below another one, the certificate is all that is trusted.
      ...['-CAfile', 'ca.pem', '-partial_chain', '-no_nonce', '-resp_text', ...options],
    ],
    { 'ca.pem': issuer.certificate, 'leaf.pem': certificate, 'response.der': response },
  );

/** Gives an authority so many further keys, with its certificate: none of them opens. */
export async function addKeys({ coffer: { pool } }: TestServer, caId: string, count: number): Promise<void> {
  await pool.query(
    `with keys as (
       insert into ca_keys select (jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid()))).*
       from ca_keys k, generate_series(1, $2) where k.ca_id = $1 returning id)
     insert into ca_certificates select (jsonb_populate_record(c, jsonb_build_object(
       'id', gen_random_uuid(), 'ca_key_id', k.id, 'version', 1 + row_number() over ()))).*
     from ca_certificates c, keys k where c.ca_id = $1`,
    [caId, count],
  );
}
