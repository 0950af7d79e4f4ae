import {
  organizationOf,
  organizationPermissions,
  projectPermissions,
  projectsWith,
  readable,
} from '../access/index.ts';
import { statement, type Context } from '../kernel/index.ts';

/** The events of its organization's log that a caller may see: all, or those of some projects and its own. */
export type VisibleEvents =
  | { readonly all: true }
  | {
      readonly all: false;
      /** Projects that it belongs to and in which it has `audit-logs: read`. */
      readonly projectIds: readonly string[];
      /** Whose events count that belong to no project. */
      readonly actorId: string;
    };

const MEMBER_OF = statement(
  'audit_log.member_of',
  `select distinct project_id as id from effective_memberships
   where organization_id = $1 and actor_id = $2 and project_id is not null`,
);
const ofOrganization = organizationPermissions('audit-logs');
const ofProject = projectPermissions('audit-logs');

/**
 * Which audit events a caller may see, for every reader of the log: `audit-logs: read-all` in the organization gives
 * all. Others see the events of the projects in which they are members, hold `audit-logs: read` and call from a trusted
 * address, and their own events that belong to no project.
 */
export async function visibleEvents(ctx: Context): Promise<VisibleEvents> {
  if (await readsAllEvents(ctx)) return { all: true };
  const { actor } = ctx;
  if (!('id' in actor)) return { all: false, projectIds: [], actorId: '' };
  const memberOf = await ctx.sql<{ id: string }>(MEMBER_OF, [organizationOf(ctx), actor.id]);
  const projectIds = await projectsWith(
    ctx,
    ofProject.read,
    memberOf.map(({ id }) => id),
  );
  return { all: false, projectIds: [...projectIds].toSorted(), actorId: actor.id };
}

/** Whether the caller reads the log of the whole organization. */
export async function readsAllEvents(ctx: Context): Promise<boolean> {
  return (await readable(ctx, ofOrganization['read-all']))({});
}
