import { abilityIn, absentActor, actingAs, organizationOf, type AbsentActor } from '../../access/index.ts';
import { badRequest, DomainError, statement, type Actor, type Context, type Transaction } from '../../kernel/index.ts';
import type { RequestRow } from './row.ts';

/** The requester of a change; `undefined` for replication by Coffer, and for a deleted user. */
export function committerOf(row: RequestRow): AbsentActor | undefined {
  if (row.committerUserId !== null) return { type: 'user', id: row.committerUserId };
  const { committerMachineType: type, committerMachineId: id } = row;
  return type === null || id === null ? undefined : { type, id };
}

/** The columns that name the caller as the committer: a user's id, or the type, id and name of a machine. */
export function committerColumns({ actor }: Context): [string | null, string | null, string | null, string | null] {
  if (actor.type === 'user') return [actor.id, null, null, null];
  if (actor.type === 'identity' || actor.type === 'service') return [null, actor.type, actor.id, actor.name];
  return [null, null, null, null];
}

/** The requester as an actor with its current state; Coffer itself for replication. `undefined` if it was deleted. */
export async function presentCommitter(ctx: Context, row: RequestRow): Promise<Actor | undefined> {
  const organizationId = organizationOf(ctx);
  if (row.isReplicated) return { type: 'platform', organizationId };
  const committer = committerOf(row);
  return committer && absentActor(ctx, { organizationId, projectId: row.projectId }, committer);
}

/**
 * The transaction as the requester, with its current rights.
 *
 * @throws DomainError 400 `secret_approval.committer` if it was deleted, has expired, or is no longer in the project.
 */
export async function asCommitter(tx: Transaction, row: RequestRow): Promise<Transaction> {
  const actor = await presentCommitter(tx, row);
  if (!actor) throw committerGone();
  const as = actingAs(tx, actor);
  if (actor.type === 'platform') return as;
  try {
    await abilityIn(as, row.projectId);
  } catch (error) {
    throw error instanceof DomainError ? committerGone() : error;
  }
  return as;
}

export const committerGone = () =>
  badRequest(
    'secret_approval.committer',
    'The committer of this change request no longer has the rights for it. Close the request and let a user with these rights create a new one',
  );

/**
 * The users behind some requests: the committer; the creator of a service token; the issuers of credentials of a
 * machine identity, or of an identity that issued one; and the user who set up a replication. Their approval is a
 * self-approval.
 */
const BEHIND = statement(
  'secret_approvals.behind',
  `with recursive behind (request_id, id) as (
     select r.id, s.id from secret_approval_requests r
     left join secret_imports i on r.is_replicated and i.project_id = r.project_id and i.id::text = r.replicates
     cross join lateral (select coalesce(r.committer_user_id, r.committer_machine_id, (i.replicated_by->>'id')::uuid) as id) s
     where r.id = any($1::uuid[]) and s.id is not null
     union
     select b.request_id, n.id from behind b cross join lateral (
       select t.created_by as id from service_tokens t where t.id = b.id
       union all
       select c.issuer_id from identity_credential_issuers c where c.identity_id = b.id
     ) n
   )
   select b.request_id as "requestId", b.id as "userId" from behind b join users u on u.id = b.id`,
);

/** The users whose approvals of some requests are self-approvals, by request. */
export async function usersBehind(
  ctx: Context,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows =
    requestIds.length === 0 ? [] : await ctx.sql<{ requestId: string; userId: string }>(BEHIND, [requestIds]);
  const byRequest = Map.groupBy(rows, ({ requestId }) => requestId);
  return new Map(requestIds.map((id) => [id, new Set((byRequest.get(id) ?? []).map(({ userId }) => userId))]));
}
