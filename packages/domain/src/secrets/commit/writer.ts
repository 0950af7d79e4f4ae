import { z } from 'zod';
import { oncePerTransaction, statement, type Actor, type Transaction } from '../../kernel/index.ts';

/** Who wrote a version or a commit, as it is kept with it: by the name and the membership of that time. */
export const SecretActor = z.object({
  actorId: z.string().nullable(),
  actorType: z.string().nullable(),
  name: z.string().nullable(),
  membershipId: z.string().nullable().describe('Membership of the actor in the project, or of the group that holds it'),
  groupId: z.string().nullable().describe('The group through which the actor was in the project, if only through one'),
});
export type SecretActor = z.output<typeof SecretActor>;

type Membership = Pick<SecretActor, 'membershipId' | 'groupId'>;

/** Its own membership before those of its groups. */
const MEMBERSHIP = statement(
  'commit.membership',
  `select membership_id as "membershipId", group_id as "groupId" from effective_memberships
   where organization_id = $1 and project_id = $2 and actor_id = $3 order by group_id nulls first limit 1`,
);

const NO_MEMBERSHIP: Membership = { membershipId: null, groupId: null };

/** The caller as the writer of something in a project; asked once in a transaction. */
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
