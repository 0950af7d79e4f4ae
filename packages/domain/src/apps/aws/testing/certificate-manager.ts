import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { AwsRefusal } from './answer.ts';

type Input = Record<string, unknown>;

export interface ImportedCertificate {
  certificate: string;
  chain: string;
  privateKey: string;
  readonly tags: Readonly<Record<string, string>>;
}

const PAGE = 2;
const KEY_TYPES = ['RSA_2048', 'RSA_3072', 'RSA_4096', 'EC_prime256v1', 'EC_secp384r1', 'EC_secp521r1'];

/**
 * The imported certificates of AWS Certificate Manager.
 * - https://docs.aws.amazon.com/acm/latest/APIReference/API_ImportCertificate.html
 * - https://docs.aws.amazon.com/acm/latest/APIReference/API_ListCertificates.html
 */
export class CertificateManager {
  /** By ARN. */
  readonly certificates = new Map<string, ImportedCertificate>();
  /** ARNs that a load balancer uses. */
  readonly used = new Set<string>();
  now: () => number = Date.now;
  readonly #arnOf: (id: string) => string;

  constructor(place: { readonly id: string; readonly region: string }) {
    this.#arnOf = (id) => `arn:aws:acm:${place.region}:${place.id}:certificate/${id}`;
  }

  #require({ CertificateArn: arn }: Input): ImportedCertificate {
    const found = this.certificates.get(String(arn));
    if (!found) throw new AwsRefusal(400, 'ResourceNotFoundException', `Could not find certificate ${String(arn)}.`);
    return found;
  }

  readonly actions: Record<string, (input: Input) => object> = {
    ImportCertificate: (input) => {
      const { CertificateArn: given, Tags } = input;
      if (given !== undefined && Tags !== undefined)
        throw new AwsRefusal(400, 'InvalidParameterException', 'Tagging is not permitted on re-import.');
      const imported = this.#valid(input);
      if (given !== undefined) {
        Object.assign(this.#require(input), imported);
        return { CertificateArn: given };
      }
      const tags = Object.fromEntries(
        ((Tags ?? []) as { Key: string; Value: string }[]).map(({ Key, Value }) => [Key, Value]),
      );
      const arn = this.#arnOf(randomUUID());
      this.certificates.set(arn, { ...imported, tags });
      return { CertificateArn: arn };
    },
    GetCertificate: (input) => {
      const { certificate, chain } = this.#require(input);
      return { Certificate: certificate, ...(chain && { CertificateChain: chain }) };
    },
    ListCertificates: ({ Includes, MaxItems, NextToken = '0' }) => {
      const { keyTypes = ['RSA_2048'] } = (Includes ?? {}) as { keyTypes?: string[] };
      if (!(Number(MaxItems) >= 1 && Number(MaxItems) <= 1000) || !keyTypes.every((one) => KEY_TYPES.includes(one)))
        throw new AwsRefusal(400, 'ValidationException', 'Not like this');
      const all = [...this.certificates].map(([CertificateArn, { certificate }]) => ({
        CertificateArn,
        Type: 'IMPORTED',
        NotAfter: new X509Certificate(certificate).validToDate.getTime() / 1000,
      }));
      const end = Number(NextToken) + PAGE;
      return {
        CertificateSummaryList: all.slice(Number(NextToken), end),
        ...(end < all.length && { NextToken: String(end) }),
      };
    },
    ListTagsForCertificate: (input) => ({
      Tags: Object.entries(this.#require(input).tags).map(([Key, Value]) => ({ Key, Value })),
    }),
    DeleteCertificate: (input) => {
      this.#require(input);
      const arn = String(input['CertificateArn']);
      if (this.used.has(arn)) throw new AwsRefusal(400, 'ResourceInUseException', `Certificate ${arn} is in use.`);
      this.certificates.delete(arn);
      return {};
    },
  };

  /** A certificate that is valid now, with its key, and with a chain that leads on from it. */
  #valid({ Certificate, PrivateKey, CertificateChain }: Input): Omit<ImportedCertificate, 'tags'> {
    const [certificate, privateKey, chain] = [Certificate, PrivateKey, CertificateChain ?? ''].map((blob) =>
      Buffer.from(String(blob), 'base64').toString(),
    ) as [string, string, string];
    const refuse = (message: string) => new AwsRefusal(400, 'ValidationException', message);
    const leaf = new X509Certificate(certificate);
    if (certificate.split('BEGIN CERTIFICATE').length !== 2)
      throw refuse('The certificate field contains more than one');
    if (!leaf.checkPrivateKey(createPrivateKey(privateKey)))
      throw refuse('The private key does not match the certificate.');
    const now = this.now();
    if (!(leaf.validFromDate.getTime() <= now && now < leaf.validToDate.getTime()))
      throw refuse('The certificate field contains certificate that is not valid.');
    let last = leaf;
    for (const pem of chain.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []) {
      const issuer = new X509Certificate(pem);
      if (!last.verify(issuer.publicKey))
        throw refuse('Could not validate the certificate with the certificate chain.');
      last = issuer;
    }
    return { certificate, privateKey, chain };
  }
}
