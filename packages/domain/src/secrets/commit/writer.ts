import { oncePerTransaction, statement, type Actor, type Transaction } from '../../kernel/index.ts';
import type { SecretActor } from './secret-actor.ts';

type Membership = Pick<SecretActor, 'membershipId' | 'groupId'>;

/** Its own membership before those of its groups. */
const MEMBERSHIP = statement(
  'commit.membership',
  `select membership_id as "membershipId", group_id as "groupId" from effective_memberships
   where organization_id = $1 and project_id = $2 and actor_id = $3 order by group_id nulls first limit 1`,
);

const NO_MEMBERSHIP: Membership = { membershipId: null, groupId: null };

/** The caller as a writer in a project; queried once per transaction. */
export async function writerIn(
  tx: Transaction,
  { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
): Promise<SecretActor> {
  const { actor } = tx;
  if (actor.type !== 'user' && actor.type !== 'identity') return { ...writerOf(actor), ...NO_MEMBERSHIP };
  const membership = await oncePerTransaction(tx, `membership ${projectId} ${actor.id}`, async () => {
    const [found] = await tx.sql<Membership>(MEMBERSHIP, [organizationId, projectId, actor.id]);
    return found ?? NO_MEMBERSHIP;
  });
  return { ...writerOf(actor), ...membership };
}

const writerOf = (actor: Actor) => ({
  actorId: 'id' in actor ? actor.id : null,
  actorType: actor.type,
  name: 'name' in actor ? actor.name : null,
});
