import { isId, statement, type Context } from '../../kernel/index.ts';
import type { Constraints } from '../constraint/index.ts';
import { compilePolicy, type PolicyRules } from '../policy/index.ts';
import { usualValidity, type AcmeConfig, type ProfileDefaults } from '../profile/index.ts';
import { noSuch } from './problem.ts';

/** The properties of a certificate profile that its ACME clients need. */
export interface AcmeProfile {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly slug: string;
  readonly updatedAt: string;
  readonly policyUpdatedAt: string;
  readonly caId: string;
  readonly constraints: Constraints;
  /** Whether names count as validated without a challenge. */
  readonly skipDnsOwnershipVerification: boolean;
  /** Whether accounts are made without the profile's external key. */
  readonly skipEabBinding: boolean;
  /** Default and maximum validity of certificates in milliseconds. */
  readonly validity: number;
  /** Properties of certificates that clients cannot request. */
  readonly defaults: ProfileDefaults;
}

interface Row {
  id: string;
  organizationId: string;
  projectId: string;
  slug: string;
  updatedAt: string;
  policyUpdatedAt: string;
  caId: string;
  config: Partial<AcmeConfig>;
  defaults: ProfileDefaults | null;
  rules: PolicyRules;
}

const FIND = statement(
  'acme.profile',
  `select p.id, p.organization_id as "organizationId", p.project_id as "projectId", p.slug, p.ca_id as "caId", p.config,
     p.defaults, p.updated_at as "updatedAt", c.rules, c.updated_at as "policyUpdatedAt"
   from certificate_profiles p join certificate_policies c on c.id = p.certificate_policy_id
   where p.id = $1 and p.enrollment_type = 'acme' and p.issuer_type = 'ca' and p.ca_id is not null`,
);

/** The profile with this ID if its enrollment type is ACME. Callers are not authenticated here. */
export async function findAcmeProfile(ctx: Context, id: string): Promise<AcmeProfile | undefined> {
  const [row] = isId(id) ? await ctx.sql<Row>(FIND, [id]) : [];
  return row && profileOf(row);
}

/** @throws AcmeProblem 404 */
export async function acmeProfile(ctx: Context, id: string): Promise<AcmeProfile> {
  const profile = await findAcmeProfile(ctx, id);
  if (!profile) throw noSuch('directory');
  return profile;
}

function profileOf({ config, rules, ...row }: Row): AcmeProfile {
  const constraints = compilePolicy(rules);
  const defaults = row.defaults ?? {};
  return {
    ...row,
    constraints,
    skipDnsOwnershipVerification: config.skipDnsOwnershipVerification === true,
    skipEabBinding: config.skipEabBinding === true,
    validity: usualValidity(defaults, constraints),
    defaults,
  };
}
