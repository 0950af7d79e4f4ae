// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type ChangePolicy = {
  /** UUID */
  id: string;
  name: string;
  /** A folder or a glob of folders; null for the whole environment */
  secretPath: string | null;
  /** How many have to approve */
  approvals: number;
  /** UUID */
  envId: string;
  createdAt: string;
  updatedAt: string;
  enforcementLevel: 'hard' | 'soft';
  deletedAt: string | null;
  /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
  allowedSelfApprovals: boolean;
  environment: {
    /** UUID */
    id: string;
    name: string;
    slug: string;
  };
  /** UUID */
  projectId: string;
  approvers: {
    /** UUID of the user or group */
    id: string;
    type: 'user' | 'group';
    /** The user's name, or the group's */
    name: string;
  }[];
  /** Machine identities that write without its approvals */
  exemptIdentityIds: string[];
  /** Whether all machine identities and service tokens of the project write without its approvals */
  exemptMachines: boolean;
};

export type PolicyOnBoard = {
  /** UUID */
  id: string;
  name: string;
  /** A folder or a glob of folders; null for the whole environment */
  secretPath: string | null;
  /** How many have to approve */
  approvals: number;
  /** UUID */
  envId: string;
  createdAt: string;
  updatedAt: string;
  enforcementLevel: 'hard' | 'soft';
  deletedAt: string | null;
  /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
  allowedSelfApprovals: boolean;
  environment: {
    /** UUID */
    id: string;
    name: string;
    slug: string;
  };
  /** UUID */
  projectId: string;
  approvers: {
    /** UUID of the user or group */
    id: string;
    type: 'user' | 'group';
    /** The user's name, or the group's */
    name: string;
  }[];
  /** Machine identities that write without its approvals */
  exemptIdentityIds: string[];
  /** Whether all machine identities and service tokens of the project write without its approvals */
  exemptMachines: boolean;
  userApprovers: {
    /** UUID */
    userId: string;
  }[];
};

export interface SecretApprovalsApi {
  /**
   * List the change policies of a project.
   *
   * `GET /api/v1/secret-approvals`
   * Needs `read` on `secret-approval`.
   */
  list: Query<
    {
      /** The project's id */
      workspaceId: string;
    },
    { approvals: ChangePolicy[] }
  >;
  /**
   * Show the change policies that cover a folder.
   *
   * All of `policies` apply together, the strictest first; `policy` is the first of them, and absent where there is none.
   *
   * `GET /api/v1/secret-approvals/board`
   * Needs `read` on `secret-approval`.
   */
  board: Query<
    {
      /** The project's id */
      workspaceId: string;
      /** The slug of an environment */
      environment: string;
      /** The path of a folder, such as /app/config */
      secretPath: string;
    },
    { policy?: PolicyOnBoard; policies: PolicyOnBoard[] }
  >;
  /**
   * Read a change policy.
   *
   * `GET /api/v1/secret-approvals/{sapId}`
   * Needs `read` on `secret-approval`.
   */
  get: Query<
    {
      /** UUID of the policy */
      sapId: string;
    },
    { approval: ChangePolicy }
  >;
  /**
   * Create a change policy.
   *
   * From now on, what users, machine identities and service tokens write to the folders of the policy waits for approvals, under all policies that cover it together. To exempt machines takes `edit` on `secret-approval`, too.
   *
   * `POST /api/v1/secret-approvals`
   * Needs `create` on `secret-approval`.
   */
  create: Mutation<
    {
      /** The slug of an environment */
      environment: string;
      /** A folder, or a glob of folders; where absent, the whole environment */
      secretPath?: string | null;
      /** Made up where absent */
      name?: string;
      /** Users and groups of the project */
      approvers: {
        type: 'group' | 'user';
        /** UUID */
        id?: string;
        /** The user name, where there is no id */
        name?: string;
        /** The same as name */
        username?: string;
      }[];
      /** Default: `1` */
      approvals?: number;
      /**
       * soft may be passed by with a reason
       * Default: `'hard'`
       */
      enforcementLevel?: 'hard' | 'soft';
      /** Default: `false` */
      allowedSelfApprovals?: boolean;
      /** Machine identities of the project that write without the approvals; none by default */
      exemptIdentityIds?: string[];
      /** true: all machine identities and service tokens of the project write without the approvals; false by default */
      exemptMachines?: boolean;
      /** The project's id */
      workspaceId: string;
    },
    { approval: ChangePolicy }
  >;
  /**
   * Change a change policy.
   *
   * It counts for open requests as well: only the approvals of those who are approvers then do.
   *
   * `PATCH /api/v1/secret-approvals/{sapId}`
   * Needs `edit` on `secret-approval`.
   */
  update: Mutation<
    {
      secretPath?: string | null;
      /** Made up where absent */
      name?: string;
      /** Users and groups of the project */
      approvers?: {
        type: 'group' | 'user';
        /** UUID */
        id?: string;
        /** The user name, where there is no id */
        name?: string;
        /** The same as name */
        username?: string;
      }[];
      approvals?: number;
      /** soft may be passed by with a reason */
      enforcementLevel?: 'hard' | 'soft';
      allowedSelfApprovals?: boolean;
      /** Machine identities of the project that write without the approvals; none by default */
      exemptIdentityIds?: string[];
      /** true: all machine identities and service tokens of the project write without the approvals; false by default */
      exemptMachines?: boolean;
      /** UUID of the policy */
      sapId: string;
    },
    { approval: ChangePolicy }
  >;
  /**
   * End a change policy.
   *
   * Its open requests are closed.
   *
   * `DELETE /api/v1/secret-approvals/{sapId}`
   * Needs `delete` on `secret-approval`.
   */
  delete: Mutation<
    {
      /** UUID of the policy */
      sapId: string;
    },
    { approval: ChangePolicy }
  >;
}
