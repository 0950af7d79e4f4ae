// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { TrustedAddress } from './shared.ts';

export type TrustedIp = TrustedAddress & {
  id: string;
  /** Whether the entry is active. Without active entries, the project accepts all addresses */ isActive: boolean;
  comment: string | null;
  projectId: string;
  createdAt: string;
  updatedAt: string;
};

export interface TrustedIpsApi {
  /** List the trusted IP addresses of a project. `GET /api/v1/workspace/{workspaceId}/trusted-ips`. Needs `read` on `ip-allowlist`. */
  list: Query<{ /** The ID of the project */ workspaceId: string }, { trustedIps: TrustedIp[] }>;
  /**
   * Add a trusted IP address or range to a project.
   * `POST /api/v1/workspace/{workspaceId}/trusted-ips`. Needs `create` on `ip-allowlist`.
   */
  create: Mutation<
    {
      /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */ ipAddress: string;
      comment?: string;
      isActive: boolean;
      /** The ID of the project */ workspaceId: string;
    },
    { trustedIp: TrustedIp }
  >;
  /**
   * Update a trusted IP address; omitted fields stay unchanged.
   * `PATCH /api/v1/workspace/{workspaceId}/trusted-ips/{trustedIpId}`. Needs `edit` on `ip-allowlist`.
   */
  update: Mutation<
    {
      trustedIpId: string;
      /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */ ipAddress?: string;
      comment?: string;
      isActive?: boolean;
      /** The ID of the project */ workspaceId: string;
    },
    { trustedIp: TrustedIp }
  >;
  /** Delete a trusted IP address. `DELETE /api/v1/workspace/{workspaceId}/trusted-ips/{trustedIpId}`. Needs `delete` on `ip-allowlist`. */
  delete: Mutation<{ trustedIpId: string; /** The ID of the project */ workspaceId: string }, { trustedIp: TrustedIp }>;
}
