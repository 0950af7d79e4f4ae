import {
  buildCertificate,
  generateKey,
  keyIdOf,
  newSerialNumber,
  readCertificate,
  readCsr,
  toPem,
  wholeSeconds,
  type CertificateContent,
  type ExtendedKeyUsage,
  type Issuer,
} from '@coffer/x509';

const DAY = 86_400_000;

/** A certificate, as an authority returns it. */
export interface Certified {
  /** PEM. */
  readonly certificate: string;
  /** Lower-case hexadecimal. */
  readonly serialNumber: string;
}

/** A root that really signs what is requested of it. */
export class CertifyingAuthority {
  /** PEM of its own certificate. */
  readonly root: string;
  readonly #issuer: Issuer;
  /** What its certificates are for, unless it takes that from requests. */
  usages: readonly ExtendedKeyUsage[] = ['serverAuth'];
  takesUsages = false;

  private constructor(root: string, issuer: Issuer) {
    this.root = root;
    this.#issuer = issuer;
  }

  static async make(name: string): Promise<CertifyingAuthority> {
    const algorithm = 'EC_prime256v1';
    const { publicKey, privateKey } = await generateKey(algorithm);
    const [notBefore, notAfter] = [wholeSeconds(Date.now() - DAY), wholeSeconds(Date.now() + 3_650 * DAY)];
    const content: CertificateContent = {
      ...{
        serialNumber: newSerialNumber(),
        subject: { commonName: name },
        altNames: [],
        publicKey,
        notBefore,
        notAfter,
      },
      ...{ keyUsages: ['keyCertSign', 'cRLSign'], extendedKeyUsages: [], ca: {} },
      ...{ crlUrls: [], ocspUrls: [], issuerUrls: [] },
    };
    const der = await buildCertificate(content, 'self', { privateKey, algorithm });
    const { subjectName } = readCertificate(der);
    const issuer = {
      name: subjectName,
      keyId: keyIdOf(publicKey),
      privateKey,
      algorithm,
      notBefore,
      notAfter,
    } as const;
    return new CertifyingAuthority(toPem('CERTIFICATE', der), issuer);
  }

  /** Signs a request (PEM) for so many days. @throws X509Error for an invalid one */
  async certify(csr: string, days: number, serialNumber: string = newSerialNumber()): Promise<Certified> {
    const { subject, altNames, publicKey, ...asked } = readCsr(csr);
    const { other: _, ...named } = subject;
    const content: CertificateContent = {
      ...{ serialNumber, subject: named, altNames, publicKey },
      notBefore: wholeSeconds(Date.now() - 60_000),
      notAfter: wholeSeconds(Date.now() + days * DAY),
      keyUsages: ['digitalSignature'],
      extendedKeyUsages: (this.takesUsages && asked.extendedKeyUsages) || this.usages,
      ...{ crlUrls: [], ocspUrls: [], issuerUrls: [] },
    };
    const der = await buildCertificate(content, this.#issuer, this.#issuer);
    return { certificate: toPem('CERTIFICATE', der), serialNumber };
  }
}
