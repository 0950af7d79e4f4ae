import { statement, type Transaction } from '../../kernel/index.ts';

const LOCK = {
  shared: statement('names.lock_shared', 'select pg_advisory_xact_lock_shared(hashtextextended($1, 17))'),
  exclusive: statement('names.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 17))'),
};

interface OfProject {
  readonly projectId: string;
}

/** How a transaction holds the names of a project. */
export type NamesLock = keyof typeof LOCK;

const holds = (tx: Transaction, how: NamesLock, { projectId }: OfProject): boolean => {
  const present = tx.outbox.namesLocks.get(projectId);
  return present === 'exclusive' || present === how;
};

/**
 * Holds what rules, policies and references look at in a project until the transaction ends: the slugs of environments and
 * tags, the paths of folders, the names and tags of secrets, the metadata of dynamic secrets. A change of one of these is
 * judged by all of them, so whoever makes one holds them before anything that the judgement reads is read. Otherwise two
 * changes could both be allowed at once, each of which is refused after the other.
 *
 * - `exclusive`: what changes the fields of many things (folders, environments, tags, restored trees), what moves or renames
 *   secrets, what writes references (two writers could each close one half of a circle, and a rename would miss one that is
 *   just being written), and whoever compares what names stand for.
 * - `shared`: what changes the other fields of single things: the tags of a secret, the metadata of a dynamic secret. Two
 *   of these judge different things, or the same row, which they lock.
 * - Nothing: a write of values changes no such field. What is created is judged by the names that its place and tags have,
 *   and holds these alone: `holdFolderAt`, `findTags`.
 *
 * Locks are taken in one order: policies and the requests under them, the names, the order of environments, the imports
 * (`lockImports`), the trees (`lockTree`), secrets and dynamic secrets, tags, the project's commits. Two exceptions may
 * come to a deadlock, after which the transaction is tried again: a write that takes the last reference out of a value
 * learns of that after it has locked its row, and an import is inserted while its environment gets another slug.
 */
export async function lockNames(tx: Transaction, how: NamesLock, project: OfProject): Promise<void> {
  if (holds(tx, how, project)) return;
  await tx.sql(LOCK[how], [project.projectId]);
  tx.outbox.namesLocks.set(project.projectId, how);
}

/** Asked by each judgement of a changed field. An error of ours: nobody judges by what may change meanwhile. */
export function requireNamesLocked(tx: Transaction, how: NamesLock, project: OfProject): void {
  if (!holds(tx, how, project)) throw new Error('A change of what rules look at is judged without lockNames');
}
