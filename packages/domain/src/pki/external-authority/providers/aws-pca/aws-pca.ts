import { z } from 'zod';
import { orReject, recoverFrom, serviceIn, urlOf, type AwsJson } from '../../../../apps/aws/index.ts';
import { aws, Region, type AwsClient } from '../../../../connections/apps/aws/index.ts';
import { isRemote, malformed, rejectedBy, remoteError } from '../../../../family/index.ts';
import { DAY, Id } from '../../../../kernel/index.ts';
import { refused } from '../../../constraint/index.ts';
import { readChain, toPem } from '../../../x509.ts';
import { defineIssuer, NOT_WANTED, type Attempt, type OpenAuthority, type Step, type ToRevoke } from '../../issuer.ts';

const ARN = /^arn:aws[a-z-]*:acm-pca:[a-z0-9-]+:\d{12}:certificate-authority\/[0-9a-f-]{36}$/;
const EXAMPLE = 'arn:aws:acm-pca:eu-central-1:123456789012:certificate-authority/11112222-bbbb-3333-cccc-4444dddd5555';
/** Milliseconds between questions. */
const PAUSE = 2_000;
const USUAL_DAYS = 90;
const BUSY = 'The authority issues the certificate';

const Described = z.object({
  CertificateAuthority: z.object({
    Status: z.string(),
    CertificateAuthorityConfiguration: z.object({ SigningAlgorithm: z.string() }),
  }),
});
const Begun = z.object({ certificateArn: z.string().optional() });
const Issued = z.object({ Certificate: z.string(), CertificateChain: z.string().default('') });

/** What the authority signs with. */
interface Keys {
  readonly signingAlgorithm: string;
}

/** RFC 5280, section 5.3.1, in the words of AWS. */
const REASONS: Readonly<Record<number, string>> = {
  0: 'UNSPECIFIED',
  1: 'KEY_COMPROMISE',
  2: 'CERTIFICATE_AUTHORITY_COMPROMISE',
  3: 'AFFILIATION_CHANGED',
  4: 'SUPERSEDED',
  5: 'CESSATION_OF_OPERATION',
  9: 'PRIVILEGE_WITHDRAWN',
  10: 'A_A_COMPROMISE',
};

/** https://docs.aws.amazon.com/privateca/latest/APIReference/API_IssueCertificate.html */
class PrivateCa implements OpenAuthority {
  readonly #aws: AwsJson;
  readonly #arn: string;
  readonly #signingAlgorithm: string;
  readonly #host: string;

  constructor(client: AwsJson, region: string, arn: string, signingAlgorithm: string) {
    this.#aws = client;
    this.#arn = arn;
    this.#signingAlgorithm = signingAlgorithm;
    this.#host = urlOf(serviceIn('acm-pca', region));
  }

  async advance(attempt: Attempt): Promise<Step> {
    const { certificateArn } = Begun.parse(attempt.progress);
    if (certificateArn === undefined) return this.#order(attempt);
    const data = await this.#issued(certificateArn);
    if (data === undefined) return { is: 'waiting', forMs: PAUSE, message: BUSY };
    return {
      is: 'issued',
      chain: `${data.Certificate.trim()}\n${data.CertificateChain.trim()}\n`,
      reference: certificateArn,
    };
  }

  /** `undefined` while the authority works. */
  async #issued(certificateArn: string): Promise<z.output<typeof Issued> | undefined> {
    const asked = this.#aws('GetCertificate', { CertificateAuthorityArn: this.#arn, CertificateArn: certificateArn });
    const answer = await recoverFrom<Record<string, unknown> | undefined>(
      asked,
      ['RequestInProgressException'],
      () => undefined,
    );
    if (answer === undefined) return undefined;
    const { success, data } = Issued.safeParse(answer);
    if (!success) throw malformed(this.#host, 'no certificate');
    return data;
  }

