import { organizationOf } from '../../access/index.ts';
import { columnSeal, open, seal, type SealedRow } from '../../crypto/index.ts';
import {
  at,
  badRequest,
  isId,
  lockedRow,
  mapInTurns,
  notFound,
  statement,
  type Context,
  type KeySet,
  type SealingKeys,
  type Transaction,
} from '../../kernel/index.ts';
import type { CapturedChange } from '../coverage/index.ts';
import { turnCost } from '../secret/index.ts';
import type { Conflict, SecretApproval } from './approval.ts';

/** A stored request. */
export interface RequestRow {
  id: string;
  projectId: string;
  environment: string;
  policyId: string;
  /** Every policy that covers something in it, that one first. */
  policyIds: string[];
  slug: string;
  folderId: string;
  secretPath: string;
  status: 'open' | 'close';
  hasMerged: boolean;
  operation: string;
  contentVersion: number;
  conflicts: Conflict[] | null;
  bypassReason: string | null;
  isReplicated: boolean;
  replicates: string | null;
  /** Null for a machine, for replication by Coffer, and if the user was deleted. */
  committerUserId: string | null;
  /** The requesting machine, which may be deleted, with its name at that time. */
  committerMachineType: 'identity' | 'service' | null;
  committerMachineId: string | null;
  committerMachineName: string | null;
  statusChangedByUserId: string | null;
  createdAt: string;
  updatedAt: string;
}

/** The columns of a `RequestRow` from `secret_approval_requests r` and its environment `e`. */
export const REQUEST_COLUMNS = `r.id, r.project_id as "projectId", e.slug as environment, r.policy_id as "policyId",
  r.policy_ids as "policyIds", r.slug, r.folder_id as "folderId", r.secret_path as "secretPath",
  r.status, r.has_merged as "hasMerged", r.operation, r.content_version as "contentVersion", r.conflicts,
  r.bypass_reason as "bypassReason", r.is_replicated as "isReplicated", r.replicates,
  r.committer_user_id as "committerUserId", r.committer_machine_type as "committerMachineType",
  r.committer_machine_id as "committerMachineId", r.committer_machine_name as "committerMachineName",
  r.status_changed_by_user_id as "statusChangedByUserId", r.created_at as "createdAt", r.updated_at as "updatedAt"`;
export const REQUEST_TABLES = 'secret_approval_requests r join environments e on e.id = r.environment_id';

const BY_ID = statement(
  'secret_approvals.by_id',
  `select ${REQUEST_COLUMNS} from ${REQUEST_TABLES} where r.organization_id = $1 and r.id = $2`,
);
const LOCK = statement(
  'secret_approvals.lock',
  'select from secret_approval_requests where organization_id = $1 and id = $2 for update',
);

/**
 * A request by its ID.
 *
 * @throws DomainError 404 for any other.
 */
export const findRequest = (ctx: Context, id: string): Promise<RequestRow> =>
  known(isId(id) && ctx.sql<RequestRow>(BY_ID, [organizationOf(ctx), id]).then(([row]) => row));

/** The same, locked. Lock policies first. */
export const lockRequest = (tx: Transaction, id: string): Promise<RequestRow> =>
  known(isId(id) && lockedRow<RequestRow>(tx, LOCK, BY_ID, [organizationOf(tx), id]));

async function known(found: false | Promise<RequestRow | undefined>): Promise<RequestRow> {
  const row = await found;
  if (!row) throw notFound('secret approval request');
  return row;
}

export const toApproval = (row: RequestRow): SecretApproval => ({
  id: row.id,
  policyId: row.policyId,
  hasMerged: row.hasMerged,
  status: row.status,
  conflicts: row.conflicts,
  slug: row.slug,
  folderId: row.folderId,
  bypassReason: row.bypassReason,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
  isReplicated: row.isReplicated,
  committerUserId: row.committerUserId,
  committerIdentityId: row.committerMachineType === 'identity' ? row.committerMachineId : null,
  committerServiceTokenId: row.committerMachineType === 'service' ? row.committerMachineId : null,
  statusChangedByUserId: row.statusChangedByUserId,
});

/** What the reviews of a request are about. */
export const reviewedOf = (row: RequestRow) => ({
  kind: 'change' as const,
  id: row.id,
  projectId: row.projectId,
  contentVersion: row.contentVersion,
});

