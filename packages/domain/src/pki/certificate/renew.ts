import { createPublicKey } from 'node:crypto';
import { projectPermissions } from '../../access/index.ts';
import {
  at,
  badRequest,
  eventOf,
  isForbiddenError,
  isPermitted,
  notFound,
  parseDuration,
  record,
  statement,
  type Context,
} from '../../kernel/index.ts';
import { signerOf, type Signer } from '../authority/index.ts';
import { refused, type Constraints } from '../constraint/index.ts';
import { compilePolicy, type PolicyRules } from '../policy/index.ts';
import { constraintsOf, findCertificateTemplate, type FoundTemplate } from '../template/index.ts';
import {
  chainPem,
  readCertificate,
  readStoredChain,
  subjectNamed,
  type ExtendedKeyUsage,
  type KeyAlgorithm,
  type KeyUsage,
  type NamedSubject,
  type ReadCertificate,
  type Subject,
} from '../x509.ts';
import {
  certificateKeyRead,
  certificatePermissions,
  certificateRenewed,
  type RenewCertificate,
} from './certificate.ts';
import { readRequest, sameNames } from './csr.ts';
import { requireMayKeepIssuing } from './enrolment-right.ts';
import { issueCertificate, type Issued, type Order, type OrderedKey, type ProfileState } from './issue.ts';
import { byTemplate } from './order.ts';
import { authorizeCertificate, authorizeIssue, type IssuingRight } from './right.ts';
import { openPrivateKey } from './sealed.ts';
import {
  certificateFor,
  factsOf,
  findCertificate,
  lockRenewedCertificate,
  namedOf,
  type StoredCertificate,
} from './stored.ts';

/**
 * Issues a certificate with the content and validity of another one, by the current rules. Its key is a new one, that
 * of a CSR, or the same. Needs the permissions for issuing it. It takes the place of the other one, in PKI syncs, for
 * auto-renewal and for alerts, if the caller may edit that; otherwise it stands on its own.
 *
 * @throws DomainError 404, 403; 400 `certificate_profile.enrollment_type`, `certificate.other_authority`,
 * `certificate.revoked`, `certificate.imported`, `certificate.subscriber`, `certificates_renewed_from_unique`, or the
 * violated rule.
 */
export async function renewCertificate(ctx: Context, input: RenewCertificate): Promise<Issued> {
  const row = await findCertificate(ctx, input.id);
  const { source, allowed } = await authorizeRenewalBy(ctx, row, input);
  const issued = await renewKnown(ctx, row, {
    key: await keyFor(ctx, row, input),
    ...source,
    constraints: constraintsBy(row, source),
    allowedSubjects: [allowed, usualSubjectOf(source)],
    ttl: input.ttl === undefined ? undefined : parseDuration(input.ttl),
    isSuccessor: await maySucceed(ctx, row),
  });
  return input.removeRootsFromChain ? { ...issued, certificateChain: withoutRoots(issued.certificateChain) } : issued;
}

/**
 * Checks the permissions for a renewal that a caller asks for. Taking the same key is a read of it.
 *
 * @throws DomainError 404, 403; 400 `certificate_profile.enrollment_type`.
 */
export async function authorizeRenewalBy(
  ctx: Context,
  row: StoredCertificate,
  input: RenewCertificate,
): Promise<{ source: Source; allowed: Subject }> {
  const authorized = await authorizeRenewal(ctx, row);
  requireOrdered(authorized.source);
  const isSameKey = input.renewalKeySource === 'existing-key' && input.csr === undefined;
  if (isSameKey && row.privateKey) {
    await certificateFor(ctx, certificatePermissions['read-private-key'], row.id);
    await ctx.commitRead(eventOf(certificateKeyRead, namedOf(row), { projectId: row.projectId }), ctx);
  }
  return authorized;
}

/**
 * Whether a certificate that the caller orders may take the place of this one. The right to issue is not enough: where this one is used,
 * the next one would replace it, with another key and end.
 *
 * @throws DomainError 403 later, if the right that it found has ended by the commit.
 */
export const maySucceed = (ctx: Context, row: StoredCertificate): Promise<boolean> =>
  isPermitted(
    () => authorizeCertificate(ctx, certificatePermissions.edit, row.projectId, factsOf(row)),
    isForbiddenError,
  );

/**
 * Checks the permissions for issuing a certificate again.
 *
 * @throws DomainError 404, 403.
 */
async function authorizeRenewal(ctx: Context, row: StoredCertificate): Promise<{ source: Source; allowed: Subject }> {
  const source = await sourceOf(ctx, row);
  // Its number will be another.
  const facts = { ...factsOf(row), status: 'active', serialNumber: undefined };
  return { source, allowed: await authorizeIssue(ctx, row.projectId, rightBy(source), facts) };
}

