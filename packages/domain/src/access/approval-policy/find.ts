import { at, atOrNull, isId, notFound, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { organizationOf } from '../access.ts';
import type { Approver, StoredPolicy, EnforcementLevel, PolicyKind } from './policy.ts';

interface Row {
  id: string;
  projectId: string;
  environmentId: string;
  environment: string;
  environmentName: string;
  name: string;
  secretPath: string | null;
  approvals: number;
  enforcementLevel: EnforcementLevel;
  allowedSelfApprovals: boolean;
  approvers: Approver[];
  exemptMachines: boolean;
  exemptIdentityIds: string[];
  deletedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

const SELECT = `
  select p.id, p.project_id as "projectId", p.environment_id as "environmentId", e.slug as environment,
    e.name as "environmentName", p.name, p.secret_path as "secretPath",
    p.approvals, p.enforcement_level as "enforcementLevel", p.allowed_self_approvals as "allowedSelfApprovals",
    p.exempt_machines as "exemptMachines", p.deleted_at as "deletedAt", p.created_at as "createdAt",
    p.updated_at as "updatedAt",
    array(select x.identity_id from approval_policy_exemptions x where x.policy_id = p.id
      order by x.created_at, x.identity_id) as "exemptIdentityIds",
    (select coalesce(json_agg(json_build_object('id', coalesce(a.user_id, a.group_id),
         'type', case when a.user_id is null then 'group' else 'user' end, 'name', coalesce(u.username, g.name))
       order by a.created_at, a.id), '[]')
     from approval_policy_approvers a left join users u on u.id = a.user_id left join groups g on g.id = a.group_id
     where a.policy_id = p.id) as approvers
  from approval_policies p join environments e on e.id = p.environment_id
  where p.organization_id = $1`;
const LIST = statement(
  'approval_policies.list',
  `${SELECT} and p.project_id = $2 and p.kind = $3 and p.deleted_at is null order by p.created_at, p.id`,
);
const BY_ID = statement('approval_policies.by_id', `${SELECT} and p.kind = $2 and p.id = any($3::uuid[])`);
const LOCK = statement(
  'approval_policies.lock',
  'select id from approval_policies where id = any($1::uuid[]) order by id for share',
);
const LOCK_TO_CHANGE = statement(
  'approval_policies.lock_to_change',
  'select id from approval_policies where id = any($1::uuid[]) order by id for update',
);

/** The active policies of a project, oldest first. Here and below, the rights of the caller are not checked. */
export const findPolicies = async (ctx: Context, kind: PolicyKind, projectId: string): Promise<StoredPolicy[]> =>
  (await ctx.sql<Row>(LIST, [organizationOf(ctx), projectId, kind])).map(toPolicy);

/** Policies by their IDs, including deleted ones. */
export async function policiesById(
  ctx: Context,
  kind: PolicyKind,
  ids: readonly string[],
): Promise<Map<string, StoredPolicy>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.sql<Row>(BY_ID, [organizationOf(ctx), kind, [...new Set(ids)]]);
  return new Map(rows.map((row) => [row.id, toPolicy(row)]));
}

/** The same within a transaction, locked until its end; `update` also locks out other readers of this kind. */
export async function lockPolicies(
  ctx: Context,
  kind: PolicyKind,
  ids: readonly string[],
  how: 'share' | 'update' = 'share',
): Promise<Map<string, StoredPolicy>> {
  await ctx.sql(how === 'share' ? LOCK : LOCK_TO_CHANGE, [ids.toSorted()]);
  return policiesById(ctx, kind, ids);
}

const HOLD = {
  shared: statement('approval_policies.hold', 'select pg_advisory_xact_lock_shared(hashtextextended($1, 74))'),
  exclusive: statement('approval_policies.hold_to_change', 'select pg_advisory_xact_lock(hashtextextended($1, 74))'),
};

/**
 * Locks, until the transaction ends, which access policies a project has and what they cover: `shared` where a request is
 * decided by all that cover it, before they are found; `exclusive` where one is created or changed. It comes before the locks
 * of policies. Change policies need none: those that a write has read are compared before its commit.
 */
export async function holdAccessPolicies(tx: Transaction, projectId: string, how: keyof typeof HOLD): Promise<void> {
  await tx.sql(HOLD[how], [projectId]);
}

/** @throws DomainError 404 for everything but the ID of an active policy of the caller's organization. */
export async function findPolicy(ctx: Context, kind: PolicyKind, policyId: string): Promise<StoredPolicy> {
  const policy = isId(policyId) ? (await policiesById(ctx, kind, [policyId])).get(policyId) : undefined;
  if (!policy || policy.deletedAt) throw notFound('policy');
  return policy;
}

const toPolicy = (row: Row): StoredPolicy => ({
  id: row.id,
  name: row.name,
  secretPath: row.secretPath,
  approvals: row.approvals,
  envId: row.environmentId,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
  enforcementLevel: row.enforcementLevel,
  deletedAt: atOrNull(row.deletedAt),
  allowedSelfApprovals: row.allowedSelfApprovals,
  environment: { id: row.environmentId, name: row.environmentName, slug: row.environment },
  projectId: row.projectId,
  approvers: row.approvers,
  exemptMachines: row.exemptMachines,
  exemptIdentityIds: row.exemptIdentityIds,
});