  /** The authority issues what was once ordered: that is revoked. Where AWS refuses, nothing more can be done. */
  async clean({ progress }: Attempt): Promise<void> {
    const { certificateArn } = Begun.parse(progress);
    if (certificateArn === undefined) return;
    try {
      await this.#revokeIssued(certificateArn);
    } catch (error) {
      if (!isRemote(error, 'rejected')) throw error;
    }
  }

  async #revokeIssued(certificateArn: string): Promise<void> {
    const data = await this.#issued(certificateArn);
    if (data === undefined) throw remoteError('unavailable', BUSY);
    const [certificate] = readChain(data.Certificate);
    if (certificate) await this.revoke({ serialNumber: certificate.serialNumber, reason: NOT_WANTED });
  }

  /** The same token in each try makes one certificate. */
  async #order({ order, keep }: Attempt): Promise<Step> {
    const days = Math.max(1, Math.floor((order.ttl ?? USUAL_DAYS * DAY) / DAY));
    const answer = await orReject(
      this.#aws('IssueCertificate', {
        CertificateAuthorityArn: this.#arn,
        Csr: Buffer.from(toPem('CERTIFICATE REQUEST', order.csr)).toString('base64'),
        SigningAlgorithm: this.#signingAlgorithm,
        Validity: { Type: 'DAYS', Value: days },
        IdempotencyToken: order.id,
      }),
    );
    const certificateArn = answer['CertificateArn'];
    if (typeof certificateArn !== 'string') throw malformed(this.#host, 'no ARN');
    await keep({ certificateArn });
    return { is: 'waiting', forMs: 0, message: BUSY };
  }

  async revoke({ serialNumber, reason }: Pick<ToRevoke, 'serialNumber' | 'reason'>): Promise<void> {
    const RevocationReason = REASONS[reason];
    if (RevocationReason === undefined) throw refused('aws_pca.reason', 'AWS Private CA has no such reason');
    const input = { CertificateAuthorityArn: this.#arn, CertificateSerial: serialNumber, RevocationReason };
    await recoverFrom(this.#aws('RevokeCertificate', input), ['RequestAlreadyProcessedException'], () => ({}));
  }
}

export const awsPca = defineIssuer({
  type: 'aws-pca',
  title: 'AWS Private CA',
  config: z.object({
    appConnectionId: Id.describe('The app connection to AWS'),
    certificateAuthorityArn: z
      .string()
      .trim()
      .regex(ARN, `Expected the ARN of a certificate authority, such as ${EXAMPLE}`)
      .meta({ examples: [EXAMPLE] }),
    region: Region.meta({ examples: ['eu-central-1'] }),
  }),
  identity: ['certificateAuthorityArn', 'region'],
  connectionOf: ({ appConnectionId: id }) => ({ connector: aws, id }),
  async prepare({ region, certificateAuthorityArn }, { client }): Promise<Keys> {
    const pca = await (client as AwsClient).json('acm-pca', region);
    const answer = await orReject(
      pca('DescribeCertificateAuthority', { CertificateAuthorityArn: certificateAuthorityArn }),
    );
    const { success, data } = Described.safeParse(answer);
    const url = urlOf(serviceIn('acm-pca', region));
    if (!success) throw malformed(url, 'no certificate authority');
    const { Status: status, CertificateAuthorityConfiguration: configuration } = data.CertificateAuthority;
    if (status !== 'ACTIVE')
      throw rejectedBy(new URL(url).hostname, `the status of the certificate authority is ${status}`);
    return { signingAlgorithm: configuration.SigningAlgorithm };
  },
  requireIssuable({ keyAlgorithm }) {
    if (keyAlgorithm === 'ED25519') throw refused('aws_pca.key', 'AWS Private CA certifies no Ed25519 keys');
  },
  async open({ region, certificateAuthorityArn }, { signingAlgorithm }: Keys, { client }) {
    const pca = await (client as AwsClient).json('acm-pca', region);
    return new PrivateCa(pca, region, certificateAuthorityArn, signingAlgorithm);
  },
});
