import type { CofferError, PrivilegeSummary, PublishedRule } from '@coffer/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { usePlannedChange, type PlannedChange } from '../access/planned.ts';
import type { toWindow } from '../access/window.ts';
import type { toPermissions } from '../rules/rule.ts';

/** A privilege as it is sent. */
export interface EditedPrivilege {
  readonly slug?: string;
  readonly permissions: ReturnType<typeof toPermissions>;
  readonly type: ReturnType<typeof toWindow>;
}

export type Privilege = PrivilegeSummary & { readonly permissions: readonly PublishedRule[] };

/** The privileges of one member of a project. */
export interface PrivilegeScope {
  readonly list: UseQueryResult<{ privileges: PrivilegeSummary[] }, CofferError>;
  /** The one that is open. */
  readonly opened: UseQueryResult<{ privilege: Privilege }, CofferError>;
  readonly create: PlannedChange<EditedPrivilege>;
  readonly update: PlannedChange<EditedPrivilege>;
  readonly remove: PlannedChange<object>;
}

export function useUserPrivileges(projectMembershipId: string, privilegeId: string): PrivilegeScope {
  return {
    list: useQuery(ask('userPrivileges', 'list', { projectMembershipId })),
    opened: useQuery({ ...ask('userPrivileges', 'get', { privilegeId }), enabled: privilegeId !== '' }),
    create: usePlannedChange('userPrivileges', 'create', { common: { projectMembershipId } }),
    update: usePlannedChange('userPrivileges', 'update', { common: { privilegeId } }),
    remove: usePlannedChange('userPrivileges', 'delete', { common: { privilegeId } }),
  };
}

export function useIdentityPrivileges(projectId: string, identityId: string, id: string): PrivilegeScope {
  const common = { projectId, identityId };
  return {
    list: useQuery(ask('identityPrivileges', 'list', common)),
    opened: useQuery({ ...ask('identityPrivileges', 'get', { id }), enabled: id !== '' }),
    create: usePlannedChange('identityPrivileges', 'create', { common }),
    update: usePlannedChange('identityPrivileges', 'update', { common: { id } }),
    remove: usePlannedChange('identityPrivileges', 'delete', { common: { id } }),
  };
}
