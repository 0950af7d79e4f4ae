import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { generateKey, keyIdOf, type KeyPair } from '../algorithm.ts';
import { buildCertificate, readCertificate, type ReadCertificate } from '../certificate.ts';
import type { CertificateContent, Issuer, KeyAlgorithm } from '../content.ts';
import { newSerialNumber } from '../serial.ts';

const DAY = 86_400_000;
/** The start of a second, so that times survive encoding. */
export const NOW = new Date(Math.floor(Date.now() / 1000) * 1000);
export const inDays = (days: number) => new Date(NOW.getTime() + days * DAY);

const keys = new Map<string, Promise<KeyPair>>();
/** A key of this type, cached by name: generating RSA keys takes long. */
export function keyOf(algorithm: KeyAlgorithm, name = 'leaf'): Promise<KeyPair> {
  const made = keys.get(algorithm + name) ?? (algorithm.startsWith('RSA') ? keyOfRun : generateKey)(algorithm, name);
  keys.set(algorithm + name, made);
  return made;
}

/** Of all workers of `npm test`, the first one generates it; its temporary folder ends with the run. */
async function keyOfRun(algorithm: KeyAlgorithm, name: string): Promise<KeyPair> {
  if (!basename(tmpdir()).startsWith('coffer-test-')) return generateKey(algorithm);
  const file = join(tmpdir(), `${algorithm}-${name}.pem`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return { privateKey: createPrivateKey(kept), publicKey: createPublicKey(kept) };
  const made = await generateKey(algorithm);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, made.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await rename(draft, file);
  return made;
}

/** A certificate of a server, but for its key. */
export const leafContent = (publicKey: CertificateContent['publicKey']): CertificateContent => ({
  serialNumber: newSerialNumber(),
  subject: { commonName: 'www.example.com', organization: 'Exämple' },
  altNames: [
    { type: 'dns', value: 'www.example.com' },
    { type: 'ip', value: '10.1.2.3' },
    { type: 'ip', value: '2001:db8::1' },
    { type: 'email', value: 'ops@example.com' },
    { type: 'uri', value: 'spiffe://example.com/web' },
  ],
  publicKey,
  notBefore: NOW,
  notAfter: inDays(90),
  keyUsages: ['digitalSignature'],
  extendedKeyUsages: ['serverAuth', 'clientAuth'],
  crlUrls: ['http://coffer.example.com/crl'],
  ocspUrls: ['http://coffer.example.com/ocsp'],
  issuerUrls: ['http://coffer.example.com/ca'],
});

export const caContent = (
  publicKey: CertificateContent['publicKey'],
  commonName: string,
  more: Partial<CertificateContent> = {},
): CertificateContent => ({
  serialNumber: newSerialNumber(),
  subject: { commonName, country: 'DE', domainComponents: ['example', 'com'] },
  altNames: [],
  publicKey,
  notBefore: NOW,
  // Beyond 2049, where times are written in another way.
  notAfter: inDays(40 * 365),
  keyUsages: ['digitalSignature', 'keyCertSign', 'cRLSign'],
  extendedKeyUsages: [],
  ca: {},
  crlUrls: [],
  ocspUrls: [],
  issuerUrls: [],
  ...more,
});

export interface TestCa extends Issuer {
  readonly publicKey: KeyPair['publicKey'];
  readonly certificate: ReadCertificate;
  issue(content: CertificateContent): Promise<ReadCertificate>;
  /** A CA below it. */
  below(name: string, more?: Partial<CertificateContent>): Promise<TestCa>;
}

/** A root whose key is of this kind. */
export async function rootOf(
  algorithm: KeyAlgorithm,
  more: Partial<CertificateContent> = {},
  name = 'Root',
): Promise<TestCa> {
  const key = await keyOf(algorithm, name);
  const content = caContent(key.publicKey, `${name} ${algorithm}`, more);
  return caOf(algorithm, key, readCertificate(await buildCertificate(content, 'self', { ...key, algorithm })));
}

function caOf(algorithm: KeyAlgorithm, key: KeyPair, certificate: ReadCertificate): TestCa {
  const ca: TestCa = {
    ...key,
    algorithm,
    certificate,
    name: certificate.subjectName,
    keyId: keyIdOf(key.publicKey),
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    issue: async (content) => readCertificate(await buildCertificate(content, ca, ca)),
    below: async (name, more = {}) => {
      const childKey = await keyOf(algorithm, name);
      return caOf(algorithm, childKey, await ca.issue(caContent(childKey.publicKey, name, more)));
    },
  };
  return ca;
}
