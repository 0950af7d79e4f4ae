import type { KeyObject } from 'node:crypto';

// The content of certificates in Coffer's own types. Everything else in this folder converts it to DER and back.

/** Keys that are made and signed for here, by their published names. */
export const KEY_ALGORITHMS = ['RSA_2048', 'RSA_3072', 'RSA_4096', 'EC_prime256v1', 'EC_secp384r1', 'ED25519'] as const;
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

/** How our keys sign, by the published names. */
export const SIGNATURE_ALGORITHMS = ['RSA-SHA256', 'ECDSA-SHA256', 'ECDSA-SHA384', 'Ed25519'] as const;
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

/** RFC 5280, section 4.2.1.3, in the order of its bits. */
export const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const;
export type KeyUsage = (typeof KEY_USAGES)[number];

/** RFC 5280, section 4.2.1.12. */
export const EXTENDED_KEY_USAGES = {
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  codeSigning: '1.3.6.1.5.5.7.3.3',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
} as const;
export type ExtendedKeyUsage = keyof typeof EXTENDED_KEY_USAGES;

/** RFC 5280, section 5.3.1: the published names, and the numbers that a revocation list has for them. */
export const REVOCATION_REASONS = {
  UNSPECIFIED: 0,
  KEY_COMPROMISE: 1,
  CA_COMPROMISE: 2,
  AFFILIATION_CHANGED: 3,
  SUPERSEDED: 4,
  CESSATION_OF_OPERATION: 5,
  CERTIFICATE_HOLD: 6,
  PRIVILEGE_WITHDRAWN: 9,
  A_A_COMPROMISE: 10,
} as const;
export type RevocationReason = keyof typeof REVOCATION_REASONS;

/** A distinguished name with the attributes that Coffer's certificates have. Absent and empty are equal. */
export interface Subject {
  readonly commonName?: string | undefined;
  readonly organization?: string | undefined;
  readonly organizationalUnit?: string | undefined;
  /** Two letters. */
  readonly country?: string | undefined;
  readonly province?: string | undefined;
  readonly locality?: string | undefined;
  readonly domainComponents?: readonly string[] | undefined;
}

export interface AltName {
  /** `dns` without a trailing dot, in A-labels; `ip` as RFC 5952 writes it; `uri` absolute. */
  readonly type: 'dns' | 'ip' | 'email' | 'uri';
  readonly value: string;
}

/** RFC 5280, section 4.2.1.10: names below which a CA's certificates have to be, or must not be. */
export interface NameConstraints {
  readonly permitted?: readonly Constraint[] | undefined;
  readonly excluded?: readonly Constraint[] | undefined;
}
export interface Constraint {
  readonly type: 'dns' | 'ip' | 'email' | 'uri';
  /** `example.com`, `10.0.0.0/8`. */
  readonly value: string;
}

/** An encoded public key (SubjectPublicKeyInfo), in the canonical form of its type. */
export interface WrittenKey {
  readonly spki: Buffer;
  readonly algorithm: KeyAlgorithm;
}
export type PublicKey = KeyObject | WrittenKey;

/** The complete content of a certificate. */
export interface CertificateContent {
  /** Lower-case hexadecimal, 1 to 20 octets, positive. */
  readonly serialNumber: string;
  readonly subject: Subject;
  readonly altNames: readonly AltName[];
  readonly publicKey: PublicKey;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  /** For a CA: the maximum path length, absent for no limit. Absent for end-entity certificates. */
  readonly ca?: { readonly pathLength?: number | undefined } | undefined;
  readonly nameConstraints?: NameConstraints | undefined;
  /** For OCSP responders: revocation is not checked (RFC 6960, section 4.2.2.2.1). */
  readonly ocspNoCheck?: boolean | undefined;
  readonly crlUrls: readonly string[];
  readonly ocspUrls: readonly string[];
  /** Where the issuer's own certificate is. */
  readonly issuerUrls: readonly string[];
}

/** The signer: the subject of its own certificate, byte for byte, and the key. */
export interface Issuer {
  /** DER of the issuer's subject. */
  readonly name: Uint8Array;
  /** The issuer's subject key identifier. */
  readonly keyId: Uint8Array;
  readonly privateKey: KeyObject;
  readonly algorithm: KeyAlgorithm;
  /** The validity of the issuer's own certificate, which limits that of its certificates. */
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** One finding of the linter about a certificate. */
export interface Finding {
  /** Stable: `rfc5280.serial_number`, `template.common_name`. */
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}
