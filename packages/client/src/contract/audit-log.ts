// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { AuditActorType, AuditLogPage, UserAgentType } from './shared.ts';

export type AuditCheckpoint = {
  organizationId: string;
  /** 0 if nothing is sealed yet */ sequence: number;
  /** SHA-256 of the block, hexadecimal */ hash: string;
  /** Ed25519 over the checkpoint, base64 */ signature: string | null;
  sealedAt: string | null;
  /** Ed25519, SPKI in PEM */ publicKey: string;
};

export type AuditEventTypes = { /** Published event names, in the order of the alphabet */ eventTypes: string[] };

export type ListAuditLog = {
  /** Published event names, comma-separated: create-secret,delete-secret */ eventType?: string;
  /** ID of the actor */ actor?: string;
  actorType?: AuditActorType;
  userAgentType?: UserAgentType;
  /** Slug of the environment of the event */ environment?: string;
  /** Path of the folder of the event */ secretPath?: string;
  /** Name of the secret of the event */ secretKey?: string;
  /** Comma-separated pairs key=value of the event metadata */ eventMetadata?: string;
  /** Earliest time, inclusive */ startDate?: string;
  /** Latest time, inclusive */ endDate?: string;
  /** The nextCursor of the previous page, or empty for the first one; faster than an offset at any depth. With it, a page may have fewer events than limit although there are more */
  cursor?: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `20`) */ limit?: number;
  /** Only events of this project */ projectId?: string;
};

export type ListProjectAuditLog = {
  /** Published event names, comma-separated: create-secret,delete-secret */ eventType?: string;
  /** ID of the actor */ actor?: string;
  actorType?: AuditActorType;
  userAgentType?: UserAgentType;
  /** Slug of the environment of the event */ environment?: string;
  /** Path of the folder of the event */ secretPath?: string;
  /** Name of the secret of the event */ secretKey?: string;
  /** Comma-separated pairs key=value of the event metadata */ eventMetadata?: string;
  /** Earliest time, inclusive */ startDate?: string;
  /** Latest time, inclusive */ endDate?: string;
  /** The nextCursor of the previous page, or empty for the first one; faster than an offset at any depth. With it, a page may have fewer events than limit although there are more */
  cursor?: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `20`) */ limit?: number;
  workspaceId: string;
};

export interface AuditLogApi {
  /**
   * List audit events of the organization or of one project.
   * With `audit-logs: read-all` in the organization: all events. With `audit-logs: read`: the events of each project in which the caller is a member and holds `audit-logs: read`, and the caller's own events that belong to no project.
   * `GET /api/v1/organization/audit-logs`.
   */
  list: Query<ListAuditLog, AuditLogPage>;
  /** List the audit events of a project. `GET /api/v1/workspace/{workspaceId}/audit-logs`. Needs `read` on `audit-logs`. */
  listOfProject: Query<ListProjectAuditLog, AuditLogPage>;
  /**
   * List the actors in the audit log of a project.
   * `GET /api/v1/workspace/{workspaceId}/audit-logs/filters/actors`. Needs `read` on `audit-logs`.
   */
  actors: Query<{ workspaceId: string }, { actors: { type: string; metadata: Record<string, unknown> }[] }>;
  /** List the types of events that audit logs may have. `GET /api/v1/organization/audit-logs/event-types`. */
  eventTypes: Query<NoInput, AuditEventTypes>;
  /**
   * Start a verification of the whole audit log.
   * The result is an event `verify-audit-log` of the log.
   * `POST /api/v1/organization/audit-logs/verify`. Needs `read-all` on `audit-logs`.
   */
  verify: Mutation<NoInput, { message: string }>;
  /**
   * Read the newest signed checkpoint of the audit log.
   * `GET /api/v1/organization/audit-logs/checkpoint`. Needs `read` on `audit-logs`.
   */
  checkpoint: Query<NoInput, { checkpoint: AuditCheckpoint }>;
}
