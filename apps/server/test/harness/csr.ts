import type { KeyObject } from 'node:crypto';
import { expect } from 'vitest';
import { openssl } from './openssl.ts';

/** A request for a certificate, as OpenSSL is to make it. */
export interface WantedRequest {
  /** `/CN=a.example.com/O=Acme` */
  readonly subject?: string;
  /** Lines of a section of extensions: `subjectAltName=DNS:a.example.com`. */
  readonly extensions?: readonly string[];
  /** An existing key, or a new one for `openssl req -newkey`; default: P-256. */
  readonly key?: KeyObject | readonly string[];
  readonly digest?: string;
}

const P256 = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** A request with its key, both in PEM. */
export function makeRequest(wanted: WantedRequest = {}): { csr: string; key: string } {
  const { subject = '/CN=app.example.com', extensions = [], key = P256, digest } = wanted;
  const config = ['[req]', 'distinguished_name=dn', 'prompt=no', '[dn]', '[ext]', ...extensions].join('\n');
  const given = 'export' in key ? key.export({ type: 'pkcs8', format: 'pem' }).toString() : undefined;
  const args = [
    ...['req', '-new', ...('export' in key ? ['-key', 'a.key'] : ['-newkey', ...key, '-keyout', 'a.key'])],
    ...['-nodes', '-config', 'a.cnf', '-subj', subject, '-out', 'a.csr'],
    ...[...(extensions.length > 0 ? ['-reqexts', 'ext'] : []), ...(digest ? [`-${digest}`] : [])],
  ];
  const run = openssl(args, { 'a.cnf': config, ...(given && { 'a.key': given }) });
  expect([run.code, run.code === 0 ? '' : run.text]).toEqual([0, '']);
  return { csr: run.file('a.csr').toString(), key: run.file('a.key').toString() };
}

/** The same without its key, as DER in base64url. The default subject is empty. */
export function csrOf(wanted: WantedRequest): string {
  const { csr } = makeRequest({ subject: '/', ...wanted });
  return Buffer.from(csr.replaceAll(/-----.*-----|\s/g, ''), 'base64').toString('base64url');
}

/** A CSR for these DNS names. */
export const csrFor = (...names: string[]): string =>
  csrOf({ extensions: [`subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`] });
