import { actorIdOf, oncePerTransaction, perKey, type Actor, type Transaction } from '../../kernel/index.ts';
import type { SecretActor } from './secret-actor.ts';

type Membership = Pick<SecretActor, 'membershipId' | 'groupId'>;

/** Its own membership before those of its groups. */
const MEMBERSHIP = perKey(
  'commit.membership',
  { organization_id: 'uuid', project_id: 'uuid', actor_id: 'uuid' },
  `select m.membership_id as "membershipId", m.group_id as "groupId" from effective_memberships m
   where m.organization_id = w.organization_id and m.project_id = w.project_id and m.actor_id = w.actor_id
   order by m.group_id nulls first limit 1`,
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
    const found = await tx.one<Membership>(MEMBERSHIP, [organizationId, projectId, actor.id]);
    return found ? { membershipId: found.membershipId, groupId: found.groupId } : NO_MEMBERSHIP;
  });
  return { ...writerOf(actor), ...membership };
}

const writerOf = (actor: Actor) => ({
  actorId: actorIdOf(actor),
  actorType: actor.type,
  name: 'name' in actor ? actor.name : null,
});
