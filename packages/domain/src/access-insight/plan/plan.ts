import { z } from 'zod';
import { defineEvent, Instant } from '../../kernel/schema.ts';
import { SeenActor } from '../effective-access/insight.ts';

/** The maximum number of changes in one response. */
export const MAX_CHANGES = 1000;

/** One or more actions that an actor gains or loses. */
export const PlannedChange = z.object({
  change: z.enum(['gained', 'lost']),
  actor: SeenActor.extend({ id: z.string().nullable().describe('null for an actor that the change would create') }),
  projectId: z.string().nullable().describe('null for rights in the organization itself'),
  projectName: z.string().nullable(),
  subject: z.string(),
  actions: z.array(z.string()),
  environment: z.string().nullable().describe('null for all, and where the right has no place'),
  secretPath: z.string().nullable().describe('The folder; null for all, and where the right has no place'),
  secretName: z.string().nullable().describe('The secret; null for all secrets in the folder'),
  conditions: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Further conditions, for rights that depend on more than existing folders and secrets'),
  from: Instant.nullable().describe('null: immediately'),
  until: Instant.nullable().describe('null: permanent'),
});
export type PlannedChange = z.output<typeof PlannedChange>;

/** The effects of a change of roles, groups, privileges or memberships on everybody's rights. */
export const Plan = z.object({
  operation: z.string().describe('The operation that was simulated'),
  changes: z.array(PlannedChange).describe(`Who would gain or lose what, and where; at most ${MAX_CHANGES} entries`),
  count: z.int().describe('Number of actions gained or lost that the caller may see, counted per actor and location'),
  hidden: z
    .object({ actors: z.int(), changes: z.int() })
    .describe(
      'Number of further changes that the caller may not see, and of the actors concerned. At locations that the caller may not see, changes are counted by the rules, whether or not anything exists there',
    ),
  isTruncated: z.boolean().describe('Whether there are more changes than are listed'),
  isPartial: z
    .boolean()
    .describe('Whether the comparison was cut off: there may be more changes than are listed and counted'),
});
export type Plan = z.output<typeof Plan>;

export const changePlanned = defineEvent(
  'access.change_planned',
  'plan-access-change',
  z.object({ operation: z.string(), changes: z.int() }),
);
