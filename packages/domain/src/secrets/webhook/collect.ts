import { randomUUID } from 'node:crypto';
import { eachInTurns, filterInTurns, globOf } from '../../access/index.ts';
import { atOrNull, inTransaction, portionsOf, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { revisionOf, type Scope, type SecretsChange } from '../commit/index.ts';
import { parentPath, type RulePlace } from '../folder/index.ts';
import { commitsAfter, type SecretsCommit, type Side } from '../watch/index.ts';
import { lockCursor, moveCursor } from './cursor.ts';
import { webhooks } from './deliver.ts';
import { NotifiedFolders } from './notified-folders.ts';
import { noteNothingVisible, visibleFolders, type VisibleFolders } from './visible-folders.ts';

/** Commits per transaction. */
const BATCH = 100;

/**
 * Follows the secrets of projects: each webhook gets a delivery for each change that concerns it, once, in the order of
 * the commits, whatever the order and number of notifications.
 */
export const sendWebhooks = (ctx: Context, change: SecretsChange): Promise<void> => collectDeliveries(ctx, change);

/** Makes the deliveries of all commits that have none. */
export async function collectDeliveries(ctx: Context, { organizationId, projectId }: Scope): Promise<void> {
  while (await inTransaction(ctx, (tx) => collect(tx, { organizationId, projectId })));
}

export interface Hook {
  id: string;
  environmentId: string;
  secretPath: string;
  since: string;
  restsUntil: string | null;
  runAs: unknown;
}
export const HOOKS = statement(
  'webhooks.of_project',
  `select id, environment_id as "environmentId", secret_path as "secretPath", since::text as since,
     rests_until as "restsUntil", run_as as "runAs"
   from webhooks where project_id = $1 and not is_disabled order by id`,
);
const DELIVER = statement(
  'webhook_deliveries.add',
  `insert into webhook_deliveries (id, organization_id, webhook_id, revision, secret_path, changed_path, actor, created_at)
   select r.id, $2::uuid, r."webhookId", r.revision, r."secretPath", r."changedPath", r.actor, $3::timestamptz
   from json_to_recordset($1::json)
     as r (id uuid, "webhookId" uuid, revision bigint, "secretPath" text, "changedPath" text, actor jsonb)
   on conflict (webhook_id, secret_path) where not is_tried
   do update set id = excluded.id, revision = excluded.revision, changed_path = excluded.changed_path,
     actor = excluded.actor, created_at = excluded.created_at`,
);

interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly revision: string;
  readonly secretPath: string;
  /** A folder that has changed there, where `secretPath` contains several. */
  readonly changedPath: string | null;
  readonly actor: unknown;
}

const NONE = { commits: [], isMore: false };
/** Deliveries of one transaction, but for those of its last commit. */
const MAX_DELIVERIES = 10_000;

/** Creates the deliveries of the next commits. Returns whether there may be more. */
async function collect(tx: Transaction, scope: Scope): Promise<boolean> {
  const cursor = await lockCursor(tx, scope);
  if (cursor === undefined) return false;
  // Before the commits are read: those up to it are complete.
  const present = BigInt(await revisionOf(tx, scope.projectId));
  if (present <= cursor) return false;
  const hooks = await seeingHooks(tx, scope);
  const { commits, isMore } = hooks.length > 0 ? await commitsAfter(tx, scope, cursor, BATCH) : NONE;
  const deliveries = new Map<string, Delivery>();
  let last = cursor;
  for (const commit of commits) {
    for (const [hook, paths] of await concernedBy(commit, hooks))
      for (const named of paths) deliveries.set(`${hook.id} ${named[0]}`, deliveryOf(hook, commit, named));
    last = commit.revision;
    if (deliveries.size > MAX_DELIVERIES) break;
  }
  const isCut = last !== (commits.at(-1)?.revision ?? cursor);
  await moveCursor(tx, scope.projectId, isCut || isMore || last > present ? last : present);
  for (const portion of portionsOf(
    deliveries.values(),
    ({ secretPath, changedPath }) => secretPath.length + (changedPath?.length ?? 0) + ROW_BYTES,
  ))
    await tx.sql(DELIVER, [JSON.stringify(portion), scope.organizationId, tx.now()]);
  const notified = new Set(Array.from(deliveries.values(), (delivery) => delivery.webhookId));
  for (const hook of hooks.filter(({ id }) => notified.has(id)))
    webhooks.enqueue(tx, { ...hook, organizationId: scope.organizationId, dueAt: atOrNull(hook.restsUntil) });
  return isCut || isMore;
}

