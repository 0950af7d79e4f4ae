import { z } from 'zod';
import { defineEvent, flag, Id, Instant, text, Uuid } from '../../../kernel/schema.ts';
import { DynamicSecret, DynamicSecretName, DynamicSecretPlace, FAILED_TO_DELETE, ttl } from '../dynamic-secret.ts';

const MINUTE = 60_000;

/** A lease without its credentials, which are returned once and not stored. */
export const Lease = z.object({
  id: Uuid,
  version: z.int(),
  externalEntityId: z.string().describe('ID of the lease in the external system, for example a user name'),
  expireAt: Instant,
  status: z.string().nullable().describe(`null or ${FAILED_TO_DELETE}; a failed revocation is retried`),
  statusDetails: z.string().nullable().describe('The message of the external system'),
  dynamicSecretId: Uuid,
  createdBy: z
    .object({ type: z.string().describe('`user` or `identity`'), id: Uuid })
    .nullable()
    .describe('The actor that created the lease, its owner; null for leases of earlier releases'),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Lease = z.output<typeof Lease>;

export const LeaseWithSecret = Lease.extend({ dynamicSecret: DynamicSecret });
export type LeaseWithSecret = z.output<typeof LeaseWithSecret>;

/** Returned once. */
export const IssuedLease = z.object({
  lease: Lease,
  dynamicSecret: DynamicSecret,
  data: z.record(z.string(), z.unknown()).describe('The credentials, for example DB_USERNAME and DB_PASSWORD'),
});
export type IssuedLease = z.output<typeof IssuedLease>;

export const CreateLease = DynamicSecretPlace.extend({
  dynamicSecretName: DynamicSecretName,
  ttl: ttl().optional().describe('Lifetime. Default: the defaultTTL of the dynamic secret'),
  config: z.record(z.string(), z.unknown()).optional().describe('Provider-specific parameters of the lease'),
  leaseId: z
    .uuid()
    .toLowerCase()
    .optional()
    .describe('ID of the new lease, by which it can be revoked even if the response is lost. Default: generated'),
});
export type CreateLease = z.output<typeof CreateLease>;

export const CreateKubernetesLease = CreateLease.omit({ config: true }).extend({
  config: z.object({ namespace: text(63).optional() }).optional(),
});
export type CreateKubernetesLease = z.output<typeof CreateKubernetesLease>;

export const LeaseRef = DynamicSecretPlace.extend({ leaseId: Id });
export type LeaseRef = z.output<typeof LeaseRef>;

export const RenewLease = LeaseRef.extend({
  ttl: ttl(MINUTE)
    .optional()
    .describe('Extension from the current expiry. Default: the defaultTTL of the dynamic secret'),
});
export type RenewLease = z.output<typeof RenewLease>;

export const RevokeLease = LeaseRef.extend({
  isForced: flag()
    .default(false)
    .describe(
      'Ends the lease for its holder even if the revocation in the target fails; the revocation is then retried. Needs edit-root-credential',
    ),
});
export type RevokeLease = z.output<typeof RevokeLease>;

const LeaseEvent = z.object({
  environment: z.string(),
  secretPath: z.string(),
  dynamicSecretId: z.string(),
  dynamicSecretName: z.string(),
  dynamicSecretType: z.string(),
  leaseId: z.string(),
  externalEntityId: z.string(),
});
const expiring = { expireAt: z.string() };
const failing = { code: z.string().describe('Code of the error; its message is in the status details of the lease') };
export const leasesListed = defineEvent(
  'dynamic_secret_leases.listed',
  'list-dynamic-secret-leases',
  LeaseEvent.omit({ leaseId: true, externalEntityId: true }).extend({ numberOfLeases: z.int() }),
);
export const leaseRead = defineEvent('dynamic_secret_lease.read', 'get-dynamic-secret-lease', LeaseEvent);
/** Written before the other system is touched. */
export const leaseRequested = defineEvent(
  'dynamic_secret_lease.requested',
  'request-dynamic-secret-lease',
  LeaseEvent.extend(expiring),
);
export const leaseCreated = defineEvent(
  'dynamic_secret_lease.created',
  'create-dynamic-secret-lease',
  LeaseEvent.extend(expiring),
);
export const leaseFailed = defineEvent(
  'dynamic_secret_lease.failed',
  'fail-create-dynamic-secret-lease',
  LeaseEvent.extend(failing),
);
export const leaseRenewed = defineEvent(
  'dynamic_secret_lease.renewed',
  'renew-dynamic-secret-lease',
  LeaseEvent.extend(expiring),
);
export const leaseRevoked = defineEvent(
  'dynamic_secret_lease.revoked',
  'delete-dynamic-secret-lease',
  LeaseEvent.extend({
    isForced: z.boolean(),
    isRevoked: z.boolean().describe('Whether the external system revoked the credentials'),
  }),
);
export const leaseRevocationFailed = defineEvent(
  'dynamic_secret_lease.revocation_failed',
  'fail-delete-dynamic-secret-lease',
  LeaseEvent.extend(failing),
);
