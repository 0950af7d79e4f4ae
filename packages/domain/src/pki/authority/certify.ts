import type { KeyObject } from 'node:crypto';
import { badRequest, type Context } from '../../kernel/index.ts';
import { BACKDATED, refuseErrors } from '../constraint/index.ts';
import {
  encodeName,
  lint,
  newSerialNumber,
  readCertificate,
  readChain,
  readConstraint,
  sameKey,
  signTbs,
  tbsOf,
  throwAwayKey,
  toPem,
  verifyChain,
  type CertificateContent,
  type Constraint,
  type Finding,
  type Issuer,
  type KeyAlgorithm,
  type KeyPair,
  type NameConstraints,
  type ReadCertificate,
  type SigningKey,
  type Subject,
  wholeSeconds,
} from '../x509.ts';
import type { Signer } from './signer.ts';

/** The content of an authority's certificate. */
export interface Wanted {
  readonly subject: Subject;
  /** Absent: a minute ago, or when the issuer begins. */
  readonly notBefore?: Date | undefined;
  readonly notAfter: Date;
  /** `null` for any number. */
  readonly maxPathLength: number | null;
  readonly nameConstraints?: NameConstraints | null | undefined;
}

/** A signed certificate that is not stored yet. */
export interface Certified {
  readonly certificate: ReadCertificate;
  /** PEM of its chain. */
  readonly chain: string;
  /** The findings of the linter. */
  readonly findings: readonly Finding[];
}

/** Ten years, in milliseconds. */
export const USUAL_LIFE = 3_652 * 86_400_000;

/**
 * Signs a certificate without errors: all of it is linted first, signed by a temporary key.
 *
 * @throws DomainError 400 with the first violated rule, and all of them as details.
 */
async function signLinted(
  content: CertificateContent,
  issuer: Issuer | 'self',
  key: SigningKey,
): Promise<{ der: Buffer; findings: Finding[] }> {
  const tbs = tbsOf(content, issuer);
  const trial = await signTbs(tbs, await throwAwayKey(key.algorithm));
  const findings = lint(trial, issuer === 'self' ? {} : { issuer });
  refuseErrors(findings);
  return { der: await signTbs(tbs, key), findings };
}

/** The certificate of a root, signed by its own key. */
export async function certifyRoot(
  ctx: Context,
  { publicKey, privateKey }: KeyPair,
  algorithm: KeyAlgorithm,
  wanted: Wanted,
): Promise<Certified> {
  const content = contentOf(ctx, publicKey, wanted);
  const { der, findings } = await signLinted(content, 'self', { privateKey, algorithm });
  return { certificate: readCertificate(der), chain: '', findings };
}

/**
 * Certifies an authority below another one.
 *
 * @throws DomainError 400 `certificate_authority.path_length`, `.validity`, `.own_name`, `.own_key`, or a rule of RFC
 * 5280.
 */
export async function certifyBelow(
  ctx: Context,
  signer: Signer,
  publicKey: KeyObject,
  wanted: Wanted,
): Promise<Certified> {
  const { issuer } = signer;
  const maxPathLength = pathLengthBelow(signer, wanted.maxPathLength);
  const name = encodeName(wanted.subject);
  // Self-issued certificates do not count for path lengths (RFC 5280, section 6.1).
  if (signer.chain.some((one) => one.subjectName.equals(name)))
    throw badRequest('certificate_authority.own_name', 'A parent authority has the same name: use another one');
  if (signer.chain.some((one) => sameKey(one.publicKey, publicKey)))
    throw badRequest('certificate_authority.own_key', 'A parent authority has the same key: generate another one');
  const content = contentOf(ctx, publicKey, { ...wanted, maxPathLength }, signer);
  if (content.notAfter > issuer.notAfter || content.notBefore < issuer.notBefore)
    throw badRequest('certificate_authority.validity', 'The validity must lie within that of the signing authority', {
      notBefore: issuer.notBefore.toISOString(),
      notAfter: issuer.notAfter.toISOString(),
    });
  const { der, findings } = await signLinted(content, issuer, issuer);
  const certificate = readCertificate(der);
  const { notBefore } = certificate;
  const now = ctx.now();
  const problem = verifyChain(certificate, signer.chain, notBefore > now ? notBefore : now);
  if (problem) throw badRequest(`certificate_authority.${problem.rule}`, problem.message);
  return { certificate, chain: signer.certificateChain, findings };
}

/**
 * The same for an authority that is no renewal: its certificate can be given with its chain, as others read them. What has a
 * certificate is renewed, whatever has become of its chain.
 *
 * @throws DomainError also 400 `certificate.too_many`, `.too_large`, and `.malformed` with too many elements.
 */
export async function certifyFirst(...order: Parameters<typeof certifyBelow>): Promise<Certified> {
  const certified = await certifyBelow(...order);
  readChain(`${toPem('CERTIFICATE', certified.certificate.der)}${certified.chain}`);
  return certified;
}

function pathLengthBelow({ maxPathLength: above }: Signer, wanted: number | null): number | null {
  if (above === null) return wanted;
  if (above === 0)
    throw badRequest(
      'certificate_authority.path_length',
      'The path length of this authority is 0: no authority can be below it',
    );
  if (wanted !== null && wanted > above - 1)
    throw badRequest(
      'certificate_authority.path_length',
      `The maximum path length below this authority is ${above - 1}`,
    );
  return wanted ?? above - 1;
}

function contentOf(ctx: Context, publicKey: KeyObject, wanted: Wanted, signer?: Signer): CertificateContent {
  const { notBefore, notAfter } = validityOf(ctx, wanted, signer);
  const { maxPathLength } = wanted;
  const nameConstraints = nameConstraintsOf(wanted.nameConstraints);
  return {
    serialNumber: newSerialNumber(),
    subject: wanted.subject,
    altNames: [],
    publicKey,
    notBefore,
    notAfter,
    // It also signs OCSP responses (RFC 6960).
    keyUsages: ['digitalSignature', 'keyCertSign', 'cRLSign'],
    extendedKeyUsages: [],
    ca: maxPathLength === null ? {} : { pathLength: maxPathLength },
    ...(nameConstraints && { nameConstraints }),
    crlUrls: signer?.crlUrls ?? [],
    ocspUrls: signer?.ocspUrls ?? [],
    issuerUrls: signer?.issuerUrls ?? [],
  };
}

/**
 * The encoded form; none if nothing is named.
 *
 * @throws DomainError 400 `name_constraint.<kind>`.
 */
export function nameConstraintsOf(given: NameConstraints | null | undefined): NameConstraints | null {
  const read = (some: readonly Constraint[] = []) => some.map(({ type, value }) => readConstraint(type, value));
  const [permitted, excluded] = [read(given?.permitted), read(given?.excluded)];
  if (permitted.length + excluded.length === 0) return null;
  return { ...(permitted.length > 0 && { permitted }), ...(excluded.length > 0 && { excluded }) };
}

function validityOf(
  ctx: Context,
  { notBefore, notAfter }: Wanted,
  signer?: Signer,
): { notBefore: Date; notAfter: Date } {
  const now = ctx.now().getTime();
  const earliest = signer?.issuer.notBefore.getTime() ?? -Infinity;
  const begin = wholeSeconds(notBefore?.getTime() ?? Math.max(now - BACKDATED, Math.min(earliest, now)));
  const end = wholeSeconds(notAfter);
  if (end <= begin || end.getTime() <= now)
    throw badRequest('certificate_authority.validity', 'notAfter must be after notBefore and after now');
  return { notBefore: begin, notAfter: end };
}
