import {
  approverBytes,
  peopleById,
  reviewsOf,
  unsatisfied,
  viewerOf,
  visibleTo,
  type KeptReview,
  type ApprovalPerson,
} from '../../access/approval-policy/index.ts';
import { abilityIn } from '../../access/index.ts';
import { eventOf, isId, mapInTurns, readInRoom, statement, type AnswerRoom, type Context } from '../../kernel/index.ts';
import { folderVisibility, presentPlaces, type RulePlace } from '../folder/index.ts';
import {
  requestRead,
  type ChangeDetails,
  type ListedRequest,
  type ListRequests,
  type RequestDetails,
  type GetRequest,
} from './approval.ts';
import { committerOf } from './committer.ts';
import { conflictsOf } from './conflicts.ts';
import { ChangeReader, type SummaryRow } from './difference.ts';
import {
  CHANGE_COLUMNS,
  changesOf,
  eventData,
  findRequest,
  REQUEST_COLUMNS,
  REQUEST_TABLES,
  toApproval,
  type RequestRow,
} from './row.ts';
import { requireParty, reviewStateOf, reviewStatesOf, type ReviewState } from './review-state.ts';
import { shownPathsOf, withShownPath, withShownPaths } from './shown-paths.ts';

/** Changes that a list shows of each request. */
const SHOWN = 20;

const VISIBLE = visibleTo('coalesce(r.committer_user_id, r.committer_machine_id)', 'r.policy_ids');

const LIST = statement(
  'secret_approvals.list',
  `select ${REQUEST_COLUMNS} from ${REQUEST_TABLES} where ${VISIBLE}
     and ($5::text is null or e.slug = $5) and ($6::uuid is null or coalesce(r.committer_user_id, r.committer_machine_id) = $6)
     and ($7::text is null or r.status = $7)
   order by r.created_at desc, r.id desc limit $8 offset $9`,
);
const COUNT = statement(
  'secret_approvals.count',
  `select count(*) filter (where r.status = 'open')::integer as open, count(*) filter (where r.status = 'close')::integer as closed
   from secret_approval_requests r where ${VISIBLE}`,
);
const FIRST_CHANGES = statement(
  'secret_approval_changes.first',
  `select ${CHANGE_COLUMNS}, (select count(*)::integer from secret_approval_changes a where a.request_id = c.request_id) as count
   from secret_approval_changes c where c.request_id = any($1::uuid[]) and c.position < ${SHOWN} order by c.request_id, c.position`,
);

/**
 * The requests of a project, newest first: those that concern the caller, or all if the caller may see all.
 *
 * @throws DomainError 400 `answer.too_large` where many policies with many approvers apply to many requests.
 */
export function listRequests(ctx: Context, input: ListRequests): Promise<ListedRequest[]> {
  return readInRoom(ctx, (room) => listRequestsIn(ctx, input, room));
}

async function listRequestsIn(ctx: Context, input: ListRequests, room: AnswerRoom): Promise<ListedRequest[]> {
  const { projectId, environment, committer, status, limit, offset } = input;
  const who = await viewerOf(ctx, projectId);
  // Text that is not an ID matches nobody.
  if (committer !== undefined && !isId(committer)) return [];
  const wanted = [environment ?? null, committer ?? null, status ?? null, limit, offset];
  const rows = await ctx.sql<RequestRow>(LIST, [...who, ...wanted]);
  const ids = rows.map(({ id }) => id);
  const standings = await reviewStatesOf(ctx, projectId, rows);
  takeRoom(room, [...standings.values()]);
  const reviews = await reviewsOf(ctx, 'change', ids);
  const people = await peopleById(
    ctx,
    rows.map((row) => row.committerUserId),
  );
  const changes = await ctx.sql<SummaryRow & { requestId: string; count: number }>(FIRST_CHANGES, [ids]);
  const byRequest = Map.groupBy(changes, (change) => change.requestId);
  const reader = await ChangeReader.of(ctx, projectId, changes);
  const seesFolder = folderVisibility(await abilityIn(ctx, projectId));
  const places = await presentPlacesOf(ctx, rows);
  return mapInTurns(rows, COST_OF_REQUEST, (row) => {
    const first = byRequest.get(row.id) ?? [];
    const standing = standings.get(row.id)!;
    const shownAt = shownPathsOf(ctx, seesFolder, row, standing);
    return {
      ...describe(row, standing, reviews.get(row.id) ?? [], people),
      secretPath: shownAt(places(row))(row.environment, row.secretPath),
      commits: first.map((change) => withShownPath(reader.summary(change), shownAt(reader.placesOf(change)))),
      commitCount: first[0]?.count ?? 0,
    };
  });
}

/** Where the folders of some requests are now, or were last. */
async function presentPlacesOf(ctx: Context, rows: readonly RequestRow[]): Promise<(row: RequestRow) => RulePlace[]> {
  const places = await presentPlaces(
    ctx,
    rows.flatMap(({ folderId }) => folderId ?? []),
  );
  return ({ folderId }) => {
    const place = places.get(folderId ?? '');
    return place ? [place] : [];
  };
}

/** Of one in the list, with all its policies and approvers, as of `WorkBudget`: it is time to look at the clock. */
const COST_OF_REQUEST = 500;

/** An answer repeats the approvers of each policy, and all of them, for each request. */
function takeRoom(room: AnswerRoom, standings: readonly ReviewState[]): void {
  for (const { approvers, policy, policies } of standings)
    room.take(2 * approverBytes(approvers, [policy.id, ...policies.map(({ id }) => id)]));
}

