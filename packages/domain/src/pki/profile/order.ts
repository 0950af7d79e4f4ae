import { z } from 'zod';
import { organizationOf, unlessHidden } from '../../access/index.ts';
import {
  badRequest,
  duration,
  Id,
  Metadata,
  newId,
  notFound,
  parseDuration,
  statement,
  text,
  Uuid,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { moment, signerOf, type Signer } from '../authority/index.ts';
import {
  authorizeIssue,
  issueCertificate,
  readRequest,
  requireAnyIssuingRight,
  requireOrders,
  SignedCertificate,
  USUAL_RENEW_BEFORE,
  withoutRoots,
  type CertificateFacts,
  type Issued,
  type IssuingRight,
  type Order,
  type Requested,
} from '../certificate/index.ts';
import { placeOrder, withNamedHost } from '../certificate-order/index.ts';
import { reading, refused } from '../constraint/index.ts';
import { externalAuthorityById } from '../external-authority/index.ts';
import {
  altNameTypeNamed,
  compilePolicy,
  extendedKeyUsageNamed,
  keyAlgorithmNamed,
  keyUsageNamed,
  named,
  signatureAlgorithmNamed,
} from '../policy/index.ts';
import { readAltName, signatureAlgorithmOf, type AltName, type KeyAlgorithm, type Subject } from '../x509.ts';
import { findCertificateProfile, PROFILE, type ProfileRow } from './find.ts';
import { Attributes, certificateProfilePermissions, type ProfileDefaults } from './profile.ts';
import { usualExtendedKeyUsages, usualKeyUsages, usualSubject, usualValidity } from './usual.ts';

const altNames = z
  .array(z.object({ type: named(altNameTypeNamed, 'kind of alternative name', 'dns_name'), value: text(1024) }))
  .max(200);
const csr = z
  .string()
  .max(4096)
  .meta({ examples: ['-----BEGIN CERTIFICATE REQUEST-----\n…\n-----END CERTIFICATE REQUEST-----'] })
  .describe('PKCS #10 in PEM');
const removeRootsFromChain = z.boolean().default(false);

export const OrderAttributes = z.object({
  ...Attributes,
  domainComponents: z.array(text(63)).max(20).optional(),
  altNames: altNames.optional(),
  ttl: duration().optional().describe('Validity, for example 90d; or notBefore and notAfter'),
  notBefore: moment().optional(),
  notAfter: moment().optional(),
  customExtensions: z.array(z.unknown()).max(0, 'Custom extensions are not supported').optional(),
});
export type OrderAttributes = z.output<typeof OrderAttributes>;

export const OrderByProfile = z.object({
  profileId: Id,
  csr: csr.optional(),
  attributes: OrderAttributes.refine(
    ({ ttl, notBefore, notAfter }) => ttl === undefined || (notBefore === undefined && notAfter === undefined),
    'ttl, or notBefore and notAfter',
  ).optional(),
  removeRootsFromChain,
  metadata: Metadata.max(100).optional(),
});
export type OrderByProfile = z.output<typeof OrderByProfile>;

/** The older form of the same without a request. */
export const IssueByProfile = z.object({
  profileId: Id,
  commonName: Attributes.commonName,
  ttl: duration(),
  keyUsages: Attributes.keyUsages,
  extendedKeyUsages: Attributes.extendedKeyUsages,
  notBefore: moment().optional(),
  notAfter: moment().optional(),
  altNames: altNames.optional(),
  signatureAlgorithm: Attributes.signatureAlgorithm,
  keyAlgorithm: Attributes.keyAlgorithm,
  removeRootsFromChain,
});
/** With a CSR. */
export const SignByProfile = z.object({
  profileId: Id,
  csr,
  ttl: duration(),
  notBefore: moment().optional(),
  notAfter: moment().optional(),
  removeRootsFromChain,
});

export const OrderedCertificate = SignedCertificate.extend({
  privateKey: z.string().nullable().describe('PEM of PKCS #8'),
});
export const RequestedCertificate = OrderedCertificate.extend({
  certificateRequestId: Uuid,
  status: z.literal('issued'),
});
export type RequestedCertificate = z.output<typeof RequestedCertificate>;

/** A request that an external authority has not answered yet. */
export const PendingRequest = z.object({
  certificateRequestId: Uuid,
  status: z.literal('pending'),
  message: z.string(),
  projectId: Uuid,
  profileName: z.string(),
  commonName: z.string(),
});
export type PendingRequest = z.output<typeof PendingRequest>;

const INSERT = statement(
  'certificate_requests.insert',
  `insert into certificate_requests (id, organization_id, project_id, profile_id, certificate_id, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
);

/**
 * Issues a certificate by a profile: for the key of a CSR, or for a new one. Defaults come from the profile, and the
 * policy is checked for the complete content. From an external authority, it is ordered.
 *
 * @throws DomainError 404, 403; 400 with the violated rule.
 */
export async function orderByProfile(
  ctx: Context,
  input: Omit<OrderByProfile, 'attributes'> & { attributes?: OrderAttributes | undefined },
): Promise<RequestedCertificate | PendingRequest> {
  const profile = await findCertificateProfile(ctx, input.profileId);
  await unlessHidden(PROFILE, requireAnyIssuingRight(ctx, profile.projectId, byProfile(profile)));
  requireOrders(profile.enrollmentType);
  if (profile.externalCaId !== null) return orderElsewhere(ctx, profile, profile.externalCaId, input);
  if (profile.caId === null)
    throw badRequest('certificate_profile.authority', 'The profile has no authority: set its caId');
  const signer = await signerOf(ctx, profile.caId);
  const { order: asked, facts } = orderFor(profile, signer.issuer.algorithm, input);
  const order = endingInTime(asked, input.attributes, ctx.now());
  const allowed = await authorizeIssue(ctx, profile.projectId, byProfile(profile), facts);
  const certificateRequestId = newId();
  const allowedSubjects = [...(order.allowedSubjects ?? []), allowed];
  const also = async (tx: Transaction, { certificateId }: Issued) => {
    const of = [certificateRequestId, organizationOf(tx), profile.projectId, profile.id, certificateId, tx.now()];
    await tx.sql(INSERT, of);
  };
  const issued = await issueCertificate(ctx, signer, { ...order, allowedSubjects }, { also });
  return answer(issued, certificateRequestId, input.removeRootsFromChain);
}

/** The usual validity counts from now, as each maximum does, also where the certificate begins later. */
function endingInTime(order: Order, { ttl }: OrderAttributes = {}, now: Date): Order {
  const isDated = order.notBefore !== undefined && order.notBefore > now && order.notAfter === undefined;
  if (!isDated || ttl !== undefined) return order;
  return { ...order, ttl: undefined, notAfter: new Date(now.getTime() + order.ttl!) };
}

/** Keys that all public authorities certify. */
const USUAL_KEY = 'EC_prime256v1';

/** The authority decides by what algorithm it signs. */
async function orderElsewhere(
  ctx: Context,
  profile: ProfileRow,
  externalCaId: string,
  input: Asked,
): Promise<PendingRequest> {
  const authority = await externalAuthorityById(ctx, externalCaId);
  if (!authority) throw notFound('certificate authority');
  const { order: asked, facts: of } = orderFor(profile, undefined, input);
  const names = withNamedHost(asked);
  const facts = { ...of, names };
  const allowed = await authorizeIssue(ctx, profile.projectId, byProfile(profile), facts);
  const order = { ...asked, altNames: names, allowedSubjects: [...(asked.allowedSubjects ?? []), allowed] };
  const der = input.csr === undefined ? undefined : readRequest(input.csr).csr.der;
  const toOrder = { order, csr: der, rules: profile.rules, isRequest: true };
  const { orderId: certificateRequestId, status } = await placeOrder(ctx, authority, toOrder);
  const { projectId, slug: profileName } = profile;
  const message = 'The certificate is ordered: read the request until it is issued';
  return { certificateRequestId, status, message, projectId, profileName, commonName: facts.commonName };
}

function answer(issued: Issued, certificateRequestId: string, isCut: boolean): RequestedCertificate {
  const {
    certificate,
    issuingCaCertificate,
    certificateChain,
    serialNumber,
    certificateId,
    privateKey = null,
  } = issued;
  const chain = isCut ? withoutRoots(certificateChain) : certificateChain;
  const all = { certificate, issuingCaCertificate, certificateChain: chain, serialNumber, certificateId, privateKey };
  return { ...all, certificateRequestId, status: 'issued' };
}

/** The right to issue by a profile. */
export const byProfile = ({ slug }: { readonly slug: string }): IssuingRight => ({
  permission: certificateProfilePermissions['issue-cert'],
  fields: { slug },
});

/** The content of certificates for a CSR without requests. */
export const orderByRequest = (profile: ProfileRow, signer: Signer, request: Requested): Order =>
  orderFor(profile, signer.issuer.algorithm, { request }).order;

type Asked = Pick<OrderByProfile, 'csr' | 'metadata'> & {
  readonly attributes?: OrderAttributes | undefined;
  /** What was read of `csr` already. */
  readonly request?: Requested;
};

/** `signedBy`: of the key of an authority here. */
function orderFor(
  profile: ProfileRow,
  signedBy: KeyAlgorithm | undefined,
  { csr: pem, attributes = {}, metadata, request: read }: Asked,
): { order: Order; facts: CertificateFacts } {
  const defaults = profile.defaults ?? {};
  const policy = compilePolicy(profile.rules);
  const given = attributes.altNames?.map(({ type, value }) =>
    reading(() => readAltName(altNameTypeNamed(type)!, value)),
  );
  const request = pem === undefined ? read : requestOf(pem, attributes, given);
  const algorithm = algorithmOf(signedBy, attributes, defaults, request?.csr.keyAlgorithm);
  const subject = subjectOf(attributes, request?.subject ?? {}, defaults);
  const names = request?.altNames ?? given ?? [];
  const { notBefore, notAfter, ttl } = attributes;
  const order: Order = {
    subject,
    altNames: names,
    key: request ? { publicKey: request.csr.publicKey } : { make: algorithm },
    ...(notBefore && { notBefore }),
    ...(notAfter ? { notAfter } : { ttl: ttl === undefined ? usualValidity(defaults, policy) : parseDuration(ttl) }),
    keyUsages:
      attributes.keyUsages?.map((name) => keyUsageNamed(name)!) ??
      request?.csr.keyUsages ??
      usualKeyUsages(defaults, policy, algorithm),
    extendedKeyUsages:
      attributes.extendedKeyUsages?.map((name) => extendedKeyUsageNamed(name)!) ??
      request?.csr.extendedKeyUsages ??
      usualExtendedKeyUsages(defaults, policy),
    constraints: [policy],
    allowedSubjects: [usualSubject(defaults)],
    source: request ? 'sign' : 'issue',
    profile,
    ...(!request &&
      profile.config.autoRenew && { renewBeforeDays: profile.config.renewBeforeDays ?? USUAL_RENEW_BEFORE }),
    ...(metadata && { metadata }),
  };
  const friendlyName = subject.commonName || names[0]?.value || '';
  return { order, facts: { commonName: subject.commonName ?? '', subject, names, friendlyName, status: 'active' } };
}

const requestOf = (pem: string, { commonName }: OrderAttributes, names: readonly AltName[] | undefined) =>
  readRequest(pem, { commonName, altNames: names });

/**
 * Checks the algorithms of the key and the signature.
 *
 * @throws DomainError 400 if the key or the authority's signature has another algorithm than requested.
 */
function algorithmOf(
  signedBy: KeyAlgorithm | undefined,
  attributes: OrderAttributes,
  defaults: ProfileDefaults,
  requested: KeyAlgorithm | undefined,
): KeyAlgorithm {
  const signature = attributes.signatureAlgorithm;
  const own = signedBy && signatureAlgorithmOf(signedBy);
  if (own !== undefined && signature !== undefined && signatureAlgorithmNamed(signature) !== own)
    throw refused('certificate.signature_algorithm', `The key of the authority signs with ${own}`);
  const asked = attributes.keyAlgorithm === undefined ? undefined : keyAlgorithmNamed(attributes.keyAlgorithm);
  if (requested && asked && requested !== asked)
    throw refused('csr.key_algorithm', `The CSR has a key of type ${requested}`);
  const usual = defaults.keyAlgorithm === undefined ? undefined : keyAlgorithmNamed(defaults.keyAlgorithm);
  return requested ?? asked ?? usual ?? signedBy ?? USUAL_KEY;
}

/** The caller's values override those of the CSR, and these override those of the profile. */
function subjectOf(attributes: OrderAttributes, requested: Subject, defaults: ProfileDefaults): Subject {
  const { domainComponents = requested.domainComponents } = attributes;
  const usual = usualSubject(defaults);
  const subject = {
    commonName: attributes.commonName?.trim() || requested.commonName || usual.commonName,
    organization: attributes.organization || requested.organization || usual.organization,
    organizationalUnit: attributes.organizationalUnit || requested.organizationalUnit || usual.organizationalUnit,
    country: attributes.country || requested.country || usual.country,
    province: attributes.state || requested.province || usual.province,
    locality: attributes.locality || requested.locality || usual.locality,
    domainComponents: domainComponents?.length ? domainComponents : undefined,
  };
  return Object.fromEntries(Object.entries(subject).filter(([, value]) => value)) as Subject;
}
