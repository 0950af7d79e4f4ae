import { mapInTurns, record, statement, type Transaction } from '../../../kernel/index.ts';
import type { Scope } from '../../commit/index.ts';
import { coveredPath, requireMayLeave } from '../../coverage/index.ts';
import { isAtOrBelow } from '../../folder/index.ts';
import { openingCost, secretColumns, SECRET_TABLES, type SecretRow } from '../row.ts';
import { secretsUpdated } from '../secret.ts';
import { requireWithin, RewriteLimit, rewrittenTooLong, valueWithin } from '../value-limit.ts';
import { draftOf, replaceInPortions, replaceSecrets } from '../write.ts';
import type { Draft } from '../draft.ts';
import { replaceReferences, targetKey, writeReference, type Origin, type Reference, type Target } from './reference.ts';
import { originOf } from './find.ts';
import { requireAcyclicBelow } from './store.ts';

/** A moved secret: references to the old location must be rewritten to the new one. */
export interface TargetMove {
  readonly from: Target;
  readonly to: Target;
}

/** Where the targets of references are after some moves. */
export function placesAfter(moves: readonly TargetMove[]): (target: Target) => Target {
  const places = new Map(moves.map(({ from, to }) => [targetKey(from), to]));
  return (target) => places.get(targetKey(target)) ?? target;
}

/** How a target is written in a value that is now at a place, if not as before. */
const rewriterOf = (to: Origin, locationOf: (target: Target) => Target) => (reference: Reference) => {
  const place = locationOf(reference);
  const wouldMean = reference.isLocal ? { ...to, key: reference.key } : reference;
  return targetKey(wouldMean) === targetKey(place) ? undefined : writeReference(place, to);
};

/**
 * A draft with moved references, or of a moved secret: its references keep their meaning. A personal value stays as it is where it
 * would be too long: those of others, which nobody sees, limit no change.
 *
 * @throws DomainError 400 `secret.values_too_large`.
 */
export function retargeted(
  draft: Draft,
  from: Origin,
  locationOf: (target: Target) => Target,
  limit: RewriteLimit,
): Draft {
  const { value: old } = draft.text;
  const value = limit.within(old, (most) => replaceReferences(old, from, rewriterOf(draft, locationOf), most));
  if (value === undefined && draft.userId === null) throw rewrittenTooLong();
  return value === undefined || value === old ? draft : { ...draft, text: { ...draft.text, value } };
}

const REFERRERS = statement(
  'secret_references.referrers_of',
  `select distinct r.secret_id as "secretId" from secret_references r
   join unnest($2::text[], $3::text[], $4::text[]) as w (environment, path, key)
     on r.environment = w.environment and r.path = w.path and r.key = w.key
   where r.project_id = $1 and r.secret_id <> all($5::uuid[])`,
);

/**
 * Writes moved secrets, and after them what refers to them: references follow. What a policy covers leaves it where
 * something follows; without, a moved secret is a new one at the other place. `kept`: IDs that are not rewritten. The
 * references of the project are locked; for those that follow no permissions are checked, because they keep their meaning.
 *
 * @throws DomainError 403; see `requireMayLeave`.
 */
export async function replaceMoved(
  tx: Transaction,
  scope: Scope,
  drafts: readonly Draft[],
  moves: readonly TargetMove[],
  kept: readonly string[] = [],
): Promise<void> {
  if (moves.length === 0) return replaceSecrets(tx, scope, drafts);
  const holders = await tx.sql<Holder>(REFERRERS, [
    scope.projectId,
    moves.map(({ from }) => from.environment),
    moves.map(({ from }) => from.path),
    moves.map(({ from }) => from.key),
    [...drafts.map(({ id }) => id), ...kept],
  ]);
  if (holders.length > 0)
    await requireMayLeave(
      tx,
      scope,
      drafts.flatMap((draft) => (draft.before && draft.userId === null ? [{ from: draft.before, to: draft }] : [])),
    );
  await rewriteHolders(tx, scope, holders, { locationOf: placesAfter(moves), drafts });
}

/** How values are rewritten: where a place was before, and where the targets of references are now. */
interface Rewriting {
  readonly before?: (place: Origin) => Origin;
  readonly locationOf: (target: Target) => Target;
}

/** What is asked of whoever moves something to which shared secrets with too many bytes refer. */
const REFERRERS_LIMIT = { which: 'The secrets that refer to it', todo: 'remove some of these references first' };

/** The next versions of the secrets whose values must change, with an event each. */
async function draftRetargeted(
  tx: Transaction,
  scope: Scope,
  ids: readonly string[],
  { before = (place) => place, locationOf }: Rewriting,
): Promise<Draft[]> {
  if (ids.length === 0) return [];
  const rows = await tx.sql<SecretRow>(BY_IDS, [scope.organizationId, ids]);
  requireWithin(rows, REFERRERS_LIMIT);
  const keys = await tx.keys.project(scope.organizationId, scope.projectId);
  const limit = new RewriteLimit();
  const all = await mapInTurns(rows, openingCost, (row) => {
    const draft = draftOf(keys, row);
    const changed = retargeted(draft, before(originOf(row)), locationOf, limit);
    return changed === draft ? [] : [{ ...changed, isFollowing: true as const }];
  });
  const drafts = all.flat();
  for (const [environment, changed] of Map.groupBy(drafts, (draft) => draft.environment)) {
    const secrets = changed.map(({ id, key, version, path }) => ({
      secretId: id,
      secretKey: key,
      secretVersion: version,
      secretPath: coveredPath(path),
    }));
    record(tx, secretsUpdated, { environment, secretPath: '/', secrets }, { projectId: scope.projectId });
  }
  return drafts;
}

