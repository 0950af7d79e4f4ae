import { organizationOf } from '../../access/index.ts';
import { columnSeal, open, seal, type SealedRow } from '../../crypto/index.ts';
import {
  at,
  isId,
  notFound,
  statement,
  type Context,
  type KeySet,
  type SealingKeys,
  type Statement,
  type Transaction,
} from '../../kernel/index.ts';
import type { CapturedChange } from '../coverage/index.ts';
import type { Conflict, SecretApproval } from './approval.ts';

/** A stored request. */
export interface RequestRow {
  id: string;
  project_id: string;
  environment: string;
  policy_id: string;
  /** Every policy that covers something in it, that one first. */
  policy_ids: string[];
  slug: string;
  folder_id: string;
  secret_path: string;
  status: 'open' | 'close';
  has_merged: boolean;
  operation: string;
  content_version: number;
  conflicts: Conflict[] | null;
  bypass_reason: string | null;
  is_replicated: boolean;
  replicates: string | null;
  /** Null for a machine, for replication by Coffer, and if the user was deleted. */
  committer_user_id: string | null;
  /** The requesting machine, which may be deleted, with its name at that time. */
  committer_machine_type: 'identity' | 'service' | null;
  committer_machine_id: string | null;
  committer_machine_name: string | null;
  status_changed_by_user_id: string | null;
  created_at: string;
  updated_at: string;
}

/** The columns of a `RequestRow` from `secret_approval_requests r` and its environment `e`. */
export const REQUEST_COLUMNS = `r.id, r.project_id, e.slug as environment, r.policy_id, r.policy_ids, r.slug, r.folder_id, r.secret_path,
  r.status, r.has_merged, r.operation, r.content_version, r.conflicts, r.bypass_reason, r.is_replicated, r.replicates,
  r.committer_user_id, r.committer_machine_type, r.committer_machine_id, r.committer_machine_name, r.status_changed_by_user_id, r.created_at, r.updated_at`;
export const REQUEST_TABLES = 'secret_approval_requests r join environments e on e.id = r.environment_id';

const BY_ID = statement(
  'secret_approvals.by_id',
  `select ${REQUEST_COLUMNS} from ${REQUEST_TABLES} where r.organization_id = $1 and r.id = $2`,
);
const LOCK = statement(
  'secret_approvals.lock',
  `select ${REQUEST_COLUMNS} from ${REQUEST_TABLES} where r.organization_id = $1 and r.id = $2 for update of r`,
);

/**
 * A request by its ID.
 *
 * @throws DomainError 404 for any other.
 */
export const findRequest = (ctx: Context, id: string): Promise<RequestRow> => oneRequest(ctx, BY_ID, id);

/** The same, locked. Lock policies first. */
export const lockRequest = (tx: Transaction, id: string): Promise<RequestRow> => oneRequest(tx, LOCK, id);

async function oneRequest(ctx: Context, found: Statement, id: string): Promise<RequestRow> {
  const [row] = isId(id) ? await ctx.sql<RequestRow>(found, [organizationOf(ctx), id]) : [];
  if (!row) throw notFound('secret approval request');
  return row;
}

export const toApproval = (row: RequestRow): SecretApproval => ({
  id: row.id,
  policyId: row.policy_id,
  hasMerged: row.has_merged,
  status: row.status,
  conflicts: row.conflicts,
  slug: row.slug,
  folderId: row.folder_id,
  bypassReason: row.bypass_reason,
  createdAt: at(row.created_at),
  updatedAt: at(row.updated_at),
  isReplicated: row.is_replicated,
  committerUserId: row.committer_user_id,
  committerIdentityId: row.committer_machine_type === 'identity' ? row.committer_machine_id : null,
  committerServiceTokenId: row.committer_machine_type === 'service' ? row.committer_machine_id : null,
  statusChangedByUserId: row.status_changed_by_user_id,
});

/** What the reviews of a request are about. */
export const reviewedOf = (row: RequestRow) => ({
  kind: 'change' as const,
  id: row.id,
  projectId: row.project_id,
  contentVersion: row.content_version,
});

export const eventData = ({ id: requestId, slug, policy_id: policyId }: RequestRow) => ({ requestId, slug, policyId });

/** A stored change; `content` is sealed. */
export interface ChangeRow {
  id: string;
  request_id: string;
  kind: CapturedChange['kind'];
  op: CapturedChange['op'];
  thing_id: string | null;
  base_version: number | null;
  environment: string;
  path: string;
  name: string | null;
  tag_ids: string[];
  is_following: boolean;
  content: Buffer;
}

export const CHANGE_COLUMNS = `c.id, c.request_id, c.kind, c.op, c.thing_id, c.base_version, c.environment, c.path, c.name, c.tag_ids, c.is_following`;

const CHANGES = statement(
  'secret_approval_changes.of_request',
  `select ${CHANGE_COLUMNS}, c.content from secret_approval_changes c where c.request_id = $1 order by c.position`,
);

/** The changes of a request, in their order. */
export const changesOf = (ctx: Context, { id }: { id: string }): Promise<ChangeRow[]> => ctx.sql(CHANGES, [id]);

/** Changes are read and written in batches, so the caller gets the keys once. */
const contentPlace = (projectId: string, id: string) =>
  ({ column: 'secret_approval_changes.content', owner: projectId, row: id, version: 0 }) as const;

export function openChange(keys: KeySet, projectId: string, row: ChangeRow): CapturedChange {
  return {
    kind: row.kind,
    op: row.op,
    thingId: row.thing_id,
    baseVersion: row.base_version,
    spot: { environment: row.environment, path: row.path },
    name: row.name,
    tagIds: row.tag_ids,
    isFollowing: row.is_following,
    content: JSON.parse(open(keys, row.content, contentPlace(projectId, row.id))) as CapturedChange['content'],
  };
}

export const sealChange = (keys: SealingKeys, projectId: string, id: string, { content }: CapturedChange): Buffer =>
  seal(keys, JSON.stringify(content), contentPlace(projectId, id));

const inputs = columnSeal('secret_approval_requests.input');

/** The version is that of the content. */
export const sealInput = (tx: Transaction, row: Required<SealedRow>, input: object): Promise<Buffer> =>
  inputs.sealJson(tx, row, input);

const INPUT = statement('secret_approvals.input', 'select input from secret_approval_requests where id = $1');

/** What the operation of a request is called with. */
export async function inputOf(ctx: Context, row: RequestRow): Promise<object> {
  const [found] = await ctx.sql<{ input: Buffer }>(INPUT, [row.id]);
  const { id, project_id: projectId, content_version: version } = row;
  return inputs.openJson<object>(ctx, { id, organizationId: organizationOf(ctx), projectId, version }, found!.input);
}
