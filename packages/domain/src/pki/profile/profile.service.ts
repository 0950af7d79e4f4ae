import {
  authorize,
  authorizeById,
  permittedNow,
  authorizeChange,
  organizationOf,
  readable,
  filterInTurns,
  requireLasting,
  unlessHidden,
} from '../../access/index.ts';
import {
  givenFields,
  badRequest,
  explainConstraint,
  fewIn,
  inTransaction,
  isId,
  lockedRow,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import {
  getCertificateBundle,
  listCertificates,
  requireMayLetEnroll,
  SearchCertificates,
  type CertificateBundle,
  type ListedCertificate,
} from '../certificate/index.ts';
import { deleteEstConfig } from '../est-config/index.ts';
import { holdAnyAuthority, requireMayBind, type Bound as BoundAuthority } from '../external-authority/index.ts';
import { certificatePolicyPermissions } from '../policy/index.ts';
import { endAcme } from './end-acme.ts';
import { keepEstConfig, passphraseFor, showing } from './est.ts';
import { byProfile } from './order.ts';
import {
  BY_ID,
  findCertificateProfile,
  findProfileBySlug,
  LISTED,
  PROFILE,
  toProfile,
  type ListedProfile,
  type ProfileRow,
} from './find.ts';
import {
  certificateProfileCreated,
  certificateProfileDeleted,
  certificateProfilePermissions,
  certificateProfileUpdated,
  type AcmeConfig,
  type ApiConfig,
  type CertificateProfile,
  type CertificateProfileRef,
  type CreateCertificateProfile,
  type ListCertificateProfiles,
  type UpdateCertificateProfile,
} from './profile.ts';

explainConstraint(
  'certificate_profiles_slug_unique',
  'A certificate profile with this slug already exists in the project',
);

const requireFew = fewIn('project', {
  table: 'certificate_profiles',
  most: 1_000,
  code: 'certificate_profile.too_many',
  of: 'certificate profiles',
});

const OF_PROJECT = statement(
  'certificate_profiles.of_project',
  `select p.id, p.slug from certificate_profiles p where p.organization_id = $1 and p.project_id = $2
     and ($3::text is null or strpos(lower(concat_ws(' ', p.slug, p.description)), lower($3)) > 0)
     and ($4::text is null or p.enrollment_type = $4) and ($5::text is null or p.issuer_type = $5)
     and ($6::uuid is null or p.ca_id = $6 or p.external_ca_id = $6) order by p.slug`,
);
const INSERT = statement(
  'certificate_profiles.insert',
  `insert into certificate_profiles (id, organization_id, project_id, ca_id, certificate_policy_id, slug, description,
     enrollment_type, external_ca_id, issuer_type, config, defaults, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'ca', $10, $11, $12, $12)`,
);
const LOCK = statement(
  'certificate_profiles.lock',
  'select from certificate_profiles where organization_id = $1 and id = $2 for update',
);
const UPDATE = statement(
  'certificate_profiles.update',
  `update certificate_profiles set ca_id = $3, certificate_policy_id = $4, slug = $5, description = $6,
     enrollment_type = $7, external_ca_id = $8, config = $9, defaults = $10, updated_at = $11 where organization_id = $1 and id = $2`,
);
const DELETE = statement(
  'certificate_profiles.delete',
  'delete from certificate_profiles where organization_id = $1 and id = $2',
);
const POLICY = statement(
  'certificate_profiles.policy',
  'select name from certificate_policies where organization_id = $1 and project_id = $2 and id = $3 for share',
);
const LATEST = statement(
  'certificate_profiles.latest',
  `select id from certificates where organization_id = $1 and profile_id = $2 and status = 'active' and not_after > $3
   order by created_at desc, id desc limit 1`,
);

/**
 * The authority and policy of a profile, of its own project. Others than before take the right to read them.
 *
 * @throws DomainError 404, 403
 */
async function requireBound(
  tx: Transaction,
  { projectId, caId, policyId, enrollmentType }: ToBind,
  before?: Pick<ProfileRow, 'caId' | 'externalCaId' | 'certificatePolicyId'>,
): Promise<BoundAuthority> {
  const bound = await holdAnyAuthority(tx, projectId, caId);
  if (bound.externalCaId !== null && enrollmentType !== 'api')
    throw badRequest(
      'certificate_profile.external_authority',
      'With an external authority, the enrollment type must be api',
    );
  if (bound.caId !== before?.caId || bound.externalCaId !== before.externalCaId) await requireMayBind(tx, bound);
  const place = [organizationOf(tx), projectId, policyId];
  const [policy] = isId(policyId) ? await tx.sql<{ name: string }>(POLICY, place) : [];
  if (!policy) throw notFound('certificate policy');
  if (policyId !== before?.certificatePolicyId)
    await authorizeById(tx, certificatePolicyPermissions.read, { projectId, name: policy.name });
  return bound;
}

interface ToBind {
  readonly projectId: string;
  readonly caId: string;
  readonly policyId: string;
  readonly enrollmentType: ProfileRow['enrollmentType'];
}

type Bound = Pick<
  UpdateCertificateProfile,
  'apiConfig' | 'acmeConfig' | 'estConfig' | 'externalConfigs' | 'issuerType'
>;

/**
 * The configuration of the enrollment type; others must be absent.
 *
 * @throws DomainError 400
 */
function configFor(
  enrollmentType: ProfileRow['enrollmentType'],
  { apiConfig, acmeConfig, estConfig, externalConfigs, issuerType }: Bound,
  before: ApiConfig & AcmeConfig = {},
): ApiConfig & AcmeConfig {
  if (issuerType === 'self-signed')
    throw badRequest('certificate_profile.issuer_type', 'Self-signed certificates are not supported');
  if (enrollmentType === 'scep') throw badRequest('certificate_profile.enrollment_type', 'Supported: api, est, acme');
  const configs = { api: apiConfig, acme: acmeConfig, est: estConfig, others: externalConfigs };
  const { [enrollmentType]: _, ...others } = configs;
  if (Object.values(others).some(Boolean))
    throw badRequest('certificate_profile.config', 'The configuration is for another enrolment type or authority type');
  const config = { ...before, ...(apiConfig ?? acmeConfig) };
  if (acmeConfig && config.skipEabBinding && config.skipDnsOwnershipVerification)
    throw badRequest(
      'certificate_profile.open_to_anyone',
      'Anyone could get a certificate for any name: use only one of skipEabBinding and skipDnsOwnershipVerification',
    );
  return config;
}

/** Whose clients enrol without rights of their own. @throws DomainError 403 */
async function requireMayEnroll(ctx: Context, { projectId, slug, enrollmentType }: EnrolledBy): Promise<void> {
  if (enrollmentType !== 'api') await requireMayLetEnroll(ctx, projectId, byProfile({ slug }));
}

/** All that is issued by such a profile is renewed by itself from then on. @throws DomainError 403 by a right that ends */
async function requireMayRenew(
  ctx: Context,
  { projectId, slug, autoRenew }: { projectId: string; slug: string; autoRenew: boolean | undefined },
  action: 'create' | 'edit',
): Promise<void> {
  const right = { permission: certificateProfilePermissions[action], fields: { projectId, slug } };
  if (autoRenew) await requireLasting(ctx, projectId, right);
}

type EnrolledBy = Pick<CertificateProfile, 'projectId' | 'slug' | 'enrollmentType'>;

const noAuthority = () => badRequest('certificate_profile.authority', 'caId is required');
const eventData = ({ id, slug }: { id: string; slug: string }) => ({ certificateProfileId: id, slug });

/**
 * @throws DomainError 404 (also for the authority and policy), 403 also without the right to read these, for EST and ACME by callers who may not issue
 * by it, and for auto-renewal by a right that ends; 400 `certificate_profiles_slug_unique`,
 * `certificate_profile.too_many` and by rule.
 */
export async function createCertificateProfile(
  ctx: Context,
  input: CreateCertificateProfile,
): Promise<CertificateProfile> {
  const { projectId, caId, certificatePolicyId, slug, description = null, enrollmentType, defaults = null } = input;
  await authorize(ctx, certificateProfilePermissions.create, { projectId, slug });
  const config = configFor(enrollmentType, input);
  if (!caId) throw noAuthority();
  await requireMayEnroll(ctx, input);
  await requireMayRenew(ctx, { projectId, slug, autoRenew: config.autoRenew }, 'create');
  const prepared = await passphraseFor(ctx, input.estConfig, enrollmentType === 'est');
  return inTransaction(ctx, async (tx) => {
    const bound = await requireBound(tx, { projectId, caId, policyId: certificatePolicyId, enrollmentType });
    const id = newId();
    await tx.sql(INSERT, [
      ...[id, organizationOf(tx), projectId, bound.caId, certificatePolicyId, slug, description, enrollmentType],
      bound.externalCaId,
      JSON.stringify(config),
      defaults && JSON.stringify(defaults),
      tx.now(),
    ]);
    await requireFew(tx, projectId);
    if (enrollmentType === 'est') await keepEstConfig(tx, { id, projectId }, { ...input.estConfig }, prepared);
    record(tx, certificateProfileCreated, eventData({ id, slug }), { projectId });
    return showing(toProfile(tx, await findCertificateProfile(tx, id)), prepared);
  });
}

/** @throws DomainError 404, 403. */
export const getCertificateProfile = async (
  ctx: Context,
  { profileId }: CertificateProfileRef,
): Promise<CertificateProfile> => toProfile(ctx, await read(ctx, await findCertificateProfile(ctx, profileId)));

/** The same by its slug: whether another one exists is not said. @throws DomainError 404, 403. */
export async function getCertificateProfileBySlug(
  ctx: Context,
  { projectId, slug }: { projectId: string; slug: string },
): Promise<CertificateProfile> {
  await unlessHidden(PROFILE, authorize(ctx, certificateProfilePermissions.read, { projectId, slug }));
  return toProfile(ctx, await findProfileBySlug(ctx, projectId, slug));
}

async function read(ctx: Context, row: ProfileRow): Promise<ProfileRow> {
  await authorizeById(ctx, certificateProfilePermissions.read, { projectId: row.projectId, slug: row.slug });
  return row;
}

/** The profiles of a project that the caller may read, by slug. */
export async function listCertificateProfiles(
  ctx: Context,
  { projectId, offset, limit, search, enrollmentType, issuerType, caId }: ListCertificateProfiles,
): Promise<{ certificateProfiles: CertificateProfile[]; totalCount: number }> {
  const isReadable = await readable(ctx, certificateProfilePermissions.read, { projectId });
  if (caId !== undefined && !isId(caId)) return { certificateProfiles: [], totalCount: 0 };
  const filter = [search || null, enrollmentType ?? null, issuerType ?? null, caId ?? null];
  const named = await ctx.sql<Pick<ProfileRow, 'id' | 'slug'>>(OF_PROJECT, [organizationOf(ctx), projectId, ...filter]);
  const found = await filterInTurns(named, ({ slug }) => isReadable({ slug }));
  const ids = found.slice(offset, offset + limit).map(({ id }) => id);
  const rows = await ctx.sql<ListedProfile>(LISTED, [organizationOf(ctx), ids]);
  // One may have got another slug meanwhile.
  const shown = rows.filter(({ slug }) => isReadable({ slug }));
  return { certificateProfiles: shown.map((row) => toProfile(ctx, row)), totalCount: found.length };
}

/**
 * Updates the given fields of a profile; issued certificates are unchanged. With another enrolment type, what clients
 * enrolled with before ends.
 *
 * @throws DomainError 404, 403 (also for the new slug), 400 as `createCertificateProfile`.
 */
export async function updateCertificateProfile(
  ctx: Context,
  input: UpdateCertificateProfile,
): Promise<CertificateProfile> {
  const { profileId, caId, certificatePolicyId, slug, description, defaults } = input;
  const seen = await findCertificateProfile(ctx, profileId);
  const { projectId, slug: before } = seen;
  const { edit } = certificateProfilePermissions;
  await authorizeById(ctx, edit, { projectId, slug: before });
  const prepared = await passphraseFor(
    ctx,
    input.estConfig,
    input.enrollmentType === 'est' && seen.enrollmentType !== 'est',
  );
  return inTransaction(ctx, async (tx) => {
    const place = [organizationOf(tx), profileId];
    // Before its own row, as in the deletion of the authority.
    const named = caId === undefined ? (seen.caId ?? seen.externalCaId) : caId;
    if (named) await holdAnyAuthority(tx, projectId, named);
    const row = await lock(tx, profileId);
    await authorizeChange(tx, certificateProfilePermissions, {
      projectId,
      before: { slug: row.slug },
      after: { slug: slug ?? row.slug },
    });
    const enrollmentType = input.enrollmentType ?? row.enrollmentType;
    await requireMayEnroll(tx, { projectId, slug: slug ?? row.slug, enrollmentType });
    const config = configFor(enrollmentType, input, enrollmentType === row.enrollmentType ? row.config : {});
    await requireMayRenew(tx, { projectId, slug: slug ?? row.slug, autoRenew: config.autoRenew }, 'edit');
    const authority = caId === undefined ? (row.caId ?? row.externalCaId) : caId;
    if (!authority) throw noAuthority();
    const policy = certificatePolicyId ?? row.certificatePolicyId;
    const bound = await requireBound(tx, { projectId, caId: authority, policyId: policy, enrollmentType }, row);
    const newDefaults = defaults === undefined ? row.defaults : defaults;
    await tx.sql(UPDATE, [
      ...place,
      ...[bound.caId, policy, slug ?? row.slug, description === undefined ? row.description : description],
      ...[enrollmentType, bound.externalCaId],
      JSON.stringify(config),
      newDefaults && JSON.stringify(newDefaults),
      tx.now(),
    ]);
    if (enrollmentType !== 'acme') await endAcme(tx, row.id);
    if (enrollmentType !== 'est') await deleteEstConfig(tx, row.id);
    else await keepEstConfig(tx, { id: row.id, projectId }, { ...input.estConfig }, prepared);
    const { profileId: _, ...changes } = input;
    const data = { ...eventData({ id: row.id, slug: slug ?? row.slug }), changed: givenFields(changes) };
    record(tx, certificateProfileUpdated, data, { projectId });
    return showing(toProfile(tx, await findCertificateProfile(tx, profileId)), prepared);
  });
}

/** The current row, locked until the transaction ends. @throws DomainError 404 */
async function lock(tx: Transaction, id: string): Promise<ProfileRow> {
  const row = await lockedRow<ProfileRow>(tx, LOCK, BY_ID, [organizationOf(tx), id]);
  if (!row) throw notFound(PROFILE);
  return row;
}

/** The same for a caller with this permission on its present slug. @throws DomainError 404, 403 */
export const lockPermittedProfile = (tx: Transaction, id: string, permission: Permission): Promise<ProfileRow> =>
  permittedNow(tx, permission, lock(tx, id), ({ slug }) => ({ slug }));

/** Deletes a profile; what was issued by it stays valid. @throws DomainError 404, 403. */
export async function deleteCertificateProfile(
  ctx: Context,
  { profileId }: CertificateProfileRef,
): Promise<CertificateProfile> {
  const { projectId, slug } = await findCertificateProfile(ctx, profileId);
  await authorizeById(ctx, certificateProfilePermissions.delete, { projectId, slug });
  return inTransaction(ctx, async (tx) => {
    const row = await lockPermittedProfile(tx, profileId, certificateProfilePermissions.delete);
    await tx.sql(DELETE, [organizationOf(tx), profileId]);
    record(tx, certificateProfileDeleted, eventData(row), { projectId });
    return toProfile(tx, row);
  });
}

/**
 * The certificates of a profile that the caller may read, newest first.
 *
 * @throws DomainError 404, 403.
 */
export async function listCertificatesOfProfile(
  ctx: Context,
  { profileId, ...filter }: CertificateProfileRef & Pick<SearchCertificates, 'offset' | 'limit' | 'search' | 'status'>,
): Promise<{ certificates: ListedCertificate[] }> {
  const { id, projectId } = await read(ctx, await findCertificateProfile(ctx, profileId));
  const { certificates } = await listCertificates(ctx, {
    ...SearchCertificates.parse({ projectId, profileIds: [id] }),
    ...filter,
  });
  return { certificates };
}

/**
 * The newest currently valid certificate of a profile, with its key.
 *
 * @throws DomainError 404, 403.
 */
export async function latestBundleOfProfile(
  ctx: Context,
  { profileId }: CertificateProfileRef,
): Promise<CertificateBundle> {
  const { id } = await read(ctx, await findCertificateProfile(ctx, profileId));
  const [latest] = await ctx.sql<{ id: string }>(LATEST, [organizationOf(ctx), id, ctx.now()]);
  if (!latest) throw notFound('certificate');
  return getCertificateBundle(ctx, { id: latest.id });
}
