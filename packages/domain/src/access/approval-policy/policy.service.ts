import {
  givenFields,
  badRequest,
  fewIn,
  inTransaction,
  newId,
  notFound,
  readInRoom,
  record,
  slugFrom,
  statement,
  type Context,
  type Transaction,
  isId,
} from '../../kernel/index.ts';
import { authorize, authorizeById, organizationOf, unlessHidden } from '../access.ts';
import { approverBytes, approversOf } from './approver.ts';
import { findPolicies, findPolicy, holdAccessPolicies, lockPolicies } from './find.ts';
import { requireMayDecidePolicies, requireMayExempt, setExemptIdentities } from './exemption.ts';
import { policiesAt } from './pick.ts';
import {
  approvalPermissions,
  policyEvents,
  type ApproverRef,
  type StoredPolicy,
  type CreateChangePolicy,
  type PolicyKind,
  type PolicyOnBoard,
  type UpdateChangePolicy,
} from './policy.ts';

const ENVIRONMENT = statement(
  'approval_policies.environment',
  'select id from environments where organization_id = $1 and project_id = $2 and slug = $3',
);
const INSERT = statement(
  'approval_policies.insert',
  `insert into approval_policies (id, organization_id, project_id, environment_id, kind, name, secret_path, approvals,
     enforcement_level, allowed_self_approvals, exempt_machines, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)`,
);
const UPDATE = statement(
  'approval_policies.update',
  `update approval_policies set name = $2, secret_path = $3, approvals = $4, enforcement_level = $5,
     allowed_self_approvals = $6, exempt_machines = $7, updated_at = $8 where id = $1`,
);
const DELETE = statement(
  'approval_policies.delete',
  'update approval_policies set deleted_at = $2, updated_at = $2 where id = $1',
);

/** Each change is compared with all of them, of both kinds, and so is each request. */
const requireFewPolicies = fewIn(
  'project',
  { table: 'approval_policies', most: 200, code: 'policy.too_many', of: 'policies' },
  'deleted_at is null',
);

/** The policies of a project that are in force, the oldest first. */
export async function listPolicies(
  ctx: Context,
  kind: PolicyKind,
  { projectId }: { projectId: string },
): Promise<StoredPolicy[]> {
  await authorize(ctx, approvalPermissions.read, { projectId });
  return findPolicies(ctx, kind, projectId);
}

/** One policy; 404 if it was deleted. */
export async function getPolicy(
  ctx: Context,
  kind: PolicyKind,
  { policyId }: { policyId: string },
): Promise<StoredPolicy> {
  const policy = await findPolicy(ctx, kind, policyId);
  await unlessHidden('policy', authorizeById(ctx, approvalPermissions.read, policy));
  return policy;
}

/** How many policies of an environment are in force. @throws DomainError 404 for an unknown environment. */
export async function countPolicies(
  ctx: Context,
  kind: PolicyKind,
  { projectId, environment }: { projectId: string; environment: string },
): Promise<number> {
  await authorize(ctx, approvalPermissions.read, { projectId });
  await requireEnvironment(ctx, projectId, environment);
  const policies = await findPolicies(ctx, kind, projectId);
  return policies.filter((policy) => policy.environment.slug === environment).length;
}

/** All policies that cover a folder, existing or not, with their approvers, the strictest first. All of them apply. */
export async function policiesOnBoard(
  ctx: Context,
  kind: PolicyKind,
  { projectId, environment, secretPath }: { projectId: string; environment: string; secretPath: string },
): Promise<PolicyOnBoard[]> {
  await authorize(ctx, approvalPermissions.read, { projectId });
  await requireEnvironment(ctx, projectId, environment);
  const policies = await policiesAt(
    (await findPolicies(ctx, kind, projectId)).filter((one) => one.environment.slug === environment),
    secretPath,
  );
  const ids = policies.map(({ id }) => id);
  return readInRoom(ctx, async (room) => {
    const approvers = await approversOf(ctx, projectId, ids);
    room.take(approverBytes(approvers, ids));
    return policies.map((policy) => ({ ...policy, userApprovers: [...approvers.of(policy.id)] }));
  });
}

/**
 * Creates a policy. It applies to changes from then on, and to open requests when they are merged, together with all
 * other policies that cover the same folder. Exempting machines also needs the right to edit policies.
 *
 * @throws DomainError 404 for an unknown environment, and for approvers and exempt identities that are not in the
 * project; 400 if it requires more approvals than it has approvers, or the project has too many policies; 403, also by a right
 * that ends.
 */
