import { abilityIn, organizationOf, unlessHidden } from '../../access/index.ts';
import { at, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import type { PolicyRules } from '../policy/index.ts';
import type { AcmeConfig, ApiConfig, CertificateProfile, EnrollmentType, ProfileDefaults } from './profile.ts';

export const PROFILE = 'certificate profile';

export interface ProfileRow {
  id: string;
  project_id: string;
  ca_id: string | null;
  certificate_policy_id: string;
  slug: string;
  description: string | null;
  enrollment_type: EnrollmentType;
  issuer_type: 'ca' | 'self-signed';
  config: Partial<AcmeConfig & ApiConfig>;
  defaults: ProfileDefaults | null;
  ca_name: string | null;
  ca_status: string | null;
  est_id: string | null;
  est_is_open: boolean | null;
  est_ca_chain: string | null;
  policy_name: string;
  rules: PolicyRules;
  created_at: string;
  updated_at: string;
}

export const SELECT = `select p.id, p.project_id, p.ca_id, p.certificate_policy_id, p.slug, p.description,
  p.enrollment_type, p.issuer_type, p.config, p.defaults, a.name as ca_name, a.status as ca_status,
  c.name as policy_name, c.rules, e.id as est_id, e.disable_bootstrap_cert_validation as est_is_open,
  e.ca_chain as est_ca_chain, p.created_at, p.updated_at
  from certificate_profiles p join certificate_policies c on c.id = p.certificate_policy_id
  left join certificate_authorities a on a.id = p.ca_id left join est_configs e on e.profile_id = p.id`;
const BY_ID = statement('certificate_profiles.by_id', `${SELECT} where p.organization_id = $1 and p.id = $2`);
const BY_SLUG = statement(
  'certificate_profiles.by_slug',
  `${SELECT} where p.organization_id = $1 and p.project_id = $2 and p.slug = $3`,
);

/**
 * The profile with this ID in a project of the caller. No further rights are checked.
 *
 * @throws DomainError 404
 */
export async function findCertificateProfile(ctx: Context, id: string): Promise<ProfileRow> {
  return visible(ctx, await profileById(ctx, id));
}

/** The same without checking the caller's rights. */
export async function profileById(ctx: Context, id: string): Promise<ProfileRow | undefined> {
  const [row] = isId(id) ? await ctx.sql<ProfileRow>(BY_ID, [organizationOf(ctx), id]) : [];
  return row;
}

/** The same by its slug in a project. */
export async function findProfileBySlug(ctx: Context, projectId: string, slug: string): Promise<ProfileRow> {
  const [row] = isId(projectId) ? await ctx.sql<ProfileRow>(BY_SLUG, [organizationOf(ctx), projectId, slug]) : [];
  return visible(ctx, row);
}

async function visible(ctx: Context, row: ProfileRow | undefined): Promise<ProfileRow> {
  if (!row) throw notFound(PROFILE);
  await unlessHidden(PROFILE, abilityIn(ctx, row.project_id));
  return row;
}

/** The address of a profile's ACME directory and its other resources. */
export const acmeBase = (ctx: Context, profileId: string) =>
  `${ctx.settings.siteUrl}/api/v1/cert-manager/acme/${profileId}`;

/** The published form. */
export function toProfile(ctx: Context, row: ProfileRow): CertificateProfile {
  const { id, config, slug, description, enrollment_type: enrollmentType } = row;
  const directoryUrl = `${acmeBase(ctx, id)}/directory`;
  const { autoRenew = false, renewBeforeDays = null } = config;
  const { skipDnsOwnershipVerification = false, skipEabBinding = false } = config;
  return {
    id,
    projectId: row.project_id,
    caId: row.ca_id,
    certificatePolicyId: row.certificate_policy_id,
    slug,
    description,
    enrollmentType,
    issuerType: row.issuer_type,
    apiConfig: enrollmentType === 'api' ? { autoRenew, renewBeforeDays } : null,
    acmeConfig: enrollmentType === 'acme' ? { id, directoryUrl, skipDnsOwnershipVerification, skipEabBinding } : null,
    estConfig: row.est_id === null ? null : estConfigOf(row.est_id, row),
    externalConfigs: null,
    defaults: row.defaults,
    certificateAuthority: row.ca_id === null ? null : { id: row.ca_id, name: row.ca_name!, status: row.ca_status! },
    certificatePolicy: { id: row.certificate_policy_id, name: row.policy_name },
    createdAt: at(row.created_at),
    updatedAt: at(row.updated_at),
  };
}

const estConfigOf = (id: string, { est_is_open: isOpen, est_ca_chain: caChain }: ProfileRow) => ({
  id,
  disableBootstrapCaValidation: isOpen === true,
  caChain,
});
