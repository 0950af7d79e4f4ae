import { z } from 'zod';
import { orReject, recoverFrom, serviceIn, urlOf, type AwsJson } from '../../../../apps/aws/index.ts';
import { aws, Region, type AwsClient } from '../../../../connections/apps/aws/index.ts';
import { malformed, rejectedBy, remoteError } from '../../../../family/index.ts';
import { DAY, Id } from '../../../../kernel/index.ts';
import { refused } from '../../../constraint/index.ts';
import { toPem } from '../../../x509.ts';
import {
  defineIssuer,
  unlessRejected,
  type Attempt,
  type IssuedElsewhere,
  type OpenAuthority,
  type Step,
  type ToRevoke,
} from '../../issuer.ts';

const ARN = /^arn:aws[a-z-]*:acm-pca:[a-z0-9-]+:\d{12}:certificate-authority\/[0-9a-f-]{36}$/;
const EXAMPLE = 'arn:aws:acm-pca:eu-central-1:123456789012:certificate-authority/11112222-bbbb-3333-cccc-4444dddd5555';
/** Milliseconds between questions. */
const PAUSE = 2_000;
/** Milliseconds in which a second order with one token makes no second certificate. */
const TOKEN_LIFETIME = 60_000;
const USUAL_DAYS = 90;
const BUSY = 'The authority issues the certificate';

const Described = z.object({
  CertificateAuthority: z.object({
    Status: z.string(),
    CertificateAuthorityConfiguration: z.object({ SigningAlgorithm: z.string() }),
  }),
});
const Begun = z.object({
  certificateArn: z.string().optional(),
  /** When the token was first used: milliseconds. */
  orderedAt: z.number().optional(),
});
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

interface Place extends Keys {
  readonly region: string;
  readonly arn: string;
  readonly now: Date;
}

/** https://docs.aws.amazon.com/privateca/latest/APIReference/API_IssueCertificate.html */
class PrivateCa implements OpenAuthority {
  readonly #aws: AwsJson;
  readonly #arn: string;
  readonly #signingAlgorithm: string;
  readonly #host: string;
  readonly #now: number;

  constructor(client: AwsJson, { region, arn, signingAlgorithm, now }: Place) {
    this.#aws = client;
    this.#arn = arn;
    this.#signingAlgorithm = signingAlgorithm;
    this.#host = urlOf(serviceIn('acm-pca', region));
    this.#now = now.getTime();
  }

  async advance(attempt: Attempt): Promise<Step> {
    const { certificateArn } = Begun.parse(attempt.progress);
    if (certificateArn === undefined) {
      await this.#order(attempt);
      return { is: 'waiting', forMs: 0, message: BUSY };
    }
    const issued = await this.#issued(certificateArn);
    return issued ? { is: 'issued', ...issued } : { is: 'waiting', forMs: PAUSE, message: BUSY };
  }

  /** `undefined` while the authority works. */
  async #issued(certificateArn: string): Promise<IssuedElsewhere | undefined> {
    const asked = this.#aws('GetCertificate', { CertificateAuthorityArn: this.#arn, CertificateArn: certificateArn });
    const answer = await recoverFrom<Record<string, unknown> | undefined>(
      asked,
      ['RequestInProgressException'],
      () => undefined,
    );
    if (answer === undefined) return undefined;
    const { success, data } = Issued.safeParse(answer);
    if (!success) throw malformed(this.#host, 'no certificate');
    return { chain: `${data.Certificate.trim()}\n${data.CertificateChain.trim()}\n`, reference: certificateArn };
  }

  /** The authority issues what was once ordered. Where an answer was lost, nothing is known once its token does not count any more. */
  async withdraw(attempt: Attempt): Promise<IssuedElsewhere | 'unknown' | undefined> {
    const { certificateArn, orderedAt } = Begun.parse(attempt.progress);
    if (certificateArn === undefined && !this.#countsSince(orderedAt))
      return orderedAt === undefined ? undefined : 'unknown';
    const issued = await this.#issued(certificateArn ?? (await this.#order(attempt)));
    if (!issued) throw remoteError('unavailable', BUSY);
    return issued;
  }

  #countsSince(orderedAt: number | undefined): boolean {
    return orderedAt !== undefined && Math.abs(this.#now - orderedAt) < TOKEN_LIFETIME;
  }

  /** The ARN of the certificate. The same token makes one certificate, for as long as it counts. */
  async #order(attempt: Attempt): Promise<string> {
    const { order, progress, keep } = attempt;
    const before = Begun.parse(progress).orderedAt;
    const orderedAt = this.#countsSince(before) ? before : this.#now;
    await keep({ orderedAt });
    const days = Math.max(1, Math.floor((order.ttl ?? USUAL_DAYS * DAY) / DAY));
    const asked = this.#aws('IssueCertificate', {
      CertificateAuthorityArn: this.#arn,
      Csr: Buffer.from(toPem('CERTIFICATE REQUEST', order.csr)).toString('base64'),
      SigningAlgorithm: this.#signingAlgorithm,
      Validity: { Type: 'DAYS', Value: days },
      IdempotencyToken: order.id,
    });
    const answer = await orReject(asked).catch(unlessRejected(attempt));
    const certificateArn = answer['CertificateArn'];
    if (typeof certificateArn !== 'string') throw malformed(this.#host, 'no ARN');
    await keep({ certificateArn, orderedAt });
    return certificateArn;
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
  async open({ region, certificateAuthorityArn: arn }, { signingAlgorithm }: Keys, { client, io }) {
    const pca = await (client as AwsClient).json('acm-pca', region);
    return new PrivateCa(pca, { region, arn, signingAlgorithm, now: io.now });
  },
});
