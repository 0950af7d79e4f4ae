import { randomUUID } from 'node:crypto';
import type { Certified, CertifyingAuthority } from '../../testing/certifying-authority.ts';
import { AwsRefusal } from './answer.ts';

type Input = Record<string, unknown>;

/** Milliseconds in which a token is known: https://docs.aws.amazon.com/privateca/latest/APIReference/API_IssueCertificate.html */
const TOKEN_LIFETIME = 60_000;

/** AWS Private CA with one authority, as far as Coffer uses it. */
export class PrivateCa {
  readonly arn = `arn:aws:acm-pca:us-east-1:123456789012:certificate-authority/${randomUUID()}`;
  status = 'ACTIVE';
  /** The signer; without it there is no authority. */
  authority: CertifyingAuthority | undefined;
  /** Reasons, by serial number. */
  readonly revoked = new Map<string, unknown>();
  readonly issued = new Map<string, Certified | undefined>();
  now: () => number = Date.now;
  readonly #byToken = new Map<unknown, { arn: string; until: number }>();

  readonly actions: Record<string, (input: Input) => object> = {
    DescribeCertificateAuthority: (input) => {
      this.#find(input);
      const configuration = { KeyAlgorithm: 'EC_prime256v1', SigningAlgorithm: 'SHA256WITHECDSA' };
      const described = { Arn: this.arn, Status: this.status, CertificateAuthorityConfiguration: configuration };
      return { CertificateAuthority: described };
    },
    IssueCertificate: (input) => {
      const authority = this.#find(input);
      const { Csr, SigningAlgorithm, Validity, IdempotencyToken } = input;
      const { Type, Value } = (Validity ?? {}) as { Type?: unknown; Value?: unknown };
      if (SigningAlgorithm !== 'SHA256WITHECDSA') throw new AwsRefusal(400, 'InvalidArgsException', 'SigningAlgorithm');
      if (Type !== 'DAYS' || !Number.isInteger(Value) || !/^[\w-]{1,36}$/.test(String(IdempotencyToken)))
        throw new AwsRefusal(400, 'ValidationException', 'Not like this');
      const known = this.#byToken.get(IdempotencyToken);
      if (known !== undefined && this.now() < known.until) return { CertificateArn: known.arn };
      const arn = `${this.arn}/certificate/${randomUUID().replaceAll('-', '')}`;
      this.#byToken.set(IdempotencyToken, { arn, until: this.now() + TOKEN_LIFETIME });
      this.issued.set(arn, undefined);
      const csr = Buffer.from(String(Csr), 'base64').toString();
      authority.certify(csr, Number(Value)).then(
        (certified) => this.issued.set(arn, certified),
        () => this.issued.delete(arn),
      );
      return { CertificateArn: arn };
    },
    GetCertificate: (input) => {
      const { root } = this.#find(input);
      const arn = String(input['CertificateArn']);
      if (!this.issued.has(arn)) throw new AwsRefusal(400, 'ResourceNotFoundException', 'There is no such certificate');
      const certified = this.issued.get(arn);
      if (!certified) throw new AwsRefusal(400, 'RequestInProgressException', 'Your request is already in progress');
      return { Certificate: certified.certificate.trim(), CertificateChain: root.trim() };
    },
    RevokeCertificate: (input) => {
      this.#find(input);
      const serial = String(input['CertificateSerial']);
      if (this.revoked.has(serial))
        throw new AwsRefusal(400, 'RequestAlreadyProcessedException', 'It was revoked before');
      this.revoked.set(serial, input['RevocationReason']);
      return {};
    },
  };

  #find({ CertificateAuthorityArn: arn }: Input): CertifyingAuthority {
    if (arn === this.arn && this.authority) return this.authority;
    throw new AwsRefusal(400, 'ResourceNotFoundException', `Could not find certificate authority ${String(arn)}`);
  }
}
