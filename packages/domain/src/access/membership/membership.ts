import { z } from 'zod';
import { duration, instant, Instant, Uuid } from '../../kernel/index.ts';

/** A role as callers assign it: by slug, for ever or for a time (`relative`: from its start, for a duration). */
export const RoleAssignment = z.union([
  z.object({
    role: z.string().trim().min(1).max(64).describe('A built-in role, or the slug of a custom one'),
    isTemporary: z.literal(true),
    temporaryMode: z.literal('relative'),
    temporaryRange: duration().describe('Such as 30m, 1h, 2d'),
    temporaryAccessStartTime: instant().describe('ISO 8601'),
  }),
  z.object({
    role: z.string().trim().min(1).max(64).describe('A built-in role, or the slug of a custom one'),
    isTemporary: z.literal(false).default(false),
  }),
]);
export type RoleAssignment = z.output<typeof RoleAssignment>;

/** A role of a membership as it is answered: a built-in one by name, or `custom` with the role's own name and slug. */
export const MembershipRole = z.object({
  id: Uuid,
  role: z.string(),
  customRoleId: z.string().nullable(),
  customRoleName: z.string().nullable(),
  customRoleSlug: z.string().nullable(),
  isTemporary: z.boolean(),
  temporaryMode: z.string().nullable(),
  temporaryRange: z.string().nullable(),
  temporaryAccessStartTime: Instant.nullable(),
  temporaryAccessEndTime: Instant.nullable(),
});
export type MembershipRole = z.output<typeof MembershipRole>;
