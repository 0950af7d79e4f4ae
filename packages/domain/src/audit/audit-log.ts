import { z } from 'zod';
import { commaSeparated, defineEvent, Id, instant, Instant, isId, page, Uuid } from '../kernel/schema.ts';

/** Kinds of actors and clients as the published filters name them; not all of them exist here. */
export const AuditActorType = z.enum([
  'platform',
  'kmipClient',
  'user',
  'service',
  'identity',
  'machine',
  'scimClient',
  'unknownUser',
]);
export const UserAgentType = z.enum([
  'web',
  'cli',
  'k8-operator',
  'terraform',
  'other',
  'InfisicalPythonSDK',
  'InfisicalNodeSDK',
]);

const list = commaSeparated();

/** `key=value` pairs: `environment=prod,secretPath=/a`. */
const pairs = list.transform((parts, ctx) => {
  const entries = parts.map((part): [string, string] => {
    const at = part.indexOf('=');
    if (at < 1) ctx.addIssue({ code: 'custom', message: 'Expected comma-separated pairs key=value' });
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  return Object.fromEntries(entries);
});

/** Where the next page begins: after this event. Callers take it as a text that means nothing to them. */
export interface LogCursor {
  readonly createdAt: Date;
  readonly id: string;
}

export const writeCursor = ({ createdAt, id }: LogCursor): string =>
  Buffer.from(`${createdAt.getTime()}:${id}`).toString('base64url');

/** Before the newest event. */
export const BEGINNING: LogCursor = {
  createdAt: new Date('9999-12-31T23:59:59.999Z'),
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

const cursor = z.string().transform((text, ctx): LogCursor => {
  if (text === '') return BEGINNING;
  const [time = '', id = ''] = Buffer.from(text, 'base64url').toString().split(':');
  if (!/^\d{1,15}$/.test(time) || !isId(id)) {
    ctx.addIssue({ code: 'custom', message: 'Expected the nextCursor of an earlier response' });
    return z.NEVER;
  }
  return { createdAt: new Date(Number(time)), id };
});

const Filters = z.object({
  eventType: list.optional().describe('Published event names, comma-separated: create-secret,delete-secret'),
  actor: z.string().optional().describe('ID of the actor'),
  actorType: AuditActorType.optional(),
  userAgentType: UserAgentType.optional(),
  environment: z.string().optional().describe('Slug of the environment of the event'),
  secretPath: z.string().optional().describe('Path of the folder of the event'),
  secretKey: z.string().optional().describe('Name of the secret of the event'),
  eventMetadata: pairs.optional().describe('Comma-separated pairs key=value of the event metadata'),
  startDate: instant().optional().describe('Earliest time, inclusive'),
  endDate: instant().optional().describe('Latest time, inclusive'),
  cursor: cursor
    .optional()
    .describe(
      'The nextCursor of the previous page, or empty for the first one; faster than an offset at any depth. With it, a page may have fewer events than limit although there are more',
    ),
  ...page({ limit: 20, maxLimit: 1000 }).shape,
});

export const ListAuditLog = Filters.extend({ projectId: Id.optional().describe('Only events of this project') });
export type ListAuditLog = z.output<typeof ListAuditLog>;
export const ListInstanceAuditLog = Filters;
export type ListInstanceAuditLog = z.output<typeof ListInstanceAuditLog>;
export const ListProjectAuditLog = Filters.extend({ workspaceId: Id });
export type ListProjectAuditLog = z.output<typeof ListProjectAuditLog>;
export const ListAuditActors = z.object({ workspaceId: Id });
export type ListAuditActors = z.output<typeof ListAuditActors>;

export const AuditEventTypes = z.object({
  eventTypes: z.array(z.string()).describe('Published event names, in the order of the alphabet'),
});
export type AuditEventTypes = z.output<typeof AuditEventTypes>;

export const AuditActor = z.object({ type: z.string(), metadata: z.record(z.string(), z.unknown()) });
export type AuditActor = z.output<typeof AuditActor>;

/** A published event. */
export const AuditLogEntry = z.object({
  id: Uuid,
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  userAgentType: z.string().nullable(),
  expiresAt: Instant.nullable().describe('When retention removes the event; null: never'),
  createdAt: Instant,
  updatedAt: Instant,
  orgId: Uuid,
  projectId: Uuid.nullable(),
  projectName: z.string().nullable(),
  project: z.object({ id: Uuid, name: z.string(), slug: z.string() }).nullable(),
  event: z.object({
    type: z.string().describe('The published name of the event'),
    metadata: z.record(z.string(), z.unknown()),
  }),
  actor: AuditActor,
});
export type AuditLogEntry = z.output<typeof AuditLogEntry>;

export const AuditLogPage = z.object({
  auditLogs: z.array(AuditLogEntry).describe('Newest first'),
  nextCursor: z.string().nullable().describe('The position of the next page; null on the last page, and only there'),
});
export type AuditLogPage = z.output<typeof AuditLogPage>;

export const ExportAuditLog = z.object({
  startDate: instant().optional(),
  endDate: instant().optional(),
});
export type ExportAuditLog = z.output<typeof ExportAuditLog>;

/** The newest link of an organization's chain: noted elsewhere, it shows later whether anything was cut off. */
export const AuditCheckpoint = z.object({
  organizationId: Uuid,
  sequence: z.int().describe('0 if nothing is sealed yet'),
  hash: z.string().describe('SHA-256 of the block, hexadecimal'),
  signature: z.string().nullable().describe('Ed25519 over the checkpoint, base64'),
  sealedAt: Instant.nullable(),
  publicKey: z.string().describe('Ed25519, SPKI in PEM'),
});
export type AuditCheckpoint = z.output<typeof AuditCheckpoint>;

export const auditLogRead = defineEvent(
  'audit_log.read',
  'get-audit-logs',
  z.object({ filters: z.array(z.string()), events: z.int() }),
);
export const auditActorsListed = defineEvent(
  'audit_log.actors_listed',
  'get-audit-log-actors',
  z.object({ actors: z.int() }),
);
export const auditLogExported = defineEvent(
  'audit_log.exported',
  'export-audit-logs',
  z.object({ startDate: z.string().nullable(), endDate: z.string().nullable() }),
);
export const auditLogVerificationRequested = defineEvent(
  'audit_log.verification_requested',
  'request-audit-log-verification',
  z.object({}),
);
/** The log was verified up to a block, or up to its first fault. */
export const auditLogVerified = defineEvent(
  'audit_log.verified',
  'verify-audit-log',
  z.object({
    isValid: z.boolean(),
    blocks: z.int(),
    events: z.int(),
    sequence: z.int().describe('Of the last block that is in order'),
    hash: z.string().nullable(),
    reason: z.string().nullable().describe('Why it is not valid'),
  }),
);
/** The oldest part of a log was exported into a file of the server, and removed from the database. */
export const auditLogReleased = defineEvent(
  'audit_log.released',
  'release-audit-logs',
  z.object({
    file: z.string(),
    sha256: z.string(),
    firstSequence: z.int(),
    lastSequence: z.int(),
    events: z.int(),
  }),
);
export const auditLogNearlyFull = defineEvent(
  'audit_log.nearly_full',
  'audit-logs-nearly-full',
  z.object({ bytes: z.number(), maxBytes: z.number() }),
);
