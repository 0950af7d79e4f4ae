import {
  grantsWithin,
  organizationOf,
  organizationPermissions,
  projectPermissions,
  projectsWith,
  readable,
} from '../access/index.ts';
import type { Context } from '../kernel/index.ts';

/** Which events of its organization's log a caller may see: all, or those of some projects and its own. */
export type VisibleEvents =
  | { readonly all: true }
  | {
      readonly all: false;
      /** Projects that it belongs to and in which it has `audit-logs: read`. */
      readonly projectIds: readonly string[];
      /** Whose events count that belong to no project. */
      readonly actorId: string;
    };

const ofOrganization = organizationPermissions('audit-logs');
const ofProject = projectPermissions('audit-logs');

/**
 * The rule of who sees what of the audit log, for everything that reads it: `audit-logs: read-all` of the organization shows
 * all of it. Others see the events of the projects that they belong to, where they have `audit-logs: read` in that project
 * and call from an address that it trusts, and of those without a project what they did themselves.
 */
export async function visibleEvents(ctx: Context): Promise<VisibleEvents> {
  if (await readsAllEvents(ctx)) return { all: true };
  const { actor } = ctx;
  if (!('id' in actor)) return { all: false, projectIds: [], actorId: '' };
  const { grants } = await grantsWithin(ctx, organizationOf(ctx), { actorIds: [actor.id] });
  const memberOf = [...grants.keys()].filter((projectId) => projectId !== null);
  const projectIds = await projectsWith(ctx, ofProject.read, memberOf);
  return { all: false, projectIds: [...projectIds].toSorted(), actorId: actor.id };
}

/** Whether the caller reads the log of the whole organization. */
export async function readsAllEvents(ctx: Context): Promise<boolean> {
  return (await readable(ctx, ofOrganization['read-all']))({});
}
