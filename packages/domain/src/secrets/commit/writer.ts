import { z } from 'zod';
import type { Actor } from '../../kernel/index.ts';

/** Who wrote a version or a commit, as it is kept with it: the name is the one of that time. */
export const SecretActor = z.object({
  actorId: z.string().nullable(),
  actorType: z.string().nullable(),
  name: z.string().nullable(),
  membershipId: z.string().nullable(),
  groupId: z.string().nullable(),
});
export type SecretActor = z.output<typeof SecretActor>;

export const writerOf = (actor: Actor): SecretActor => ({
  actorId: 'id' in actor ? actor.id : null,
  actorType: actor.type,
  name: 'name' in actor ? actor.name : null,
  membershipId: null,
  groupId: null,
});