/**
 * Checks the right to have a certificate renewed by itself.
 *
 * @throws DomainError 404, 403, also if the right ends; 400 `certificate_profile.enrollment_type`.
 */
export async function authorizeAutoRenewal(ctx: Context, row: StoredCertificate): Promise<void> {
  const facts = { ...factsOf(row), status: 'active', serialNumber: undefined };
  const source = await sourceOf(ctx, row);
  await requireMayKeepIssuing(ctx, row.projectId, rightBy(source), facts);
  requireOrdered(source);
}

/** The current template or profile of a certificate, if it still exists. */
interface Source {
  readonly template: FoundTemplate | undefined;
  readonly profile: ProfileOf | undefined;
}

interface ProfileOf extends ProfileState {
  readonly caId: string | null;
  readonly slug: string;
  readonly enrollmentType: string;
  readonly defaults: NamedSubject | null;
  readonly rules: PolicyRules;
}

const PROFILE = statement(
  'certificates.profile',
  `select coalesce(p.ca_id, p.external_ca_id) as "caId", p.slug, p.enrollment_type as "enrollmentType", p.defaults, c.rules,
     p.id, p.updated_at as "updatedAt", c.updated_at as "policyUpdatedAt" from certificate_profiles p
   join certificate_policies c on c.id = p.certificate_policy_id where p.organization_id = $1 and p.id = $2`,
);

async function sourceOf(ctx: Context, row: StoredCertificate): Promise<Source> {
  const { organizationId, certificateTemplateId: templateId, profileId } = row;
  const template = templateId === null ? undefined : await findCertificateTemplate(ctx, templateId);
  const [profile] = profileId === null ? [] : await ctx.sql<ProfileOf>(PROFILE, [organizationId, profileId]);
  return { template, profile };
}

const issueByProfile = projectPermissions('certificate-profiles')['issue-cert'];

const rightBy = ({ template, profile }: Source): IssuingRight | undefined =>
  template ? byTemplate(template) : profile && { permission: issueByProfile, fields: { slug: profile.slug } };

/** @throws DomainError 400 for profiles with enrollment by a protocol, which have no orders. */
export function requireOrders(enrollmentType: string): void {
  if (enrollmentType === 'api') return;
  throw badRequest('certificate_profile.enrollment_type', `Clients of this profile enrol by ${enrollmentType}`);
}

/** Clients of a profile with a protocol prove their names at each enrolment: its certificates are not renewed without that. */
function requireOrdered({ profile }: Source): void {
  if (profile) requireOrders(profile.enrollmentType);
}

function constraintsBy({ caId: ownId, externalCaId }: StoredCertificate, { template, profile }: Source): Constraints[] {
  const caId = ownId ?? externalCaId;
  if ((template && template.caId !== caId) || (profile && profile.caId !== caId))
    throw refused(
      'certificate.other_authority',
      'Its template or profile now has another authority: issue a new certificate',
    );
  return [...(template ? [constraintsOf(template)] : []), ...(profile ? [compilePolicy(profile.rules)] : [])];
}

const usualSubjectOf = ({ profile }: Source): Subject => subjectNamed(profile?.defaults ?? {});

/**
 * The current constraints for a certificate: those of its template, or of its profile and policy; none if that was
 * deleted.
 *
 * @throws DomainError 400 `certificate.other_authority`, `certificate_profile.enrollment_type`
 */
export async function renewalRules(ctx: Context, row: StoredCertificate): Promise<Omit<Renewal, 'key' | 'ttl'>> {
  const source = await sourceOf(ctx, row);
  requireOrdered(source);
  const allowedSubjects = [usualSubjectOf(source)];
  return { ...source, constraints: constraintsBy(row, source), allowedSubjects, isSuccessor: true };
}

/** The rules of the policy of a certificate's profile, if it has one. */
export const policyRulesOf = async (ctx: Context, row: StoredCertificate): Promise<PolicyRules | undefined> =>
  (await sourceOf(ctx, row)).profile?.rules;

/** A chain in PEM less what signs itself: clients have their own roots. */
export const withoutRoots = (chain: string): string => withoutRootsOf(readStoredChain(chain));
export const withoutRootsOf = (chain: readonly ReadCertificate[]): string =>
  chainPem(chain.flatMap((one) => (one.selfSigned ? [] : [one.der])));

