// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { DynamicSecret, Lease } from './shared.ts';

export type CreateKubernetesLease = {
  projectSlug: string;
  /** The slug of an environment */
  environmentSlug: string;
  /**
   * The path of a folder, for example /app/config
   * Default: `'/'`
   */
  path?: string;
  dynamicSecretName: string;
  /** Lifetime. Default: the defaultTTL of the dynamic secret */
  ttl?: string;
  config?: { namespace?: string };
};

export type CreateLease = {
  projectSlug: string;
  /** The slug of an environment */
  environmentSlug: string;
  /**
   * The path of a folder, for example /app/config
   * Default: `'/'`
   */
  path?: string;
  dynamicSecretName: string;
  /** Lifetime. Default: the defaultTTL of the dynamic secret */
  ttl?: string;
  /** Provider-specific parameters of the lease */
  config?: Record<string, unknown>;
};

export type IssuedLease = {
  lease: Lease;
  dynamicSecret: DynamicSecret;
  /** The credentials, for example DB_USERNAME and DB_PASSWORD */
  data: Record<string, unknown>;
};

export type LeaseRef = {
  projectSlug: string;
  /** The slug of an environment */
  environmentSlug: string;
  /**
   * The path of a folder, for example /app/config
   * Default: `'/'`
   */
  path?: string;
  /** UUID */
  leaseId: string;
};

export type LeaseWithSecret = {
  /** UUID */
  id: string;
  version: number;
  /** ID of the lease in the external system, for example a user name */
  externalEntityId: string;
  expireAt: string;
  /** null or Failed to delete; a failed revocation is retried */
  status: string | null;
  /** The message of the external system */
  statusDetails: string | null;
  /** UUID */
  dynamicSecretId: string;
  /** The actor that created the lease, its owner; null for leases of earlier releases */
  createdBy: {
    /** `user` or `identity` */
    type: string;
    /** UUID */
    id: string;
  } | null;
  createdAt: string;
  updatedAt: string;
  dynamicSecret: DynamicSecret;
};

export type RenewLease = {
  projectSlug: string;
  /** The slug of an environment */
  environmentSlug: string;
  /**
   * The path of a folder, for example /app/config
   * Default: `'/'`
   */
  path?: string;
  /** UUID */
  leaseId: string;
  /** Extension from the current expiry. Default: the defaultTTL of the dynamic secret */
  ttl?: string;
};

export type RevokeLease = {
  projectSlug: string;
  /** The slug of an environment */
  environmentSlug: string;
  /**
   * The path of a folder, for example /app/config
   * Default: `'/'`
   */
  path?: string;
  /** UUID */
  leaseId: string;
  /**
   * Ends the lease for its holder even if the revocation in the target fails; the revocation is then retried. Needs edit-root-credential
   * Default: `false`
   */
  isForced?: boolean;
};

export interface DynamicSecretLeasesApi {
  /**
   * Create a lease of a dynamic secret.
   *
   * `POST /api/v1/dynamic-secrets/leases`
   * Needs `lease` on `dynamic-secrets`.
   */
  create: Mutation<CreateLease, IssuedLease>;
  /**
   * Create a lease of a Kubernetes dynamic secret.
   *
   * `POST /api/v1/dynamic-secrets/leases/kubernetes`
   * Needs `lease` on `dynamic-secrets`.
   */
  createKubernetes: Mutation<CreateKubernetesLease, IssuedLease>;
  /**
   * Read a lease.
   *
   * `GET /api/v1/dynamic-secrets/leases/{leaseId}`
   * Needs `lease` on `dynamic-secrets` in the project, or `read-root-credential` on `dynamic-secrets` in the project.
   */
  get: Query<LeaseRef, { lease: LeaseWithSecret }>;
  /**
   * Renew a lease.
   *
   * `POST /api/v1/dynamic-secrets/leases/{leaseId}/renew`
   * Needs `lease` on `dynamic-secrets` in the project, or `edit-root-credential` on `dynamic-secrets` in the project.
   */
  renew: Mutation<RenewLease, { lease: Lease }>;
  /**
   * Revoke a lease.
   *
   * `DELETE /api/v1/dynamic-secrets/leases/{leaseId}`
   * Needs `lease` on `dynamic-secrets` in the project, or `edit-root-credential` on `dynamic-secrets` in the project.
   */
  revoke: Mutation<RevokeLease, { lease: Lease }>;
}
