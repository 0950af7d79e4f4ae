import { databaseFault, statement, StillHeld, type Transaction } from '../../kernel/index.ts';

const LOCK = {
  shared: statement('names.lock_shared', 'select pg_advisory_xact_lock_shared(hashtextextended($1, 17))'),
  exclusive: statement('names.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 17))'),
};

interface OfProject {
  readonly projectId: string;
}

/** How a transaction locks the names of a project. */
export type NamesLock = keyof typeof LOCK;

const holds = (tx: Transaction, how: NamesLock, { projectId }: OfProject): boolean => {
  const present = tx.outbox.namesLocks.get(projectId);
  return present === 'exclusive' || present === how;
};

/**
 * Locks, until the transaction ends, everything in a project that rules, policies and references use: the slugs of
 * environments and tags, the paths of folders, the names and tags of secrets, the metadata of dynamic secrets. A change
 * of one of these is checked against all of them, so it takes this lock before it reads anything for the check.
 * Otherwise two concurrent changes could both be allowed, each of which would be rejected after the other.
 * - `exclusive`: changes of the fields of many resources (folders, environments, tags, restored trees), moves and
 *   renames of secrets, writes of references (two writers could each close one half of a cycle, and a rename would miss a
 *   concurrent one), and comparisons of what names refer to.
 * - `shared`: changes of other fields of single resources: the tags of a secret, the metadata of a dynamic secret. Two
 *   of these check different resources, or the same row, which they lock. Also records of what names refer to, which are
 *   compared later.
 * - None: a write of values changes no such field. A creation is checked by the names of its location and tags, and
 *   locks only these: `holdFolderAt`, `findTags`.
 *
 * Whoever waits gets its turn before those who come later: a change of a name to which very many values refer takes longer
 * than one waits for a lock, and so the transaction waits for this one several times (`StillHeld`).
 *
 * Locks are taken in one order: the organization and the project (`hold` of the transaction), policies and the
 * requests under them, the names, the order of environments, the imports (`lockImports`), the trees (`lockTree`),
 * secrets and dynamic secrets, tags, the project's commits. Two exceptions may deadlock, after which the transaction is
 * retried: a write that removes the last reference of a value learns of that after it has locked its row, and an import
 * is inserted while its environment gets another slug.
 */
export async function lockNames(tx: Transaction, how: NamesLock, project: OfProject): Promise<void> {
  if (holds(tx, how, project)) return;
  await tx.sql(LOCK[how], [project.projectId]).catch((error: unknown) => {
    throw databaseFault(error)?.sqlState === '55P03' ? new StillHeld('The names are locked', { cause: error }) : error;
  });
  tx.outbox.namesLocks.set(project.projectId, how);
}

/** Asserted by each check of a changed field, because a check without the lock is a bug. */
export function requireNamesLocked(tx: Transaction, how: NamesLock, project: OfProject): void {
  if (!holds(tx, how, project)) throw new Error('A change of what rules look at is judged without lockNames');
}