export async function createPolicy(ctx: Context, kind: PolicyKind, input: CreateChangePolicy): Promise<StoredPolicy> {
  const { projectId, environment, secretPath = null, approvals, enforcementLevel, allowedSelfApprovals } = input;
  const { exemptIdentityIds = [], exemptMachines = false } = input;
  await authorize(ctx, approvalPermissions.create, { projectId });
  await requireMayDecidePolicies(ctx, projectId, 'create');
  await requireMayExempt(ctx, projectId, input);
  return inTransaction(ctx, async (tx) => {
    if (kind === 'access') await holdAccessPolicies(tx, projectId, 'exclusive');
    const environmentId = await requireEnvironment(tx, projectId, environment);
    const [id, organizationId] = [newId(), organizationOf(tx)];
    const name = input.name ?? slugFrom('policy', 32);
    const content = [name, secretPath, approvals, enforcementLevel, allowedSelfApprovals, exemptMachines, tx.now()];
    await tx.sql(INSERT, [id, organizationId, projectId, environmentId, kind, ...content]);
    await requireFewPolicies(tx, projectId);
    await setApprovers(tx, { id, projectId, approvals }, input.approvers);
    if (exemptIdentityIds.length > 0) await setExemptIdentities(tx, { id, projectId }, exemptIdentityIds);
    const policy = await findPolicy(tx, kind, id);
    record(tx, policyEvents[kind].created, rulesOf(kind, policy), { projectId });
    return policy;
  });
}

/**
 * Updates the given fields of a policy, also for open requests under it.
 *
 * @throws DomainError as for creating a policy.
 */
export function updatePolicy(ctx: Context, kind: PolicyKind, input: UpdateChangePolicy): Promise<StoredPolicy> {
  const { policyId: id, approvers, exemptIdentityIds, ...given } = input;
  return inTransaction(ctx, async (tx) => {
    const policy = await lockToChange(tx, kind, id, 'edit');
    const { name: _, ...rules } = definedOf({ ...given, approvers, exemptIdentityIds });
    if (Object.keys(rules).length > 0) await requireMayDecidePolicies(tx, policy.projectId, 'edit');
    const { projectId } = policy;
    const next = { ...policy, ...definedOf(given) };
    const { name, secretPath, approvals, enforcementLevel, allowedSelfApprovals, exemptMachines } = next;
    const content = [name, secretPath, approvals, enforcementLevel, allowedSelfApprovals, exemptMachines];
    await tx.sql(UPDATE, [id, ...content, tx.now()]);
    await setApprovers(tx, { id, projectId, approvals }, approvers);
    if (exemptIdentityIds) await setExemptIdentities(tx, { id, projectId }, exemptIdentityIds);
    const updated = await findPolicy(tx, kind, id);
    const changed = givenFields({ ...given, approvers, exemptIdentityIds });
    record(tx, policyEvents[kind].updated, { ...rulesOf(kind, updated), changed }, { projectId });
    return updated;
  });
}

/** Deletes a policy; `endRequests` closes its open requests. */
export function deletePolicy(
  ctx: Context,
  kind: PolicyKind,
  { policyId: id }: { policyId: string },
  endRequests: (tx: Transaction, policy: StoredPolicy) => Promise<unknown>,
): Promise<StoredPolicy> {
  return inTransaction(ctx, async (tx) => {
    const policy = await lockToChange(tx, kind, id, 'delete');
    await requireMayDecidePolicies(tx, policy.projectId, 'delete');
    await tx.sql(DELETE, [id, tx.now()]);
    await endRequests(tx, policy);
    record(tx, policyEvents[kind].deleted, eventData(policy), { projectId: policy.projectId });
    return { ...policy, deletedAt: tx.now(), updatedAt: tx.now() };
  });
}

async function lockToChange(
  tx: Transaction,
  kind: PolicyKind,
  id: string,
  action: 'edit' | 'delete',
): Promise<StoredPolicy> {
  const { projectId } = await findPolicy(tx, kind, id);
  await unlessHidden('policy', authorizeById(tx, approvalPermissions[action], { projectId }));
  if (kind === 'access') await holdAccessPolicies(tx, projectId, 'exclusive');
  const policy = (await lockPolicies(tx, kind, [id], 'update')).get(id);
  if (!policy || policy.deletedAt) throw notFound('policy');
  return policy;
}

