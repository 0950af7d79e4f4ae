import { mapInTurns, record, statement, type Transaction } from '../../../kernel/index.ts';
import type { Scope } from '../../commit/index.ts';
import { coveredPath } from '../../coverage/index.ts';
import { openingCost, secretColumns, SECRET_TABLES, type SecretRow } from '../row.ts';
import { secretsUpdated } from '../secret.ts';
import { requireWithin, valueWithin } from '../value-limit.ts';
import { draftOf, replaceSecrets, type Draft } from '../write.ts';
import { replaceReferences, targetKey, writeReference, type Origin, type Target } from './reference.ts';
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

/** A value that was moved between two locations, with its references keeping their meaning. */
const rewrite = (value: string, from: Origin, to: Origin, locationOf: (target: Target) => Target): string =>
  replaceReferences(value, from, (reference) => {
    const place = locationOf(reference);
    const wouldMean = reference.isLocal ? { ...to, key: reference.key } : reference;
    return targetKey(wouldMean) === targetKey(place) ? undefined : writeReference(place, to);
  });

/** A draft with moved references, or of a moved secret. */
export function retargeted(draft: Draft, from: Origin, locationOf: (target: Target) => Target): Draft {
  const value = rewrite(draft.text.value, from, draft, locationOf);
  return value === draft.text.value ? draft : { ...draft, text: { ...draft.text, value } };
}

const REFERRERS = statement(
  'secret_references.referrers',
  `with referrers as materialized (
     select distinct r.secret_id as id from secret_references r
     join unnest($3::text[], $4::text[], $5::text[]) as w (environment, path, key)
       on r.environment = w.environment and r.path = w.path and r.key = w.key
     where r.project_id = $2 and r.secret_id <> all($6::uuid[]))
   select ${secretColumns(valueWithin('z.id in (select id from referrers)'))} 
   from ${SECRET_TABLES} join referrers on referrers.id = s.id
   where s.organization_id = $1 and s.project_id = $2 order by s.id for update of s`,
);

/** What is asked of whoever moves something to which secrets with too many bytes refer. */
const REFERRERS_LIMIT = { which: 'The secrets that refer to it', todo: 'remove some of these references first' };

/**
 * The next versions of the secrets that refer to moved ones, to be written together with these (`movingIds`); the
 * references of the project are locked. No permissions are checked, because the values keep their meaning.
 */
export async function draftReferrers(
  tx: Transaction,
  scope: Scope,
  moves: readonly TargetMove[],
  movingIds: readonly string[],
): Promise<Draft[]> {
  const rows = await tx.sql<SecretRow>(REFERRERS, [
    scope.organizationId,
    scope.projectId,
    moves.map(({ from }) => from.environment),
    moves.map(({ from }) => from.path),
    moves.map(({ from }) => from.key),
    movingIds,
  ]);
  return draftRetargeted(tx, scope, rows, (place) => place, placesAfter(moves));
}

/** The next versions of the secrets whose values must change, with an event each. */
async function draftRetargeted(
  tx: Transaction,
  scope: Scope,
  rows: readonly SecretRow[],
  before: (place: Origin) => Origin,
  locationOf: (target: Target) => Target,
): Promise<Draft[]> {
  if (rows.length === 0) return [];
  requireWithin(rows, REFERRERS_LIMIT);
  const keys = await tx.keys.project(scope.organizationId, scope.projectId);
  const all = await mapInTurns(rows, openingCost, (row) => {
    const draft = draftOf(keys, row);
    const changed = retargeted(draft, before(originOf(row)), locationOf);
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
  const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  await rewriteHolders(
    tx,
    scope,
    holders,
    (place) =>
      place.environment === environment && isBelow(place.path, to)
        ? { environment, path: from + place.path.slice(to.length) }
        : place,
    (target) =>
      target.environment === environment && isBelow(target.path, from)
        ? { ...target, path: to + target.path.slice(from.length) }
        : target,
    leave,
  );
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
  await rewriteHolders(
    tx,
    scope,
    holders,
    (place) => (place.environment === to ? { ...place, environment: from } : place),
    (target) => (target.environment === from ? { ...target, environment: to } : target),
  );
  await requireAcyclicBelow(tx, scope, { environment: to, path: '/' });
}

interface Holder {
  secretId: string;
}

/** Rewrites the values of secrets whose targets, and possibly the secrets themselves, have moved with their folder. */
async function rewriteHolders(
  tx: Transaction,
  scope: Scope,
  holders: readonly Holder[],
  before: (place: Origin) => Origin,
  locationOf: (target: Target) => Target,
  leave?: ReadonlySet<string>,
): Promise<void> {
  if (holders.length === 0) return;
  const ids = holders.map((holder) => holder.secretId);
  const found = await tx.sql<SecretRow>(BY_IDS, [scope.organizationId, ids]);
  const rows = leave ? found.filter((row) => row.userId !== null || !leave.has(row.folderId)) : found;
  await replaceSecrets(tx, scope, await draftRetargeted(tx, scope, rows, before, locationOf));
}
