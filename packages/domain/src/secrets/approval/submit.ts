import { lockPolicies } from '../../access/approval-policy/index.ts';
import { organizationOf } from '../../access/index.ts';
import {
  badRequest,
  explainConstraint,
  inTransaction,
  mapInTurns,
  newId,
  portionsOf,
  randomSlug,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { ApprovalNeeded, enforcingPolicies, sizeOfChange, type Capture, type Hit } from '../coverage/index.ts';
import { secretsRead, turnCost } from '../secret/index.ts';
import { committerColumns } from './committer.ts';
import { requestOpened, requestReopened, type Proposed, type SecretApproval } from './approval.ts';
import { notifyApprovers } from './mail.ts';
import { NAMED_COLUMNS, NAMED_TYPES, namedIn, namedValues } from './named-folders.ts';
import { keepPlaces } from './places.ts';
import type { ProposableChange } from './proposable.ts';
import { dryRunChange, settled } from './dry-run.ts';
import {
  eventData,
  lockRequest,
  REQUEST_COLUMNS,
  REQUEST_TABLES,
  sealChange,
  sealInput,
  toApproval,
  type RequestRow,
} from './row.ts';

explainConstraint('secret_approval_requests_replicates_unique', 'A newer request of the same replication is open');

/** Retries if a policy appears and disappears during a submission. */
const ATTEMPTS = 3;

export interface SubmitOptions {
  /**
   * For replication by Coffer (an import's ID): an open request for the same gets this content, and earlier reviews do
   * not count.
   */
  readonly replicates?: string;
}

/**
 * Runs an operation; if a change policy covers it, it is rolled back and stored as a request. Errors of the operation
 * are the same in both cases. Policies apply to every caller that they do not exempt, and here also to Coffer itself.
 */
export async function submitChange<Input extends object, Result>(
  ctx: Context,
  change: ProposableChange<Input, Result>,
  input: Input,
  { replicates }: SubmitOptions = {},
): Promise<Result | Proposed> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await enforcingPolicies(ctx, () => change.run(ctx, input));
    } catch (error) {
      if (!(error instanceof ApprovalNeeded) || ctx.outbox || attempt > ATTEMPTS) throw error;
    }
    const capture = await dryRunChange(ctx, change, input);
    // If the policy was deleted meanwhile, the operation runs directly.
    if (capture.hits.size === 0) continue;
    const content = { operation: change.name, input, capture };
    return { approval: await inTransaction(ctx, (tx) => open(tx, content, replicates ?? null)) };
  }
}

/** Whether an answer of `submitChange` is a request, and nothing was done. */
export const isProposed = (answer: unknown): answer is Proposed =>
  typeof answer === 'object' && answer !== null && 'approval' in answer;

/** The content of a request. */
interface Content {
  readonly operation: string;
  readonly input: object;
  readonly capture: Capture;
}

const SAME = statement(
  'secret_approvals.same',
  `select r.id from secret_approval_requests r
   where r.project_id = $1 and r.replicates = $2 and r.status = 'open' for update`,
);
const INSERT = statement(
  'secret_approvals.insert',
  `insert into secret_approval_requests (id, organization_id, project_id, environment_id, policy_id, policy_ids, slug,
     folder_id, secret_path, operation, input, is_replicated, replicates, committer_user_id, committer_machine_type,
     committer_machine_id, committer_machine_name, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)`,
);
const REPLACE = statement(
  'secret_approvals.replace',
  `update secret_approval_requests set environment_id = $2, policy_id = $3, policy_ids = $4, folder_id = $5, secret_path = $6,
     operation = $7, input = $8, content_version = $9, status = 'open', conflicts = null, status_changed_by_user_id = $10,
     updated_at = $11
   where id = $1`,
);
const FOLDER = statement(
  'secret_approvals.folder',
  `select f.id from folders f where f.environment_id = $1 and starts_with($2, case f.path when '/' then '/' else f.path || '/' end)
   order by length(f.path) desc limit 1`,
);
const READ = statement('secret_approvals.read_one', `select ${REQUEST_COLUMNS} from ${REQUEST_TABLES} where r.id = $1`);

async function open(tx: Transaction, content: Content, replicates: string | null): Promise<SecretApproval> {
  const organizationId = organizationOf(tx);
  const { projectId } = content.capture.scope!;
  const place = await locationOf(tx, content.capture);
  if (replicates !== null) {
    const [same] = await tx.sql<{ id: string }>(SAME, [projectId, replicates]);
    if (same) return renew(tx, await lockRequest(tx, same.id), content, place);
  }
  const { policy, spot, folderId } = place;
  const [id, slug] = [newId(), randomSlug()];
  await tx.sql(INSERT, [
    id,
    organizationId,
    projectId,
    policy.envId,
    policy.id,
    [...content.capture.hits.keys()],
    slug,
    folderId,
    spot.path,
    content.operation,
    await sealInput(tx, { id, organizationId, projectId, version: 1 }, content.input),
    replicates !== null,
    replicates,
    ...committerColumns(tx),
    tx.now(),
  ]);
  await writeChanges(tx, projectId, id, content.capture);
  const [row] = await tx.sql<RequestRow>(READ, [id]);
  record(tx, requestOpened, openedData(row!), { projectId });
  recordReads(tx, projectId, content.capture);
  notifyApprovers(tx, row!, 'opened');
  return toApproval(row!);
}

