import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineEvent, defineUpdate, Id, Instant, text, TrustedAddress, Uuid } from '../../kernel/schema.ts';

export const trustedIpPermissions = projectPermissions('ip-allowlist');

/** An address or range from which a project may be used. */
export const TrustedIp = TrustedAddress.extend({
  id: Uuid,
  isActive: z
    .boolean()
    .describe('Whether the entry is active. Without active entries, the project accepts all addresses'),
  comment: z.string().nullable(),
  projectId: Uuid,
  createdAt: Instant,
  updatedAt: Instant,
});
export type TrustedIp = z.output<typeof TrustedIp>;

const ipAddress = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('An IPv4 or IPv6 address, or a range such as 10.0.0.0/8')
  .meta({ examples: ['10.0.0.0/8'] });
const comment = text(1024);

export const CreateTrustedIp = z.object({
  projectId: Id,
  ipAddress,
  comment: comment.optional(),
  isActive: z.boolean(),
});
export type CreateTrustedIp = z.output<typeof CreateTrustedIp>;

export const TrustedIpById = z.object({ projectId: Id, trustedIpId: Id });
export type TrustedIpById = z.output<typeof TrustedIpById>;

export const UpdateTrustedIp = TrustedIpById.extend({
  ipAddress: ipAddress.optional(),
  comment: comment.optional(),
  isActive: z.boolean().optional(),
});
export type UpdateTrustedIp = z.output<typeof UpdateTrustedIp>;

const data = z.object({
  trustedIpId: z.string(),
  ipAddress: z.string(),
  prefix: z.number().nullable(),
  isActive: z.boolean(),
});
export type TrustedIpEvent = z.output<typeof data>;
export const trustedIpCreated = defineEvent('trusted_ip.created', 'create-trusted-ip', data);
export const trustedIpUpdated = defineUpdate('trusted_ip.updated', 'update-trusted-ip', data);
export const trustedIpDeleted = defineEvent('trusted_ip.deleted', 'delete-trusted-ip', data);
