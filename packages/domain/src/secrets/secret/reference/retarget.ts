import { statement, type Transaction } from '../../../kernel/index.ts';
import { valueOf, SECRET_COLUMNS, SECRET_TABLES, type SecretRow } from '../row.ts';
import { draftOf, replaceSecrets, type Scope } from '../write.ts';
import { replaceReferences, targetKey, writeReference, type Origin, type Target } from './reference.ts';
import { originOf } from './resolve.ts';

/** A secret that has moved: what referred to it there is to refer to it here. */
export interface TargetMove {
  readonly from: Target;
  readonly to: Target;
}

const REFERRERS = statement(
  'secret_references.referrers',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES}
   where s.organization_id = $1 and s.project_id = $2 and s.id in (
     select r.secret_id from secret_references r
     join unnest($3::text[], $4::text[], $5::text[]) as w (environment, path, key)
       on r.environment = w.environment and r.path = w.path and r.key = w.key
     where r.project_id = $2
     union select unnest($6::uuid[]))
   order by s.id for update of s`,
);

/**
 * Rewrites the values that refer to moved secrets, and those of moved secrets whose references without a place would
 * now mean another folder (`movedIds`, with the place where they stood). Every rewritten value is a new version.
 */
export async function targetsMoved(
  tx: Transaction,
  scope: Scope,
  moves: readonly TargetMove[],
  moved: ReadonlyMap<string, Origin> = new Map(),
): Promise<void> {
  const rows = await tx.sql<SecretRow>(REFERRERS, [
    scope.organizationId,
    scope.projectId,
    moves.map(({ from }) => from.environment),
    moves.map(({ from }) => from.path),
    moves.map(({ from }) => from.key),
    [...moved.keys()],
  ]);
  if (rows.length === 0) return;
  const newPlace = new Map(moves.map(({ from, to }) => [targetKey(from), to]));
  const keys = await tx.keys.project(scope.organizationId, scope.projectId);
  const drafts = rows.flatMap((row) => {
    const value = valueOf(keys, row);
    const written = rewrite(
      value,
      moved.get(row.id) ?? originOf(row),
      originOf(row),
      (target) => newPlace.get(targetKey(target)) ?? target,
    );
    const draft = draftOf(keys, row);
    return written === value ? [] : [{ ...draft, text: { ...draft.text, value: written } }];
  });
  await replaceSecrets(tx, scope, drafts);
}

/** A value that stood at one place and stands at another, with its references meaning what they meant. */
export const rewrite = (value: string, from: Origin, to: Origin, placeOf: (target: Target) => Target): string =>
  replaceReferences(value, from, (target, text) => {
    const place = placeOf(target);
    const isLocal = !text.includes('.');
    const wouldMean = isLocal ? { ...to, key: target.key } : target;
    return targetKey(wouldMean) === targetKey(place) ? undefined : writeReference(place, to);
  });

const MOVE_TARGETS = statement(
  'secret_references.move_folder',
  `update secret_references set environment = $4, path = $5 || substr(path, length($3) + 1)
   where project_id = $1 and environment = $2 and (path = $3 or starts_with(path, $3 || '/'))
   returning secret_id`,
);

const MOVE_IMPORTS = statement(
  'secret_imports.move_source',
  `update secret_imports i set import_path = $4 || substr(import_path, length($3) + 1), updated_at = $5
   where i.project_id = $1 and i.import_environment_id = (select id from environments where project_id = $1 and slug = $2)
     and (import_path = $3 or starts_with(import_path, $3 || '/'))`,
);

const BY_IDS = statement(
  'secret_references.holders',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES} where s.organization_id = $1 and s.id = any($2::uuid[]) order by s.id for update of s`,
);

export interface FolderMove {
  readonly environment: string;
  /** Neither is the root. */
  readonly from: string;
  readonly to: string;
}

/** References and imports follow a folder to its new path; call it once the folders' own rows have moved. */
export async function folderMoved(tx: Transaction, scope: Scope, { environment, from, to }: FolderMove): Promise<void> {
  await tx.sql(MOVE_IMPORTS, [scope.projectId, environment, from, to, tx.now()]);
  const holders = await tx.sql<{ secret_id: string }>(MOVE_TARGETS, [
    scope.projectId,
    environment,
    from,
    environment,
    to,
  ]);
  const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  await rewriteHolders(tx, scope, holders, {
    before: (place) =>
      place.environment === environment && isBelow(place.path, to)
        ? { environment, path: from + place.path.slice(to.length) }
        : place,
    after: (target) =>
      target.environment === environment && isBelow(target.path, from)
        ? { ...target, path: to + target.path.slice(from.length) }
        : target,
  });
}

const RENAME_ENVIRONMENT = statement(
  'secret_references.rename_environment',
  'update secret_references set environment = $3 where project_id = $1 and environment = $2 returning secret_id',
);

/** References follow an environment to its new slug; call it once the environment's own row has changed. */
export async function environmentRenamed(
  tx: Transaction,
  scope: Scope,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const holders = await tx.sql<{ secret_id: string }>(RENAME_ENVIRONMENT, [scope.projectId, from, to]);
  await rewriteHolders(tx, scope, holders, {
    before: (place) => (place.environment === to ? { ...place, environment: from } : place),
    after: (target) => (target.environment === from ? { ...target, environment: to } : target),
  });
}

/** Rewrites the values of secrets of which the targets, and perhaps the secrets themselves, have moved with their folder. */
async function rewriteHolders(
  tx: Transaction,
  scope: Scope,
  holders: readonly { secret_id: string }[],
  { before, after }: { before: (place: Origin) => Origin; after: (target: Target) => Target },
): Promise<void> {
  if (holders.length === 0) return;
  const rows = await tx.sql<SecretRow>(BY_IDS, [
    scope.organizationId,
    [...new Set(holders.map((holder) => holder.secret_id))],
  ]);
  const keys = await tx.keys.project(scope.organizationId, scope.projectId);
  const drafts = rows.flatMap((row) => {
    const value = valueOf(keys, row);
    const written = rewrite(value, before(originOf(row)), originOf(row), after);
    const draft = draftOf(keys, row);
    return written === value ? [] : [{ ...draft, text: { ...draft.text, value: written } }];
  });
  await replaceSecrets(tx, scope, drafts);
}
