import { z } from 'zod';
import { orReject, recoverFrom, serviceIn, urlOf, type AwsJson } from '../../../../apps/aws/index.ts';
import { OF_PKI_SYNC } from '../../../../connections/pki-sync/index.ts';
import { allPages, malformed } from '../../../../family/index.ts';
import { readCertificate, type KeyAlgorithm } from '../../../x509.ts';
import type { Bundle, CertificateStore, Found, Slot, Sought } from '../../destination.ts';

/** Of the keys that are issued here. https://docs.aws.amazon.com/acm/latest/userguide/import-certificate-prerequisites.html */
export const ACM_KEYS: readonly KeyAlgorithm[] = [
  ...(['RSA_2048', 'RSA_3072', 'RSA_4096'] as const),
  ...(['EC_prime256v1', 'EC_secp384r1'] as const),
];

const Summaries = z.object({
  CertificateSummaryList: z.array(z.object({ CertificateArn: z.string(), NotAfter: z.number().optional() })),
  NextToken: z.string().nullish(),
});
const TagList = z.object({ Tags: z.array(z.object({ Key: z.string(), Value: z.string().optional() })).default([]) });
const Imported = z.object({ CertificateArn: z.string() });
const Body = z.object({ Certificate: z.string() });
const Mark = z.object({ notAfter: z.number() });

const NONE = ['ResourceNotFoundException'];
const base64 = (pem: string) => Buffer.from(pem).toString('base64');

/**
 * The imported certificates of one region. ACM names each by an ARN of its own: what was imported without its answer being
 * known is found by the tags. https://docs.aws.amazon.com/acm/latest/APIReference/API_ImportCertificate.html
 */
export class CertificateManager implements CertificateStore {
  readonly #acm: AwsJson;
  readonly #url: string;
  readonly #syncId: string;

  constructor(acm: AwsJson, region: string, syncId: string) {
    this.#acm = acm;
    this.#url = urlOf(serviceIn('acm', region));
    this.#syncId = syncId;
  }

  async find(slots: readonly Sought[]): Promise<Map<string, Found>> {
    const found = new Map<string, Found>();
    for (const slot of slots) {
      const arn = slot.reference ?? (slot.isPending ? await this.#lost(slot) : undefined);
      const body =
        arn && (await recoverFrom(this.#acm('GetCertificate', { CertificateArn: arn }), NONE, () => undefined));
      if (!body) continue;
      const { Certificate } = this.#read(Body, body);
      found.set(slot.name, { reference: arn, fingerprint: readCertificate(Certificate).fingerprintSha256 });
    }
    return found;
  }

  /** The ARN of a certificate that was imported, but whose ARN was lost: one with its end and its tags. */
  async #lost({ name, mark }: Sought): Promise<string | undefined> {
    const { notAfter } = Mark.parse(mark);
    const all = await allPages(async (NextToken: string | undefined) => {
      // Without key types, only some are listed.
      const input = { Includes: { keyTypes: ACM_KEYS }, MaxItems: 1000, NextToken };
      const page = this.#read(Summaries, await orReject(this.#acm('ListCertificates', input)));
      return { items: page.CertificateSummaryList, next: page.NextToken };
    });
    for (const { CertificateArn, NotAfter } of all) {
      if (NotAfter !== undefined && NotAfter !== notAfter) continue;
      const { Tags: tags } = this.#read(
        TagList,
        await orReject(this.#acm('ListTagsForCertificate', { CertificateArn })),
      );
      const valueOf = (key: string) => tags.find(({ Key }) => Key === key)?.Value;
      if (valueOf(OF_PKI_SYNC) === this.#syncId && valueOf('Name') === name) return CertificateArn;
    }
    return undefined;
  }

  mark = async (_: Slot, { notAfter }: Bundle): Promise<object> => ({ notAfter: notAfter.getTime() / 1000 });

  async put({ name, reference }: Slot, { certificate, chain, privateKey }: Bundle): Promise<string> {
    const Tags = [
      { Key: 'Name', Value: name },
      { Key: OF_PKI_SYNC, Value: this.#syncId },
    ];
    const input = {
      Certificate: base64(certificate),
      PrivateKey: base64(privateKey),
      ...(chain && { CertificateChain: base64(chain) }),
      // Tags cannot be given again.
      ...(reference === null ? { Tags } : { CertificateArn: reference }),
    };
    return this.#read(Imported, await orReject(this.#acm('ImportCertificate', input))).CertificateArn;
  }

  async remove({ reference: CertificateArn }: { readonly reference: string }): Promise<void> {
    await recoverFrom(this.#acm('DeleteCertificate', { CertificateArn }), NONE, () => ({}));
  }

  #read<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
    const { success, data } = schema.safeParse(answer);
    if (!success) throw malformed(this.#url, 'something other than documented');
    return data;
  }
}