export const eventData = ({ id: requestId, slug, policyId }: RequestRow) => ({ requestId, slug, policyId });

/** A stored change; `content` is sealed. */
export interface ChangeRow {
  id: string;
  requestId: string;
  kind: CapturedChange['kind'];
  op: CapturedChange['op'];
  thingId: string | null;
  /** The secret that a creation has written, by the merge; before that the one that is to return, if it ever was. */
  createdId: string | null;
  baseVersion: number | null;
  environment: string;
  path: string;
  name: string | null;
  tagIds: string[];
  isFollowing: boolean;
  /** What the names stood for: see `NamedFolder`; null for changes of earlier releases. */
  folderId: string | null;
  folderPath: string | null;
  tagSlugs: string[] | null;
  isMerged: boolean;
  content: Buffer;
}

export const CHANGE_COLUMNS = `c.id, c.request_id as "requestId", c.kind, c.op, c.thing_id as "thingId",
  c.created_id as "createdId", c.base_version as "baseVersion", c.environment, c.path, c.name, c.tag_ids as "tagIds",
  c.is_following as "isFollowing", c.folder_id as "folderId", c.folder_path as "folderPath", c.tag_slugs as "tagSlugs",
  (select r.has_merged from secret_approval_requests r where r.id = c.request_id) as "isMerged"`;

const CHANGES = statement(
  'secret_approval_changes.of_request',
  `select ${CHANGE_COLUMNS}, c.content from secret_approval_changes c where c.request_id = $1 order by c.position`,
);

/** The changes of a request, in their order. */
export const changesOf = (ctx: Context, { id }: { id: string }): Promise<ChangeRow[]> => ctx.sql(CHANGES, [id]);

/** A stored change with its content, and the folder that it named: see `ChangeRow`. */
export interface StoredChange {
  readonly change: CapturedChange;
  readonly folderId: string | null;
}

/** The changes of a request with their content, in the same order. */
export async function storedChanges(ctx: Context, row: RequestRow): Promise<StoredChange[]> {
  const keys = await ctx.keys.project(organizationOf(ctx), row.projectId);
  return mapInTurns(
    await changesOf(ctx, row),
    ({ content }) => turnCost(content.length),
    (stored) => ({ change: openChange(keys, row.projectId, stored), folderId: stored.folderId }),
  );
}

/** Changes are read and written in batches, so the caller gets the keys once. */
const contentPlace = (projectId: string, id: string) =>
  ({ column: 'secret_approval_changes.content', owner: projectId, row: id, version: 0 }) as const;

export function openChange(keys: KeySet, projectId: string, row: ChangeRow): CapturedChange {
  return {
    kind: row.kind,
    op: row.op,
    thingId: row.thingId,
    createdId: row.createdId,
    baseVersion: row.baseVersion,
    spot: { environment: row.environment, path: row.path },
    name: row.name,
    tagIds: row.tagIds,
    isFollowing: row.isFollowing,
    content: JSON.parse(open(keys, row.content, contentPlace(projectId, row.id))) as CapturedChange['content'],
  };
}

export const sealChange = (keys: SealingKeys, projectId: string, id: string, { content }: CapturedChange): Buffer =>
  seal(keys, JSON.stringify(content), contentPlace(projectId, id));

const inputs = columnSeal('secret_approval_requests.input');

/** The version is that of the content. */
export const sealInput = (tx: Transaction, row: Required<SealedRow>, input: object): Promise<Buffer> =>
  inputs.sealJson(tx, row, input);

const INPUT = statement(
  'secret_approvals.input',
  'select input from secret_approval_requests where id = $1 and content_version = $2',
);

/**
 * What the operation of a request is called with.
 *
 * @throws DomainError 400 `secret_approval.other_version` if the request has another content by now, 404 if it is gone.
 */
export async function inputOf(ctx: Context, row: RequestRow): Promise<object> {
  const { id, projectId, contentVersion: version } = row;
  const [found] = await ctx.sql<{ input: Buffer }>(INPUT, [id, version]);
  if (!found) throw otherVersion(await findRequest(ctx, id));
  return inputs.openJson<object>(ctx, { id, organizationId: organizationOf(ctx), projectId, version }, found.input);
}

export const otherVersion = ({ contentVersion: version }: RequestRow) =>
  badRequest('secret_approval.other_version', 'The request has changed. Read it again', { version });
