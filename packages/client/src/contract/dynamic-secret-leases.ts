// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { DynamicSecret, DynamicSecretPlace, Lease } from './shared.ts';

export type CreateKubernetesLease = DynamicSecretPlace & {
  dynamicSecretName: string;
  /** Lifetime. Default: the defaultTTL of the dynamic secret */ ttl?: string;
  /** ID of the new lease, by which it can be revoked even if the response is lost. Default: generated */
  leaseId?: string;
  config?: { namespace?: string };
};

export type CreateLease = DynamicSecretPlace & {
  dynamicSecretName: string;
  /** Lifetime. Default: the defaultTTL of the dynamic secret */ ttl?: string;
  /** Provider-specific parameters of the lease */ config?: Record<string, unknown>;
  /** ID of the new lease, by which it can be revoked even if the response is lost. Default: generated */
  leaseId?: string;
};

export type IssuedLease = {
  lease: Lease;
  dynamicSecret: DynamicSecret;
  /** The credentials, for example DB_USERNAME and DB_PASSWORD */ data: Record<string, unknown>;
};

export type RenewLease = DynamicSecretPlace & { leaseId: string } & { /** Extension from the current expiry. Default: the defaultTTL of the dynamic secret */ ttl?: string };

export type RevokeLease = DynamicSecretPlace & { leaseId: string } & {
  /** Ends the lease for its holder even if the revocation in the target fails; the revocation is then retried. Needs edit-root-credential (default: `false`) */
  isForced?: boolean;
};

export interface DynamicSecretLeasesApi {
  /** Create a lease of a dynamic secret. `POST /api/v1/dynamic-secrets/leases`. Needs `lease` on `dynamic-secrets`. */
  create: Mutation<CreateLease, IssuedLease>;
  /**
   * Create a lease of a Kubernetes dynamic secret.
   * `POST /api/v1/dynamic-secrets/leases/kubernetes`. Needs `lease` on `dynamic-secrets`.
   */
  createKubernetes: Mutation<CreateKubernetesLease, IssuedLease>;
  /**
   * Read a lease.
   * `GET /api/v1/dynamic-secrets/leases/{leaseId}`. Needs `lease` on `dynamic-secrets` in the project, or `read-root-credential` on `dynamic-secrets` in the project.
   */
  get: Query<DynamicSecretPlace & { leaseId: string }, { lease: Lease & { dynamicSecret: DynamicSecret } }>;
  /**
   * Renew a lease.
   * `POST /api/v1/dynamic-secrets/leases/{leaseId}/renew`. Needs `lease` on `dynamic-secrets` in the project, or `edit-root-credential` on `dynamic-secrets` in the project.
   */
  renew: Mutation<RenewLease, { lease: Lease }>;
  /**
   * Revoke a lease.
   * `DELETE /api/v1/dynamic-secrets/leases/{leaseId}`. Needs `lease` on `dynamic-secrets` in the project, or `edit-root-credential` on `dynamic-secrets` in the project.
   */
  revoke: Mutation<RevokeLease, { lease: Lease }>;
}