export async function keyFor(ctx: Context, row: StoredCertificate, input: RenewCertificate): Promise<OrderedKey> {
  const { csr, renewalKeySource = 'new-key' } = input;
  if (csr !== undefined) return { publicKey: requestedKey(row, csr) };
  if (renewalKeySource === 'existing-key') {
    const privateKey = await openPrivateKey(ctx, row);
    return privateKey
      ? { publicKey: createPublicKey(privateKey), privateKey }
      : { publicKey: readCertificate(row.body).publicKey };
  }
  if (!row.hasPrivateKey)
    throw refused('certificate.renewal', 'Its key is not stored here: send a CSR with the new key');
  return { make: row.keyAlgorithm as KeyAlgorithm };
}

/** A request may repeat the names of the certificate, and has no others. */
function requestedKey(row: StoredCertificate, csr: string) {
  const { csr: read, subject, altNames } = readRequest(csr);
  const isOther = (subject.commonName ?? row.commonName) !== row.commonName;
  if (isOther || (altNames.length > 0 && !sameNames(altNames, row.names)))
    throw refused('certificate.renewal', 'The CSR has names other than the certificate');
  return read.publicKey;
}

const RENEWED = statement(
  'certificates.renewed',
  'update certificates set renewal_error = null, renewal_failed_at = null where id = $1 and renewal_error is not null',
);

export interface Renewal extends Pick<Order, 'template' | 'profile'> {
  readonly key: OrderedKey;
  readonly constraints: readonly Constraints[];
  readonly allowedSubjects: readonly Subject[];
  /** Milliseconds; default: that of the previous certificate, limited by the authority. */
  readonly ttl?: number | undefined;
  /** It takes the place of the previous one: see `maySucceed`. */
  readonly isSuccessor: boolean;
}

/** What a certificate takes over from the one whose place it takes. */
export const succeeding = (row: StoredCertificate) => ({
  friendlyName: row.friendlyName,
  renewedFromId: row.id,
  renewBeforeDays: row.renewBeforeDays ?? undefined,
  metadata: row.metadata,
});

/**
 * The same after the check of permissions, or by Coffer itself.
 *
 * @throws DomainError as `renewCertificate`.
 */
export async function renewKnown(ctx: Context, row: StoredCertificate, renewal: Renewal): Promise<Issued> {
  requireRenewable(row);
  if (row.caId === null) throw notFound('certificate authority');
  const signer = await signerOf(ctx, row.caId);
  return issueCertificate(
    ctx,
    signer,
    {
      subject: row.subject,
      altNames: row.names,
      key: renewal.key,
      ...(renewal.ttl === undefined ? { notAfter: usualEnd(ctx, row, signer) } : { ttl: renewal.ttl }),
      keyUsages: (row.keyUsages ?? []) as KeyUsage[],
      extendedKeyUsages: (row.extendedKeyUsages ?? []) as ExtendedKeyUsage[],
      constraints: renewal.constraints,
      allowedSubjects: renewal.allowedSubjects,
      source: 'make' in renewal.key ? 'issue' : 'sign',
      template: renewal.template,
      profile: renewal.profile,
      ...(renewal.isSuccessor && succeeding(row)),
    },
    {
      // It may have been revoked while the new one was signed.
      first: async (tx) => requireRenewable(await lockRenewedCertificate(tx, row)),
      also: async (tx, issued) => {
        if (!renewal.isSuccessor) return;
        await tx.sql(RENEWED, [row.id]);
        const data = { ...namedOf(row), renewedCertificateId: issued.certificateId };
        record(tx, certificateRenewed, data, { organizationId: row.organizationId, projectId: row.projectId });
      },
    },
  );
}

function requireRenewable(row: Pick<StoredCertificate, 'caId' | 'status' | 'pkiSubscriberId'>): void {
  const { caId, status, pkiSubscriberId } = row;
  if (caId === null) throw refused('certificate.imported', 'The certificate was imported: its authority is external');
  if (status === 'revoked') throw refused('certificate.revoked', 'A revoked certificate cannot be renewed');
  if (pkiSubscriberId !== null)
    throw refused(
      'certificate.subscriber',
      'The certificate belongs to a subscriber: issue the next one by the subscriber',
    );
}

/**
 * The default end of the next certificate: after the same validity, from its issue or, if later, from its start. Never
 * after the authority.
 */
export function usualEnd(ctx: Context, row: StoredCertificate, { issuer }: Signer): Date {
  const start = Math.max(at(row.notBefore).getTime(), Math.floor(at(row.createdAt).getTime() / 1_000) * 1_000);
  const end = ctx.now().getTime() + at(row.notAfter).getTime() - start;
  return new Date(Math.min(end, issuer.notAfter.getTime()));
}