/** Replaces the content of a request, or rebases it: earlier reviews do not count. */
export async function renew(
  tx: Transaction,
  before: RequestRow,
  content: Content,
  { policy, spot, folderId }: FiledUnder,
): Promise<SecretApproval> {
  const { id, projectId } = before;
  const version = before.contentVersion + 1;
  const input = await sealInput(tx, { id, organizationId: organizationOf(tx), projectId, version }, content.input);
  const changedBy =
    before.status === 'open' ? before.statusChangedByUserId : tx.actor.type === 'user' ? tx.actor.id : null;
  await tx.sql(REPLACE, [
    id,
    policy.envId,
    policy.id,
    [...content.capture.hits.keys()],
    folderId,
    spot.path,
    content.operation,
    input,
    version,
    changedBy,
    tx.now(),
  ]);
  await writeChanges(tx, projectId, id, content.capture);
  const [row] = await tx.sql<RequestRow>(READ, [id]);
  record(tx, requestReopened, openedData(row!), { projectId });
  recordReads(tx, projectId, content.capture);
  notifyApprovers(tx, row!, 'opened');
  return toApproval(row!);
}

/** A request that copies or moves secrets is a read of their sources: whoever may read it gets their values. */
function recordReads(tx: Transaction, projectId: string, { reads }: Capture): void {
  for (const read of reads) record(tx, secretsRead, read, { projectId });
}

const openedData = (row: RequestRow) => ({
  ...eventData(row),
  environment: row.environment,
  secretPath: row.secretPath,
  operation: row.operation,
  isReplicated: row.isReplicated,
});

/** The first covered folder, its policy, and the deepest existing folder on its path. */
type FiledUnder = Hit & { readonly folderId: string };

/** Where a request is stored; its policies are locked. */
export async function locationOf(tx: Transaction, { hits }: Capture): Promise<FiledUnder> {
  const [hit] = hits.values();
  const policy = (await lockPolicies(tx, 'change', [...hits.keys()])).get(hit!.policy.id);
  if (!policy || policy.deletedAt)
    throw badRequest('secret_approval.policy_gone', 'The policy was just deleted; try again');
  const [folder] = await tx.sql<{ id: string }>(FOLDER, [
    policy.envId,
    hit!.spot.path === '/' ? '/' : `${hit!.spot.path}/`,
  ]);
  return { policy, spot: hit!.spot, folderId: folder!.id };
}

const DROP_CHANGES = statement(
  'secret_approval_changes.drop',
  'delete from secret_approval_changes where request_id = $1',
);
const INSERT_CHANGES = statement(
  'secret_approval_changes.insert',
  `insert into secret_approval_changes (id, organization_id, project_id, request_id, position, kind, op, thing_id, base_version,
     environment, path, name, tag_ids, is_following, content, ${NAMED_COLUMNS})
   select id, $2, $3, $4, position, kind, op, thing_id, base_version, environment, path, name, tag_ids, is_following, content,
     ${NAMED_COLUMNS}
   from json_to_recordset($1::json) as c (id uuid, position integer, kind text, op text, thing_id uuid, base_version integer,
     environment text, path text, name text, tag_ids uuid[], is_following boolean, content bytea, ${NAMED_TYPES})`,
);

async function writeChanges(tx: Transaction, projectId: string, requestId: string, capture: Capture): Promise<void> {
  const organizationId = organizationOf(tx);
  const changes = settled(capture);
  await tx.sql(DROP_CHANGES, [requestId]);
  const namedBy = await namedIn(tx, projectId, changes);
  let position = 0;
  for (const portion of portionsOf(changes, sizeOfChange)) {
    const keys = await tx.keys.sealing(organizationId, projectId, portion.length);
    const rows = await mapInTurns(
      portion,
      (change) => turnCost(sizeOfChange(change)),
      (change) => {
        const id = newId();
        return JSON.stringify({
          id,
          position: position++,
          kind: change.kind,
          op: change.op,
          thing_id: change.thingId,
          base_version: change.baseVersion,
          environment: change.spot.environment,
          path: change.spot.path,
          name: change.name,
          tag_ids: `{${change.tagIds.join(',')}}`,
          is_following: change.isFollowing,
          content: `\\x${sealChange(keys, projectId, id, change).toString('hex')}`,
          ...namedValues(namedBy(change)),
        });
      },
    );
    await tx.sql(INSERT_CHANGES, [`[${rows.join(',')}]`, organizationId, projectId, requestId]);
  }
  await keepPlaces(tx, { id: requestId, projectId }, changes);
}