/** About what a delivery has besides its paths. */
const ROW_BYTES = 400;

interface SeeingHook extends Hook {
  readonly visible: VisibleFolders;
}

/** The webhooks of a project that may name some folder. */
async function seeingHooks(tx: Transaction, scope: Scope): Promise<SeeingHook[]> {
  const hooks = await tx.sql<Hook>(HOOKS, [scope.projectId]);
  const seeing: SeeingHook[] = [];
  for (const some of Map.groupBy(hooks, ({ runAs }) => JSON.stringify(runAs)).values()) {
    const visible = await visibleFolders(tx, scope, some[0]!.runAs);
    if (visible.seesAny) seeing.push(...some.map((hook) => ({ ...hook, visible })));
    else
      await noteNothingVisible(
        tx,
        some.map(({ id }) => id),
      );
  }
  return seeing;
}

/** A path that is named, and a folder that has changed there. */
type NamedPath = readonly [path: string, changed: string];

/** The webhooks that a commit concerns, and the folders of which each is notified. */
async function concernedBy(
  commit: SecretsCommit,
  hooks: readonly SeeingHook[],
): Promise<Map<Hook, Iterable<NamedPath>>> {
  const found = new Map<Hook, NotifiedFolders>();
  const add = ([hook, path]: Concern) => {
    if (globOf(hook.secretPath)?.matches(path) !== true) return;
    const notified = found.get(hook) ?? new NotifiedFolders();
    found.set(hook, notified);
    notified.add(path);
  };
  const concerned = hooks.filter(({ since }) => commit.revision > BigInt(since));
  for (const [environmentId, some] of Map.groupBy(concerned, (hook) => hook.environmentId)) {
    const folders = foldersIn(commit, environmentId);
    // Rules are asked once, however many webhooks of one actor there are.
    for (const [{ sees }, own] of Map.groupBy(some, ({ visible }) => visible)) {
      const seen = await filterInTurns(folders, ([, places]) => places.every(sees), Infinity);
      await eachInTurns(concernsOf(own, seen), add, Infinity);
    }
  }
  return new Map(Array.from(found, ([hook, notified]) => [hook, notified.paths]));
}

const deliveryOf = ({ id }: Hook, { revision, actor }: SecretsCommit, [path, changed]: NamedPath): Delivery => ({
  id: randomUUID(),
  webhookId: id,
  revision: revision.toString(),
  secretPath: path,
  changedPath: changed === path ? null : changed,
  actor,
});

/** A change in a folder, for a webhook of its environment. */
type Concern = readonly [SeeingHook, path: string];

function* concernsOf(hooks: readonly SeeingHook[], folders: Iterable<readonly [string, unknown]>): Iterable<Concern> {
  for (const hook of hooks) for (const [path] of folders) yield [hook, path];
}

/**
 * The folders of an environment in which a commit changed secrets, on either side, by their paths; under the current slug of
 * the environment, and that of then.
 */
function foldersIn({ changes }: SecretsCommit, environmentId: string): Map<string, readonly RulePlace[]> {
  const folders = new Map<string, readonly RulePlace[]>();
  const add = (side: Side | undefined) => {
    if (side?.environmentId !== environmentId) return;
    // Copies of a replication are seen in the folder that imports them.
    const secretPath = side.isReserved ? parentPath(side.path) : side.path;
    if (folders.has(secretPath)) return;
    const slugs = new Set([side.environment, side.environmentThen]);
    folders.set(
      secretPath,
      Array.from(slugs, (environment) => ({ environment, secretPath })),
    );
  };
  for (const { before, after } of changes) {
    add(before);
    add(after);
  }
  return folders;
}
