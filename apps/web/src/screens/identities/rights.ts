import { useOrganizationRights, useProjectRights } from '../../app/rights.ts';

/** The actions on `identity` by which something may be done: in the organization, and in a project. */
const ACTIONS = {
  attach: ['create', 'create'],
  edit: ['edit', 'edit'],
  delete: ['delete', 'delete'],
  createClientSecret: ['create', 'create-token'],
  revokeClientSecret: ['delete', 'delete-token'],
  createToken: ['edit', 'create-token'],
  revokeToken: ['edit', 'delete-token'],
} as const;

/** Whether to offer it for a machine identity. */
export type MayOnIdentity = (what: keyof typeof ACTIONS) => boolean;

/** The rights where an identity belongs to: in its project, or in the organization. */
export function useRightsOnIdentity({ projectId }: { readonly projectId: string | null }): MayOnIdentity {
  const inProject = useProjectRights(projectId ?? '');
  const inOrganization = useOrganizationRights();
  return (what) => {
    const [organization, project] = ACTIONS[what];
    return projectId === null ? inOrganization('identity', organization) : inProject('identity', project);
  };
}
