// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ApprovalPolicy } from './shared.ts';

export type ChangePolicy = ApprovalPolicy & {
  /** Machine identities that write without approvals of this policy */ exemptIdentityIds: string[];
  /** Whether all machine identities and service tokens of the project write without approvals of this policy */
  exemptMachines: boolean;
};

export interface SecretApprovalsApi {
  /** List the change policies of a project. `GET /api/v1/secret-approvals`. Needs `read` on `secret-approval`. */
  list: Query<{ /** The ID of the project */ workspaceId: string }, { approvals: ChangePolicy[] }>;
  /**
   * List the change policies that cover a folder.
   * All of `policies` apply together, the strictest first; `policy` is the first of them, and absent if there is none.
   * `GET /api/v1/secret-approvals/board`. Needs `read` on `secret-approval`.
   */
  board: Query<
    {
      /** The ID of the project */ workspaceId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config */ secretPath: string;
    },
    {
      policy?: ChangePolicy & { userApprovers: { userId: string }[] };
      policies: (ChangePolicy & { userApprovers: { userId: string }[] })[];
    }
  >;
  /** Read a change policy. `GET /api/v1/secret-approvals/{sapId}`. Needs `read` on `secret-approval`. */
  get: Query<{ /** The ID of the policy */ sapId: string }, { approval: ChangePolicy }>;
  /**
   * Create a change policy.
   * Writes to the covered folders then need approvals, for users, machine identities and service tokens alike. All policies that cover a folder apply together. Exempting machines also needs `edit` on `secret-approval`.
   * `POST /api/v1/secret-approvals`. Needs `create` on `secret-approval`.
   */
  create: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** A folder, or a glob of folders. Default: the whole environment */ secretPath?: string | null;
      /** Default: generated */ name?: string;
      /** Users and groups of the project */
      approvers: {
        type: 'group' | 'user';
        id?: string;
        /** The user name, if there is no ID */ name?: string;
        /** The same as `name` */ username?: string;
      }[];
      /** Default: `1` */ approvals?: number;
      /** `soft`: can be bypassed with a reason (default: `'hard'`) */ enforcementLevel?: 'hard' | 'soft';
      /** Default: `false` */ allowedSelfApprovals?: boolean;
      /** Machine identities of the project that write without approvals. Default: none */ exemptIdentityIds?: string[];
      /** true: all machine identities and service tokens of the project write without approvals. Default: false */
      exemptMachines?: boolean;
      /** The ID of the project */ workspaceId: string;
    },
    { approval: ChangePolicy }
  >;
  /**
   * Update a change policy.
   * Also applies to open requests: only the approvals of current approvers count.
   * `PATCH /api/v1/secret-approvals/{sapId}`. Needs `edit` on `secret-approval`.
   */
  update: Mutation<
    {
      secretPath?: string | null;
      /** Default: generated */ name?: string;
      /** Users and groups of the project */
      approvers?: {
        type: 'group' | 'user';
        id?: string;
        /** The user name, if there is no ID */ name?: string;
        /** The same as `name` */ username?: string;
      }[];
      approvals?: number;
      /** `soft`: can be bypassed with a reason */ enforcementLevel?: 'hard' | 'soft';
      allowedSelfApprovals?: boolean;
      /** Machine identities of the project that write without approvals. Default: none */ exemptIdentityIds?: string[];
      /** true: all machine identities and service tokens of the project write without approvals. Default: false */
      exemptMachines?: boolean;
      /** The ID of the policy */ sapId: string;
    },
    { approval: ChangePolicy }
  >;
  /**
   * Delete a change policy.
   * Its open requests are closed.
   * `DELETE /api/v1/secret-approvals/{sapId}`. Needs `delete` on `secret-approval`.
   */
  delete: Mutation<{ /** The ID of the policy */ sapId: string }, { approval: ChangePolicy }>;
}