/** Changes the targets of references and returns their holders. A reference to the new target may exist already. */
const moveTargets = (name: string, condition: string, path: string) =>
  statement(
    name,
    `with gone as (delete from secret_references where project_id = $1 and environment = $2 and ${condition} returning *),
     moved as (insert into secret_references (secret_id, organization_id, project_id, environment, path, key)
       select secret_id, organization_id, project_id, $3, ${path}, key from gone on conflict do nothing)
     select distinct secret_id as "secretId" from gone`,
  );
const MOVE_FOLDER = moveTargets(
  'secret_references.move_folder',
  `(path = $4 or starts_with(path, $4 || '/'))`,
  '$5 || substr(path, length($4) + 1)',
);
const RENAME_ENVIRONMENT = moveTargets('secret_references.rename_environment', 'true', 'path');

const BY_IDS = statement(
  'secret_references.holders',
  `select ${secretColumns(valueWithin('z.organization_id = $1 and z.id = any($2::uuid[])'))} from ${SECRET_TABLES}
   where s.organization_id = $1 and s.id = any($2::uuid[]) order by s.id for update of s`,
);

export interface FolderMove {
  readonly environment: string;
  /** Neither is the root. */
  readonly from: string;
  readonly to: string;
}

/**
 * References follow a folder to its new path; call it after the folders' own rows have moved, which is
 * after `lockNames`. Shared secrets in the folders to `leave` are skipped, because they are about to be rewritten.
 *
 * @throws DomainError 400 `secret.reference_cycle` if a value refers to itself under the new path.
 */
export async function folderMoved(
  tx: Transaction,
  scope: Scope,
  { environment, from, to }: FolderMove,
  leave?: ReadonlySet<string>,
): Promise<void> {
  const holders = await tx.sql<Holder>(MOVE_FOLDER, [scope.projectId, environment, environment, from, to]);
  await rewriteHolders(tx, scope, holders, {
    before: (place) =>
      place.environment === environment && isAtOrBelow(place.path, to)
        ? { environment, path: from + place.path.slice(to.length) }
        : place,
    locationOf: (target) =>
      target.environment === environment && isAtOrBelow(target.path, from)
        ? { ...target, path: to + target.path.slice(from.length) }
        : target,
    leave,
  });
  if (!leave) await requireAcyclicBelow(tx, scope, { environment, path: to });
}

/**
 * References follow an environment to its new slug; call it once its own row has changed, after `lockNames`.
 *
 * @throws DomainError 400 `secret.reference_cycle` where a value refers to itself under the new slug.
 */
export async function environmentRenamed(
  tx: Transaction,
  scope: Scope,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const holders = await tx.sql<Holder>(RENAME_ENVIRONMENT, [scope.projectId, from, to]);
  await rewriteHolders(tx, scope, holders, {
    before: (place) => (place.environment === to ? { ...place, environment: from } : place),
    locationOf: (target) => (target.environment === from ? { ...target, environment: to } : target),
  });
  await requireAcyclicBelow(tx, scope, { environment: to, path: '/' });
}

interface Holder {
  secretId: string;
}

const SIZES = statement(
  'secret_references.holder_sizes',
  `select s.id, s.folder_id as "folderId", s.user_id is not null as "isPersonal", octet_length(s.value) as bytes
   from secrets s where s.organization_id = $1 and s.id = any($2::uuid[]) order by s.id for update`,
);

interface Sized {
  id: string;
  folderId: string;
  isPersonal: boolean;
  bytes: number;
}

interface Rewritten extends Rewriting {
  /** Written together with the shared secrets. */
  readonly drafts?: readonly Draft[];
  /** Folders whose shared secrets stay as they are. */
  readonly leave?: ReadonlySet<string> | undefined;
}

/**
 * Rewrites the values of secrets whose targets, and possibly the secrets themselves, have moved. Nothing refers to personal
 * values, so they are written afterwards, some at a time: those of others, which nobody sees, limit no change.
 */
async function rewriteHolders(
  tx: Transaction,
  scope: Scope,
  holders: readonly Holder[],
  { drafts = [], leave, ...rewriting }: Rewritten,
): Promise<void> {
  const ids = holders.map((holder) => holder.secretId);
  const rows = ids.length > 0 ? await tx.sql<Sized>(SIZES, [scope.organizationId, ids]) : [];
  const draftsOf = (some: readonly string[]) => draftRetargeted(tx, scope, some, rewriting);
  const shared = rows.flatMap(({ id, isPersonal, folderId }) => (isPersonal || leave?.has(folderId) ? [] : id));
  await replaceSecrets(tx, scope, [...drafts, ...(await draftsOf(shared))]);
  const personal = rows.filter(({ isPersonal }) => isPersonal);
  await replaceInPortions(tx, scope, personal, draftsOf);
}
