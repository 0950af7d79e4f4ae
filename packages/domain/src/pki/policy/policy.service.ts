import {
  abilityIn,
  authorize,
  authorizeById,
  permittedNow,
  authorizeChange,
  organizationOf,
  readable,
  unlessHidden,
  filterInTurns,
} from '../../access/index.ts';
import {
  givenFields,
  at,
  badRequest,
  explainConstraint,
  fewIn,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import {
  certificatePolicyCreated,
  certificatePolicyDeleted,
  certificatePolicyPermissions,
  certificatePolicyUpdated,
  type CertificatePolicy,
  type CertificatePolicyRef,
  type CreateCertificatePolicy,
  type ListCertificatePolicies,
  type PolicyRules,
  type UpdateCertificatePolicy,
} from './policy.ts';

explainConstraint(
  'certificate_policies_name_unique',
  'A certificate policy with this name already exists in the project',
);

const requireFew = fewIn('project', {
  table: 'certificate_policies',
  most: 1_000,
  code: 'certificate_policy.too_many',
  of: 'certificate policies',
});

/** The maximum of all rules of a policy together, in characters of JSON: lists have a hundred policies on a page. */
const MAX_RULES_TEXT = 100_000;

const POLICY = 'certificate policy';

interface Row {
  id: string;
  projectId: string;
  name: string;
  description: string | null;
  rules: PolicyRules;
  createdAt: string;
  updatedAt: string;
}

const COLUMNS =
  'id, project_id as "projectId", name, description, rules, created_at as "createdAt", updated_at as "updatedAt"';
const BY_ID = statement(
  'certificate_policies.by_id',
  `select ${COLUMNS} from certificate_policies where organization_id = $1 and id = $2`,
);
const LOCK = statement(
  'certificate_policies.lock',
  `select ${COLUMNS} from certificate_policies where organization_id = $1 and id = $2 for update`,
);
const OF_PROJECT = statement(
  'certificate_policies.of_project',
  `select id, name from certificate_policies where organization_id = $1 and project_id = $2
     and ($3::text is null or strpos(lower(name), lower($3)) > 0) order by name, id`,
);
const LISTED = statement(
  'certificate_policies.listed',
  `select ${COLUMNS} from certificate_policies where organization_id = $1 and id = any($2::uuid[]) order by name, id`,
);
const INSERT = statement(
  'certificate_policies.insert',
  `insert into certificate_policies (id, organization_id, project_id, name, description, rules, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7) returning ${COLUMNS}`,
);
const UPDATE = statement(
  'certificate_policies.update',
  `update certificate_policies set name = $3, description = $4, rules = coalesce($5, rules), updated_at = $6
   where organization_id = $1 and id = $2 returning ${COLUMNS}`,
);
const DELETE = statement(
  'certificate_policies.delete',
  'delete from certificate_policies where organization_id = $1 and id = $2',
);
const USED = statement(
  'certificate_policies.used',
  'select slug from certificate_profiles where certificate_policy_id = $1 order by slug limit 1',
);

function toPolicy({ rules, ...row }: Row): CertificatePolicy {
  const { id, name, description } = row;
  return {
    id,
    projectId: row.projectId,
    name,
    description,
    subject: rules.subject ?? null,
    sans: rules.sans ?? null,
    keyUsages: rules.keyUsages ?? null,
    extendedKeyUsages: rules.extendedKeyUsages ?? null,
    algorithms: rules.algorithms ?? null,
    validity: rules.validity ?? null,
    basicConstraints: rules.basicConstraints ?? null,
    createdAt: at(row.createdAt),
    updatedAt: at(row.updatedAt),
  };
}

/**
 * The policy with this ID in a project of the caller. No further rights are checked.
 *
 * @throws DomainError 404
 */
export async function findCertificatePolicy(ctx: Context, id: string): Promise<CertificatePolicy> {
  const [row] = isId(id) ? await ctx.sql<Row>(BY_ID, [organizationOf(ctx), id]) : [];
  if (!row) throw notFound(POLICY);
  await unlessHidden(POLICY, abilityIn(ctx, row.projectId));
  return toPolicy(row);
}

/** Without its absent parts. @throws DomainError 400 `certificate_policy.too_large` */
function rulesText(rules: object): string {
  const text = JSON.stringify(Object.fromEntries(Object.entries(rules).filter(([, said]) => said !== null)));
  if (text.length > MAX_RULES_TEXT)
    throw badRequest(
      'certificate_policy.too_large',
      `The rules of the policy have ${text.length} characters as JSON; the maximum is ${MAX_RULES_TEXT}`,
    );
  return text;
}

const eventData = ({ id, name }: Pick<Row, 'id' | 'name'>) => ({ certificatePolicyId: id, name });

/** @throws DomainError 404, 403; 400 `certificate_policies_name_unique`, `certificate_policy.too_large`, `.too_many`. */
export async function createCertificatePolicy(
  ctx: Context,
  { projectId, name, description = null, ...rules }: CreateCertificatePolicy,
): Promise<CertificatePolicy> {
  await authorize(ctx, certificatePolicyPermissions.create, { projectId, name });
  return inTransaction(ctx, async (tx) => {
    const values = [newId(), organizationOf(tx), projectId, name, description, rulesText(rules), tx.now()];
    const [row] = await tx.sql<Row>(INSERT, values);
    await requireFew(tx, projectId);
    record(tx, certificatePolicyCreated, eventData(row!), { projectId });
    return toPolicy(row!);
  });
}

/** @throws DomainError 404, 403. */
export async function getCertificatePolicy(
  ctx: Context,
  { certificatePolicyId }: CertificatePolicyRef,
): Promise<CertificatePolicy> {
  const policy = await findCertificatePolicy(ctx, certificatePolicyId);
  const { projectId, name } = policy;
  await authorizeById(ctx, certificatePolicyPermissions.read, { projectId, name });
  return policy;
}

/** The policies of a project that the caller may read, by name. */
export async function listCertificatePolicies(
  ctx: Context,
  { projectId, offset, limit, search }: ListCertificatePolicies,
): Promise<{ certificatePolicies: CertificatePolicy[]; totalCount: number }> {
  const isReadable = await readable(ctx, certificatePolicyPermissions.read, { projectId });
  const named = await ctx.sql<Pick<Row, 'id' | 'name'>>(OF_PROJECT, [organizationOf(ctx), projectId, search || null]);
  const found = await filterInTurns(named, ({ name }) => isReadable({ name }));
  const ids = found.slice(offset, offset + limit).map(({ id }) => id);
  const rows = await ctx.sql<Row>(LISTED, [organizationOf(ctx), ids]);
  // One may have got another name meanwhile.
  const shown = rows.filter(({ name }) => isReadable({ name }));
  return { certificatePolicies: shown.map(toPolicy), totalCount: found.length };
}

/**
 * Updates the given parts of a policy, each as a whole, null to remove one; issued certificates are unchanged.
 *
 * @throws DomainError 404, 403 (also for the new name); 400 `certificate_policies_name_unique`, `certificate_policy.too_large`.
 */
export async function updateCertificatePolicy(
  ctx: Context,
  { certificatePolicyId, name, description, ...changes }: UpdateCertificatePolicy,
): Promise<CertificatePolicy> {
  const { projectId, name: before } = await findCertificatePolicy(ctx, certificatePolicyId);
  const { edit } = certificatePolicyPermissions;
  await authorizeById(ctx, edit, { projectId, name: before });
  return inTransaction(ctx, async (tx) => {
    const row = await lock(tx, certificatePolicyId);
    await authorizeChange(tx, certificatePolicyPermissions, {
      projectId,
      before: { name: row.name },
      after: { name: name ?? row.name },
    });
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const [changed] = await tx.sql<Row>(UPDATE, [
      organizationOf(tx),
      certificatePolicyId,
      name ?? row.name,
      description === undefined ? row.description : description,
      Object.keys(given).length > 0 ? rulesText({ ...row.rules, ...given }) : null,
      tx.now(),
    ]);
    const data = { ...eventData(changed!), changed: givenFields({ name, description, ...changes }) };
    record(tx, certificatePolicyUpdated, data, { projectId });
    return toPolicy(changed!);
  });
}

/** Deletes a policy that no profile has. @throws DomainError 404, 403; 400 `certificate_policy.in_use`. */
export async function deleteCertificatePolicy(
  ctx: Context,
  { certificatePolicyId }: CertificatePolicyRef,
): Promise<CertificatePolicy> {
  const policy = await findCertificatePolicy(ctx, certificatePolicyId);
  const { projectId, name } = policy;
  await authorizeById(ctx, certificatePolicyPermissions.delete, { projectId, name });
  return inTransaction(ctx, async (tx) => {
    // A concurrent creation of a profile holds a share lock and is visible afterwards.
    const locked = lock(tx, certificatePolicyId);
    const row = await permittedNow(tx, certificatePolicyPermissions.delete, locked, (one) => ({ name: one.name }));
    const [used] = await tx.sql<{ slug: string }>(USED, [certificatePolicyId]);
    if (used) throw badRequest('certificate_policy.in_use', `The certificate profile ${used.slug} uses this policy`);
    await tx.sql(DELETE, [organizationOf(tx), certificatePolicyId]);
    record(tx, certificatePolicyDeleted, eventData(row), { projectId });
    return policy;
  });
}

async function lock(tx: Transaction, id: string): Promise<Row> {
  const [row] = await tx.sql<Row>(LOCK, [organizationOf(tx), id]);
  if (!row) throw notFound(POLICY);
  return row;
}
