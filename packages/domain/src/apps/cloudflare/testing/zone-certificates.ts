import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';

export interface CustomCertificate {
  readonly id: string;
  readonly certificate: string;
  readonly chain: string;
  readonly privateKey: string;
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;

/** The custom certificates of a zone (https://developers.cloudflare.com/api/resources/custom_certificates/). */
export class ZoneCertificates {
  all: CustomCertificate[] = [];
  /** Whether a change makes another ID, as for `sni_custom`. */
  isSni = false;
  now: () => number = Date.now;

  /** What is uploaded; a message of why it is not valid. */
  read(body: Record<string, unknown>): Omit<CustomCertificate, 'id'> | string {
    const { certificate: given, private_key: privateKey, bundle_method: method } = body as Record<string, string>;
    const [certificate, ...above] = given?.match(PEM) ?? [];
    if (!certificate || !privateKey || !['ubiquitous', 'optimal', 'force'].includes(method ?? ''))
      return 'The certificate could not be parsed';
    const leaf = new X509Certificate(certificate);
    if (!leaf.checkPrivateKey(createPrivateKey(privateKey))) return 'The private key does not match the certificate';
    if (leaf.validToDate.getTime() <= this.now()) return 'The certificate has expired';
    return { certificate, privateKey, chain: above.join('') };
  }

  add(one: Omit<CustomCertificate, 'id'>): CustomCertificate {
    const added = { id: randomBytes(16).toString('hex'), ...one };
    this.all.push(added);
    return added;
  }

  replace(id: string, one: Omit<CustomCertificate, 'id'>): CustomCertificate | undefined {
    if (!this.all.some((known) => known.id === id)) return undefined;
    const replaced = { id: this.isSni ? randomBytes(16).toString('hex') : id, ...one };
    this.all = this.all.map((known) => (known.id === id ? replaced : known));
    return replaced;
  }

  remove(id: string): boolean {
    const before = this.all.length;
    this.all = this.all.filter((known) => known.id !== id);
    return this.all.length < before;
  }
}

const hostsOf = ({ subjectAltName, subject }: X509Certificate): string[] =>
  subjectAltName?.split(', ').map((name) => name.replace(/^DNS:/, '')) ?? [subject.replace(/^.*CN=/s, '')];

export const shownCertificate = ({ id, certificate }: CustomCertificate) => {
  const leaf = new X509Certificate(certificate);
  return {
    ...{ id, status: 'active', issuer: 'Acme', signature: 'ECDSAWithSHA256', bundle_method: 'force' },
    ...{ hosts: hostsOf(leaf), expires_on: leaf.validToDate.toISOString().replace('.000Z', 'Z') },
  };
};
