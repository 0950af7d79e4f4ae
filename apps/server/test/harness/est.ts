import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { createAuthority } from './certificates.ts';
import { csrOf, type WantedRequest } from './csr.ts';
import { ok } from './groups.ts';
import { testServer, type Answer } from './test-server.ts';

/** The header in which a proxy forwards client certificates. */
export const HEADER = 'x-client-cert';
export const PASSPHRASE = 'xV7_o9QmTz3kLw:1RfB8yHc2NsD5uGj6E';
export const TEMPLATES = '/api/v1/pki/certificate-templates';
export const PROFILES = '/api/v1/cert-manager/certificate-profiles';
/** Clients with the passphrase enroll. */
export const OPEN = { disableBootstrapCertValidation: true };

export type EstWorld = Awaited<ReturnType<typeof estWorld>>;

/** A server behind a trusted proxy, an authority, and what clients enrol on by EST. */
export async function estWorld(options: Parameters<typeof testServer>[0] = {}) {
  const test = await testServer(options, { isTrustedProxy: () => true, clientCertificateHeader: HEADER });
  const { id: projectId } = await test.project();
  const { id: caId } = await createAuthority(test.admin, { projectId });
  let number = 0;

  /** Creates a template and returns its ID. Without a configuration it has no EST. */
  async function template(config?: object): Promise<string> {
    const { id } = await ok(
      test.admin('POST', TEMPLATES, {
        caId,
        name: `est-${number++}`,
        commonName: String.raw`.*\.example\.com`,
        subjectAlternativeName: String.raw`.*\.example\.com`,
        ttl: '30d',
        extendedKeyUsages: ['clientAuth'],
      }),
    );
    if (config) await ok(test.admin('POST', `${TEMPLATES}/${id}/est-config`, { passphrase: PASSPHRASE, ...config }));
    return id;
  }

  /** The template's constraints as a policy. */
  async function policy(): Promise<string> {
    const names = { allowed: ['*.example.com'] };
    const body = {
      projectId,
      name: `est-${number++}`,
      subject: [
        { type: 'common_name', ...names },
        { type: 'organization', allowed: [] },
      ],
      sans: [{ type: 'dns_name', ...names }],
      keyUsages: { allowed: ['digital_signature'] },
      extendedKeyUsages: { allowed: ['client_auth'], required: ['client_auth'] },
      validity: { max: '30d' },
    };
    const { certificatePolicy } = await ok(test.admin('POST', '/api/v1/cert-manager/certificate-policies', body));
    return certificatePolicy.id;
  }
  /** A body that makes a profile. */
  const wanted = async (estConfig?: object, more: object = {}) => ({
    projectId,
    caId,
    certificatePolicyId: await policy(),
    slug: `est-${number++}`,
    enrollmentType: 'est',
    ...(estConfig && { estConfig: { passphrase: PASSPHRASE, ...estConfig } }),
    ...more,
  });

  /** A profile; its id. */
  async function profile(config?: { disableBootstrapCertValidation?: boolean; caChain?: string }, more?: object) {
    const { disableBootstrapCertValidation, ...others } = config ?? {};
    const estConfig = { disableBootstrapCaValidation: disableBootstrapCertValidation, ...others };
    const given = config ? await wanted(estConfig, more) : await wanted(undefined, { enrollmentType: 'api' });
    return (await ok(test.admin('POST', PROFILES, given))).certificateProfile.id as string;
  }

  /** The request and response of a client. */
  async function est(
    id: string,
    operation: string,
    csr: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await test.app.inject({
      method: 'POST',
      url: `/.well-known/est/${id}/${operation}`,
      headers: { 'content-type': 'application/pkcs10', 'content-transfer-encoding': 'base64', ...headers },
      payload: csr,
    });
    const isJson = String(answer.headers['content-type']).includes('application/json');
    return {
      status: answer.statusCode,
      body: isJson ? answer.json() : answer.body,
      headers: answer.headers,
    };
  }

  return { test, projectId, caId: caId as string, template, wanted, profile, est };
}

/** The authentication of a client: a passphrase, and certificates through the proxy. */
export const basic = (passphrase = PASSPHRASE) => ({
  authorization: `Basic ${Buffer.from(`any:${passphrase}`).toString('base64')}`,
});
export const shown = (...pems: string[]) => ({ [HEADER]: encodeURIComponent(pems.join('')) });

const requests = new Map<string, string>();
/** As in RFC 7030: base64 with line breaks. An existing one is reused. */
export function request(name: string, more: Pick<WantedRequest, 'subject' | 'extensions'> = {}): string {
  const key = JSON.stringify([name, more]);
  let made = requests.get(key);
  if (made === undefined) requests.set(key, (made = newRequest(name, more)));
  return made;
}

const newRequest = (name: string, more: Pick<WantedRequest, 'subject' | 'extensions'>): string =>
  Buffer.from(csrOf({ subject: `/CN=${name}`, extensions: [`subjectAltName=DNS:${name}`], ...more }), 'base64url')
    .toString('base64')
    .replaceAll(/.{1,64}/g, '$&\r\n');

/** The certificates of an answer, as OpenSSL reads them. */
export async function certificatesOf(answer: Pick<Answer, 'status' | 'body' | 'headers'>): Promise<string[]> {
  expect([answer.status, answer.headers['content-type'], answer.headers['content-transfer-encoding']]).toEqual([
    200,
    'application/pkcs7-mime; smime-type=certs-only',
    'base64',
  ]);
  const child = promisify(execFile)('openssl', ['pkcs7', '-inform', 'DER', '-print_certs']);
  child.child.stdin!.end(Buffer.from(answer.body, 'base64'));
  const { stdout } = await child;
  return pemsIn(stdout);
}
export const pemsIn = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g) ?? [];
