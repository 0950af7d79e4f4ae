import { DomainError, type Context } from '../kernel/index.ts';
import { organizationPermissions } from './catalogue.ts';
import { mayUntil, type Until } from './period.ts';

/** May enter every project of the organization, a member of it or not. */
export const { 'access-all-projects': accessAllProjects } = organizationPermissions('organization-admin-console');

/**
 * Until when the caller may enter every project of the organization. Such a caller needs no rights of its own in a
 * project: it can make itself an administrator there. Evaluated once per comparison, then applied to each granted item
 * (see `isCoveredByAllProjects`). `-Infinity` for a caller without rights in the organization, such as a service token.
 */
export async function entersAllProjectsUntil(ctx: Context, organizationId: string): Promise<number> {
  try {
    return await mayUntil(ctx, { organizationId }, accessAllProjects);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return -Infinity;
    throw error;
  }
}

/** Whether the right to enter all projects until `entersUntil` covers a grant in a project until `until`. */
export function isCoveredByAllProjects(ctx: Context, entersUntil: number, until: Until): boolean {
  const now = ctx.now().getTime();
  return entersUntil > now && (until === 'now' || entersUntil >= until);
}