/** How many requests of a project the caller sees. */
export async function countRequests(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<{ open: number; closed: number }> {
  const [count] = await ctx.sql<{ open: number; closed: number }>(COUNT, await viewerOf(ctx, projectId));
  return count!;
}

/**
 * One request with its difference to its base, change by change. Values are returned to callers who may read them at
 * the old and the new location, names to callers who may see them; others see that it changes.
 */
export function getRequest(ctx: Context, input: GetRequest): Promise<RequestDetails> {
  return readInRoom(ctx, (room) => getRequestIn(ctx, input, room));
}

async function getRequestIn(
  ctx: Context,
  { id, viewSecretValue }: GetRequest,
  room: AnswerRoom,
): Promise<RequestDetails> {
  const row = await findRequest(ctx, id);
  const { projectId } = row;
  const standing = await reviewStateOf(ctx, row);
  await requireParty(ctx, row, standing);
  takeRoom(room, [standing]);
  const reviews = (await reviewsOf(ctx, 'change', [id])).get(id) ?? [];
  const people = await peopleById(ctx, [row.committerUserId, row.statusChangedByUserId]);
  const changes = await changesOf(ctx, row);
  const reader = await ChangeReader.of(ctx, projectId, changes);
  const commits = await reader.details(changes, viewSecretValue);
  const present = row.status === 'open' ? await conflictsOf(ctx, row) : [];
  await commitRead(ctx, row, commits);
  const shownAt = shownPathsOf(ctx, folderVisibility(await abilityIn(ctx, projectId)), row, standing);
  const places = await presentPlacesOf(ctx, [row]);
  return {
    ...describe(row, standing, reviews, people),
    secretPath: shownAt(places(row))(row.environment, row.secretPath),
    ...(present.length > 0 && { conflicts: present }),
    statusChangedByUser: people.get(row.statusChangedByUserId ?? '') ?? null,
    commits: commits.map((change, index) => {
      const changed = changes[index]!;
      return withShownPaths(change, {
        before: shownAt(reader.formerPlacesOf(changed)),
        after: shownAt(reader.placesOf(changed)),
      });
    }),
  };
}

/** Events of one read at most, where values of many folders are read, and secrets that they name together. */
const [MAX_FOLDERS, MAX_NAMED] = [100, 100];

/**
 * One event for each folder of which values are in the answer, so that it is found by that folder; one for those beyond
 * many folders. Without values, one for the folder of the request. What many secrets are is in the event of the request.
 */
async function commitRead(ctx: Context, row: RequestRow, commits: readonly ChangeDetails[]): Promise<void> {
  const { projectId } = row;
  const folders = [
    ...Map.groupBy(commits.flatMap(valuesIn), ({ environment, secretPath }) => `${environment}:${secretPath}`).values(),
  ];
  let room = MAX_NAMED;
  const events = [...folders.slice(0, MAX_FOLDERS), folders.slice(MAX_FOLDERS).flat()].filter(
    ({ length }) => length > 0,
  );
  await Promise.all(
    (events.length > 0 ? events : [[]]).map((values, index) => {
      const { environment, secretPath } = values[0] ?? row;
      const secrets = index < MAX_FOLDERS ? values.slice(0, room).map(({ secret }) => secret) : [];
      room -= secrets.length;
      const read = { environment, secretPath, numberOfValues: values.length, secrets };
      return ctx.commitRead(eventOf(requestRead, { ...eventData(row), ...read }, { projectId }), ctx);
    }),
  );
}

/** The secrets of a change whose values are in the answer: the stored version, and what the request has. */
function valuesIn({ before, after, secretId, secretVersion, secretValueHidden }: ChangeDetails) {
  if (secretValueHidden) return [];
  return [
    { side: before, version: secretVersion },
    { side: after, version: null },
  ].flatMap(({ side, version }) =>
    side?.secretValue === undefined
      ? []
      : {
          environment: side.environment,
          secretPath: side.secretPath!,
          secret: { secretKey: side.secretKey ?? '', secretId, secretVersion: version },
        },
  );
}

function describe(
  row: RequestRow,
  { policy, policies, approvers, approvals }: ReviewState,
  reviews: readonly KeptReview[],
  people: ReadonlyMap<string, ApprovalPerson>,
): Omit<ListedRequest, 'commits' | 'commitCount' | 'secretPath'> {
  const counted = new Set([...approvals.values()].flatMap((users) => [...users]));
  const committer = committerOf(row);
  const name = row.committerMachineName ?? people.get(row.committerUserId ?? '')?.username;
  return {
    ...toApproval(row),
    version: row.contentVersion,
    policy: { ...policy, approvers: [...approvers.of(policy.id)] },
    policies: policies.map((one) => ({ ...one, approvers: [...approvers.of(one.id)] })),
    environment: row.environment,
    committerUser: people.get(row.committerUserId ?? '') ?? null,
    committer: committer && name !== undefined ? { ...committer, name } : null,
    reviewers: reviews
      .filter((review) => review.contentVersion === row.contentVersion)
      .map(({ reviewerUserId: userId, status, comment }) => ({
        userId,
        status,
        comment,
        isCounted: status === 'approved' && counted.has(userId),
      })),
    approvers: approvers.under(row.policyIds),
    isApproved: policy.deletedAt === null && unsatisfied(policies, approvals).length === 0,
  };
}
