import { abilityIn, organizationOf, unlessHidden } from '../../access/index.ts';
import { at, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import type { PolicyRules } from '../policy/index.ts';
import type { AcmeConfig, ApiConfig, CertificateProfile, EnrollmentType, ProfileDefaults } from './profile.ts';

export const PROFILE = 'certificate profile';

export interface ProfileRow {
  id: string;
  projectId: string;
  caId: string | null;
  externalCaId: string | null;
  certificatePolicyId: string;
  slug: string;
  description: string | null;
  enrollmentType: EnrollmentType;
  issuerType: 'ca' | 'self-signed';
  config: AcmeConfig & ApiConfig;
  defaults: ProfileDefaults | null;
  caName: string | null;
  caStatus: string | null;
  estId: string | null;
  estIsOpen: boolean | null;
  estCaChain: string | null;
  policyName: string;
  rules: PolicyRules;
  policyUpdatedAt: string;
  createdAt: string;
  updatedAt: string;
}

/** A profile in a list, which needs no rules of its policy. */
export type ListedProfile = Omit<ProfileRow, 'rules' | 'policyUpdatedAt'>;

const COLUMNS = `p.id, p.project_id as "projectId", p.ca_id as "caId",
  p.external_ca_id as "externalCaId",
  p.certificate_policy_id as "certificatePolicyId", p.slug, p.description,
  p.enrollment_type as "enrollmentType", p.issuer_type as "issuerType", p.config, p.defaults, coalesce(a.name, x.name) as "caName",
  coalesce(a.status, x.status) as "caStatus", c.name as "policyName", e.id as "estId", e.disable_bootstrap_cert_validation as "estIsOpen",
  e.ca_chain as "estCaChain", p.created_at as "createdAt", p.updated_at as "updatedAt"`;
const TABLES = `from certificate_profiles p join certificate_policies c on c.id = p.certificate_policy_id
  left join certificate_authorities a on a.id = p.ca_id
  left join external_authorities x on x.id = p.external_ca_id left join est_configs e on e.profile_id = p.id`;
const SELECT = `select ${COLUMNS}, c.rules, c.updated_at as "policyUpdatedAt" ${TABLES}`;
export const LISTED = statement(
  'certificate_profiles.listed',
  `select ${COLUMNS} ${TABLES} where p.organization_id = $1 and p.id = any($2::uuid[]) order by p.slug`,
);
export const BY_ID = statement('certificate_profiles.by_id', `${SELECT} where p.organization_id = $1 and p.id = $2`);
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
  await unlessHidden(PROFILE, abilityIn(ctx, row.projectId));
  return row;
}

/** The address of a profile's ACME directory and its other resources. */
export const acmeBase = (ctx: Context, profileId: string) =>
  `${ctx.settings.siteUrl}/api/v1/cert-manager/acme/${profileId}`;

/** The published form. */
export function toProfile(ctx: Context, row: ListedProfile): CertificateProfile {
  const { id, config, slug, description, enrollmentType } = row;
  const caId = row.caId ?? row.externalCaId;
  const directoryUrl = `${acmeBase(ctx, id)}/directory`;
  const { autoRenew = false, renewBeforeDays = null } = config;
  const { skipDnsOwnershipVerification = false, skipEabBinding = false } = config;
  return {
    id,
    projectId: row.projectId,
    caId,
    certificatePolicyId: row.certificatePolicyId,
    slug,
    description,
    enrollmentType,
    issuerType: row.issuerType,
    apiConfig: enrollmentType === 'api' ? { autoRenew, renewBeforeDays } : null,
    acmeConfig: enrollmentType === 'acme' ? { id, directoryUrl, skipDnsOwnershipVerification, skipEabBinding } : null,
    estConfig: row.estId === null ? null : estConfigOf(row.estId, row),
    externalConfigs: null,
    defaults: row.defaults,
    certificateAuthority: caId === null ? null : { id: caId, name: row.caName!, status: row.caStatus! },
    certificatePolicy: { id: row.certificatePolicyId, name: row.policyName },
    createdAt: at(row.createdAt),
    updatedAt: at(row.updatedAt),
  };
}

const estConfigOf = (id: string, { estIsOpen: isOpen, estCaChain: caChain }: ListedProfile) => ({
  id,
  disableBootstrapCaValidation: isOpen === true,
  caChain,
});
