// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { Privilege } from './shared.ts';

export interface IdentityPrivilegesV1Api {
  /**
   * List the privileges of a machine identity in a project.
   * `GET /api/v1/additional-privilege/identity`. Needs `read` on `identity`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  list: Query<{ identityId: string; projectSlug: string }, { privileges: Privilege[] }>;
  /**
   * Read a privilege of a machine identity by its slug.
   * `GET /api/v1/additional-privilege/identity/{privilegeSlug}`. Needs `read` on `identity`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  getBySlug: Query<{ privilegeSlug: string; identityId: string; projectSlug: string }, { privilege: Privilege }>;
  /**
   * Grant a permanent privilege to a machine identity in a project.
   * `POST /api/v1/additional-privilege/identity/permanent`. Needs `edit` on `identity`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  createPermanent: Mutation<
    {
      permissions?: {
        action: 'read' | 'create' | 'edit' | 'delete';
        /** One of the published subjects of projects */ subject: string;
        conditions?: { environment?: string; secretPath?: { $glob: string } } | null;
      }[];
      /** Takes precedence over permissions */
      privilegePermission?: {
        actions: ('read' | 'create' | 'edit' | 'delete')[];
        subject: 'secrets';
        conditions: { environment: string; secretPath?: { $glob: string } };
      };
      identityId: string;
      projectSlug: string;
      slug?: string;
    },
    { privilege: Privilege }
  >;
  /**
   * Grant a temporary privilege to a machine identity in a project.
   * `POST /api/v1/additional-privilege/identity/temporary`. Needs `edit` on `identity`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  createTemporary: Mutation<
    {
      permissions?: {
        action: 'read' | 'create' | 'edit' | 'delete';
        /** One of the published subjects of projects */ subject: string;
        conditions?: { environment?: string; secretPath?: { $glob: string } } | null;
      }[];
      /** Takes precedence over permissions */
      privilegePermission?: {
        actions: ('read' | 'create' | 'edit' | 'delete')[];
        subject: 'secrets';
        conditions: { environment: string; secretPath?: { $glob: string } };
      };
      identityId: string;
      projectSlug: string;
      slug?: string;
      temporaryMode: 'relative';
      /** For example 30m, 1h, 2d */ temporaryRange: string;
      /** RFC 3339 */ temporaryAccessStartTime: string;
    },
    { privilege: Privilege }
  >;
  /**
   * Update a privilege of a machine identity.
   * `PATCH /api/v1/additional-privilege/identity`. Needs `edit` on `identity`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  update: Mutation<
    {
      privilegeSlug: string;
      identityId: string;
      projectSlug: string;
      privilegeDetails: {
        permissions?: {
          action: 'read' | 'create' | 'edit' | 'delete';
          /** One of the published subjects of projects */ subject: string;
          conditions?: { environment?: string; secretPath?: { $glob: string } } | null;
        }[];
        /** Takes precedence over permissions */
        privilegePermission?: {
          actions: ('read' | 'create' | 'edit' | 'delete')[];
          subject: 'secrets';
          conditions: { environment: string; secretPath?: { $glob: string } };
        };
        slug?: string;
        isTemporary?: boolean;
        temporaryMode?: 'relative';
        /** For example 30m, 1h, 2d */ temporaryRange?: string;
        /** RFC 3339 */ temporaryAccessStartTime?: string;
      };
    },
    { privilege: Privilege }
  >;
  /**
   * Delete a privilege of a machine identity.
   * `DELETE /api/v1/additional-privilege/identity`. Needs `edit` on `identity`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  delete: Mutation<{ privilegeSlug: string; identityId: string; projectSlug: string }, { privilege: Privilege }>;
}
