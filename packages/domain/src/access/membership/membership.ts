import { z } from 'zod';
import { schemaNamed, text, Timestamps, Uuid } from '../../kernel/schema.ts';
import { PublishedWindow, RecordedPeriod, recordedPeriod, storeWindow, Temporarily } from '../temporary.ts';

const role = text(64).trim().min(1).describe('A built-in role, or the slug of a custom role');

/** A role as callers assign it: by slug, forever or for a time (`relative`: from its start, for a duration). */
export const RoleAssignment = schemaNamed(
  'RoleAssignment',
  z.discriminatedUnion('isTemporary', [
    z.object({
      role,
      ...Temporarily,
    }),
    z.object({
      role,
      isTemporary: z.literal(false).default(false),
    }),
  ]),
);
export type RoleAssignment = z.output<typeof RoleAssignment>;

/** The roles of a member in an event. */
export const RecordedRoles = {
  roles: z.array(z.string()),
  temporary: z
    .array(z.object({ role: z.string(), ...RecordedPeriod }))
    .optional()
    .describe('Those of them that begin and end'),
};

/** What an event says of assigned roles. */
export function recordedRoles(roles: readonly RoleAssignment[]): {
  roles: string[];
  temporary?: { role: string; from?: string; until?: string }[];
} {
  const temporary = roles.flatMap((one) =>
    one.isTemporary ? { role: one.role, ...recordedPeriod(storeWindow(one)) } : [],
  );
  return { roles: roles.map((one) => one.role), ...(temporary.length > 0 && { temporary }) };
}

/** The roles of one member. */
export const RoleAssignments = z.array(RoleAssignment).min(1).max(50);

/**
 * The published form of a role of a membership: a built-in one by name, or `custom` with the role's own name and slug.
 */
export const MembershipRole = schemaNamed(
  'MembershipRole',
  z.object({
    id: Uuid,
    role: z.string(),
    customRoleId: z.string().nullable(),
    customRoleName: z.string().nullable(),
    customRoleSlug: z.string().nullable(),
    ...PublishedWindow,
  }),
);
export type MembershipRole = z.output<typeof MembershipRole>;

/** The published form of a project member's role, as the update of roles returns it. */
export const ChangedRole = MembershipRole.omit({ customRoleName: true, customRoleSlug: true }).extend({
  projectMembershipId: Uuid,
  ...Timestamps.shape,
});
export type ChangedRole = z.output<typeof ChangedRole>;
