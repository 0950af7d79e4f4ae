import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import type { Assignable } from './roles.tsx';
import { texts } from './texts.ts';

/** What everybody can name, also those who may not read roles. */
const builtIn = (
  ...roles: readonly (readonly [slug: string, name: string])[]
): readonly (Assignable & { id: string })[] => roles.map(([slug, name]) => ({ id: slug, slug, name }));
const PROJECT = builtIn(
  ['admin', texts.admin],
  ['member', texts.developer],
  ['viewer', texts.viewer],
  ['no-access', texts.noAccess],
);
const ORGANIZATION = builtIn(['admin', texts.admin], ['member', texts.member], ['no-access', texts.noAccess]);

/** The roles that can be given in a project. */
export function useProjectRoles(projectId: string): readonly Assignable[] {
  const { data } = useQuery({ ...ask('projectRoles', 'list', { projectId }), enabled: projectId !== '' });
  return data?.roles ?? PROJECT;
}

/** The name of a role that somebody has in any project. */
export const nameOfProjectRole = ({ role, customRoleName }: { role: string; customRoleName: string | null }): string =>
  customRoleName ?? PROJECT.find(({ slug }) => slug === role)?.name ?? role;

/** The name of a role of the project that one is in, or outside of projects of the organization. */
export function useRoleName(): (slug: string) => string {
  const projectId = useProjectId();
  const [inProject, inOrganization] = [useProjectRoles(projectId), useOrganizationRoles()];
  const known = projectId ? inProject : inOrganization;
  return (slug) => known.find((role) => role.slug === slug)?.name ?? slug;
}

/** The roles that can be given in the organization. The ID of a built-in one is its slug. */
export function useOrganizationRoles(): readonly (Assignable & { readonly id: string })[] {
  const { data } = useQuery(ask('organizationRoles', 'list', {}));
  return data?.data.roles ?? ORGANIZATION;
}
