import { z } from 'zod';
import { ADD_JOB, adding, defineJob, jobRows, turnsOf, type Job } from '../../jobs/index.ts';
import {
  invalidateEventually,
  newId,
  statement,
  type BoundStatement,
  type Context,
  type Outbox,
  type Transaction,
  type WithCommit,
} from '../../kernel/index.ts';
import { writerIn } from './writer.ts';

/** The project whose secrets are changed. */
export interface Scope {
  readonly organizationId: string;
  readonly projectId: string;
}

/** Notification of followers that a project's secrets have changed: once for all changes since the last time. */
export const SecretsChange = z.object({ organizationId: z.string(), projectId: z.string() });
export type SecretsChange = z.output<typeof SecretsChange>;

const JOB = 'secrets.changed';
const turns = turnsOf(JOB);
/** Like what the followers ask for. */
const PRIORITY = 10;

/**
 * The job for each change of a followed project, unless one is waiting. Each follower determines the changes itself,
 * and is idempotent.
 */
export const secretsChanged = (
  followers: readonly ((ctx: Context, change: SecretsChange) => Promise<void>)[],
): Job<SecretsChange> =>
  defineJob({
    name: JOB,
    payload: SecretsChange,
    turns,
    run: async (ctx, change) => {
      for (const follower of followers) await follower(ctx, change);
    },
  });

/**
 * The ID of this transaction's commit to a project, for the versions of secrets and folders that it writes. `folderIds`
 * are those with changes; if there are none at the end, no commit is stored and only the revision increases.
 */
export function commitIn(tx: Transaction, scope: Scope, folderIds: Iterable<string>): string {
  const pending = pendingIn(tx.outbox, scope);
  for (const id of folderIds) pending.folderIds.add(id);
  return pending.id;
}

/** Sets the message of this transaction's commit. */
export function describeCommit(tx: Transaction, scope: Scope, message: string): void {
  pendingIn(tx.outbox, scope).message = message;
}

/** Increases the revision for a visible change without versions. */
export function touch(tx: Transaction, scope: Scope): void {
  commitIn(tx, scope, []);
}

function pendingIn(outbox: Outbox, scope: Scope): Pending {
  const key = `commit:${scope.projectId}`;
  const known = outbox.withCommit.get(key);
  if (known instanceof Pending) return known;
  const pending = new Pending(scope);
  outbox.withCommit.set(key, pending);
  return pending;
}

/**
 * The row of the project is contended by all its writers: locked last, it is held for little more than the commit, and
 * revisions are in the order of the commits. A followed project gets its job: at most one waits and one runs, because
 * continuous writes must leave room for the resulting work.
 */
const ADVANCE = statement(
  'commit.advance',
  `with r as (
     insert into project_revisions as p (project_id, organization_id, revision, changed_at) values ($1, $2, $4, $3)
     on conflict (project_id) do update
       set revision = p.revision + $4, changed_at = greatest(p.changed_at, excluded.changed_at)
     returning revision - $4 as before, is_followed, changed_at
   ), c as (
     insert into commits (id, organization_id, project_id, revision, message, actor, created_at)
     select w.id, $2, $1, before + w.position, w.message, w.actor, changed_at
     from r, json_to_recordset($5::json) as w (id uuid, position integer, message text, actor jsonb)
   ), f as (
     insert into commit_folders (commit_id, organization_id, folder_id, revision)
     select w.id, $2, folder_id, before + w.position
     from r, json_to_recordset($5::json) as w (id uuid, position integer, folder_ids uuid[]), unnest(w.folder_ids) as folder_id
   )
   select ${ADD_JOB} from r, ${jobRows(6)} where r.is_followed`,
);

class Pending implements WithCommit {
  readonly scope: Scope;
  readonly id = newId();
  readonly folderIds = new Set<string>();
  message: string | null = null;

  constructor(scope: Scope) {
    this.scope = scope;
  }

  /** Each of the transactions has a commit and a revision of its own. */
  async prepare(txs: readonly Transaction[], at: Date): Promise<BoundStatement> {
    const { organizationId, projectId } = this.scope;
    const commits = await Promise.all(txs.map((tx, index) => pendingIn(tx.outbox, this.scope).#record(tx, index + 1)));
    invalidateEventually(txs[0]!, revisionTag(projectId));
    const commit = [txs.length, JSON.stringify(commits.filter((one) => one !== undefined))];
    const options = { key: `${JOB}:${projectId}`, queue: turns.queueOf(this.scope), priority: PRIORITY };
    const job = adding([{ name: JOB, payload: { organizationId, projectId }, options }]);
    return { statement: ADVANCE, values: [projectId, organizationId, at, ...commit, ...job.values] };
  }

  async #record(tx: Transaction, position: number) {
    if (this.folderIds.size === 0) return undefined;
    const actor = await writerIn(tx, this.scope);
    return { id: this.id, position, message: this.message, actor, folder_ids: `{${[...this.folderIds].join(',')}}` };
  }
}

/** Under what the revision of a project is cached. */
export const revisionTag = (projectId: string): string => `revision:${projectId}`;

const FOLLOW = statement(
  'commit.follow',
  'update project_revisions set is_followed = true where project_id = $1 and not is_followed',
);
const BEGIN = statement(
  'commit.begin',
  'insert into project_revisions (project_id, organization_id, changed_at) values ($1, $2, $3) on conflict do nothing',
);

/** From the commit of this transaction on, a job is written with each change of the project. */
export async function follow(tx: Transaction, { organizationId, projectId }: Scope): Promise<void> {
  await tx.sql(BEGIN, [projectId, organizationId, tx.now()]);
  await tx.sql(FOLLOW, [projectId]);
}
