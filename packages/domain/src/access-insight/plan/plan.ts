import { z } from 'zod';
import { defineEvent, Instant } from '../../kernel/index.ts';
import { SeenActor } from '../effective-access/index.ts';

/** How many changes one answer holds. */
export const MAX_CHANGES = 1000;

/** One or more actions that somebody gains or loses. */
export const PlannedChange = z.object({
  change: z.enum(['gained', 'lost']),
  actor: SeenActor.extend({ id: z.string().nullable().describe('null for somebody who would only be made by this') }),
  projectId: z.string().nullable().describe('null for rights in the organization itself'),
  projectName: z.string().nullable(),
  subject: z.string(),
  actions: z.array(z.string()),
  environment: z.string().nullable().describe('null for all, and where the right has no place'),
  secretPath: z.string().nullable().describe('The folder; null for all, and where the right has no place'),
  secretName: z.string().nullable().describe('The secret; null for all that are in the folder'),
  conditions: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What else limits it: for rights that depend on more than the places that there are now'),
  from: Instant.nullable().describe('null for at once'),
  until: Instant.nullable().describe('null for good'),
});
export type PlannedChange = z.output<typeof PlannedChange>;

/** What a change of roles, groups, privileges or memberships would do to anybody's rights. */
export const Plan = z.object({
  operation: z.string().describe('The operation that was not carried out'),
  changes: z.array(PlannedChange).describe(`Who would gain or lose what, and where; at most ${MAX_CHANGES} of them`),
  count: z.int().describe('How many actions that the caller may see are gained or lost, each person and place counted'),
  hidden: z
    .object({ actors: z.int(), changes: z.int() })
    .describe(
      'How much more there is that the caller may not see, and how many it concerns. What changes at places that it does not see counts by the rules, whether or not there is anything',
    ),
  isTruncated: z.boolean().describe('Whether there are more changes than are listed'),
  isPartial: z
    .boolean()
    .describe('Whether there was too much to compare: there may be more changes than are listed and counted'),
});
export type Plan = z.output<typeof Plan>;

export const changePlanned = defineEvent(
  'access.change_planned',
  'plan-access-change',
  z.object({ operation: z.string(), changes: z.int() }),
);