async function requireEnvironment(ctx: Context, projectId: string, slug: string): Promise<string> {
  const [environment] = await ctx.sql<{ id: string }>(ENVIRONMENT, [organizationOf(ctx), projectId, slug]);
  if (!environment) throw notFound('environment', { environment: slug });
  return environment.id;
}

/** The approvers, of those given by ID or name, that are currently in the project. */
const FIND_APPROVERS = statement(
  'approval_policies.find_approvers',
  `select w.ordinal::integer as ordinal, h.actor_id as "userId", m.group_id as "groupId"
   from unnest($3::boolean[], $4::uuid[], $5::text[]) with ordinality as w (is_user, id, username, ordinal)
   left join lateral (
     select id from users where id = w.id union select id from users where username = lower(w.username)
   ) u on w.is_user
   left join lateral (select actor_id from effective_memberships
     where organization_id = $1 and project_id = $2 and actor_id = u.id limit 1) h on true
   left join memberships m on not w.is_user and m.organization_id = $1 and m.project_id = $2 and m.group_id = w.id
   where h.actor_id is not null or m.group_id is not null`,
);
/** Unchanged approvers keep their rows, and so their approvals. */
const REMOVE_APPROVERS = statement(
  'approval_policies.remove_approvers',
  `delete from approval_policy_approvers where policy_id = $1
   and not (coalesce(user_id, group_id) = any($2::uuid[]))`,
);
const ADD_APPROVERS = statement(
  'approval_policies.add_approvers',
  `insert into approval_policy_approvers (id, organization_id, policy_id, user_id, group_id, created_at)
   select r.id, $1, $2, r.user_id, r.group_id, $3 from unnest($4::uuid[], $5::uuid[], $6::uuid[]) as r (id, user_id, group_id)
   on conflict on constraint approval_policy_approvers_unique do nothing`,
);
const COUNT_APPROVERS = statement(
  'approval_policies.count_approvers',
  `select count(user_id)::integer as users, count(group_id)::integer as groups from approval_policy_approvers where policy_id = $1`,
);

/** Sets the approvers of a policy; without any, it keeps its own. */
async function setApprovers(
  tx: Transaction,
  { id, projectId, approvals }: Pick<StoredPolicy, 'id' | 'projectId' | 'approvals'>,
  approvers: readonly ApproverRef[] | undefined,
): Promise<void> {
  const organizationId = organizationOf(tx);
  if (approvers) {
    const found = await tx.sql<{ ordinal: number; userId: string | null; groupId: string | null }>(FIND_APPROVERS, [
      organizationId,
      projectId,
      approvers.map(({ type }) => type === 'user'),
      approvers.map((one) => (one.id !== undefined && isId(one.id) ? one.id : null)),
      approvers.map((one) => (one.id === undefined ? (one.name ?? one.username ?? null) : null)),
    ]);
    if (new Set(found.map(({ ordinal }) => ordinal)).size < approvers.length) throw notFound('approver');
    await tx.sql(REMOVE_APPROVERS, [id, found.map((one) => one.userId ?? one.groupId)]);
    await tx.sql(ADD_APPROVERS, [
      organizationId,
      id,
      tx.now(),
      found.map(() => newId()),
      found.map((one) => one.userId),
      found.map((one) => one.groupId),
    ]);
  }
  // How many a group has changes; how many people are named does not.
  const [count] = await tx.sql<{ users: number; groups: number }>(COUNT_APPROVERS, [id]);
  if (count!.groups === 0 && count!.users < approvals)
    throw badRequest('policy.approvals', 'The policy requires more approvals than it has approvers', { approvals });
}

const definedOf = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Given]: Exclude<Given[Name], undefined>;
  };

const eventData = ({ id: policyId, name, environment, secretPath }: StoredPolicy) => ({
  policyId,
  name,
  environment: environment.slug,
  secretPath,
});

/** What the policy requires, for its events. */
function rulesOf(kind: PolicyKind, policy: StoredPolicy) {
  const { approvals, enforcementLevel, allowedSelfApprovals, exemptIdentityIds, exemptMachines } = policy;
  const approvers = policy.approvers.map(({ type, id }) => ({ type, id }));
  const exempt = kind === 'change' ? { exemptIdentityIds, exemptMachines } : {};
  return { ...eventData(policy), approvals, enforcementLevel, allowedSelfApprovals, approvers, ...exempt };
}
