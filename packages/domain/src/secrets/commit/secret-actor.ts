import { z } from 'zod';
import { schemaNamed } from '../../kernel/schema.ts';

/** The writer of a version or commit, as stored with it: with the name and the membership of that time. */
export const SecretActor = schemaNamed(
  'SecretActor',
  z.object({
    actorId: z.string().nullable(),
    actorType: z.string().nullable(),
    name: z.string().nullable(),
    membershipId: z
      .string()
      .nullable()
      .describe('Membership of the actor in the project, or of the group that holds it'),
    groupId: z
      .string()
      .nullable()
      .describe('The group through which the actor was in the project, if only through one'),
  }),
);
export type SecretActor = z.output<typeof SecretActor>;
