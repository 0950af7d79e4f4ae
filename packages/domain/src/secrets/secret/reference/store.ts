import { abilityIn, denied } from '../../../access/index.ts';
import { badRequest, statement, type Transaction } from '../../../kernel/index.ts';
import { fieldsOf } from '../row.ts';
import { secretPermissions } from '../secret.ts';
import { referencesIn, targetKey, type Target } from './reference.ts';
import { findTargets, targetOf } from './resolve.ts';

/** A secret whose value is being written. */
export interface Referrer {
  readonly id: string;
  readonly target: Target;
  readonly isPersonal: boolean;
  readonly value: string;
  /** Whether it had a row before, so that older references may have to go. */
  readonly isNew: boolean;
}

const DELETE = statement('secret_references.delete', 'delete from secret_references where secret_id = any($1::uuid[])');

const INSERT = statement(
  'secret_references.insert',
  `insert into secret_references (secret_id, organization_id, project_id, environment, path, key)
   select distinct r.secret_id, $1::uuid, $2::uuid, r.environment, r.path, r.key
   from unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) as r (secret_id, environment, path, key)`,
);

/** Two writers could each close one half of a circle: those of one project that write references go one after the other. */
const LOCK = statement('secret_references.lock', `select pg_advisory_xact_lock(hashtextextended($1, 17))`);

const EDGES = statement(
  'secret_references.edges',
  `select w.environment as from_environment, w.path as from_path, w.key as from_key, r.environment, r.path, r.key
   from unnest($3::text[], $4::text[], $5::text[]) as w (environment, path, key)
   join environments e on e.organization_id = $1 and e.project_id = $2 and e.slug = w.environment
   join folders f on f.environment_id = e.id and f.path = w.path
   join secrets s on s.folder_id = f.id and s.key = w.key and s.user_id is null
   join secret_references r on r.secret_id = s.id`,
);

/**
 * Notes what some values refer to, so that renaming can follow.
 *
 * @throws DomainError 403 where the writer may not read what a value refers to, 400 `secret.reference_cycle` with the
 * circle where a value would in the end refer to itself.
 */
export async function storeReferences(
  tx: Transaction,
  projectId: string,
  organizationId: string,
  referrers: readonly Referrer[],
): Promise<void> {
  const older = referrers.filter(({ isNew }) => !isNew);
  if (older.length > 0) await tx.sql(DELETE, [older.map(({ id }) => id)]);
  const found = referrers.flatMap((referrer) =>
    referencesIn(referrer.value, referrer.target).map((target) => ({ referrer, target })),
  );
  if (found.length === 0) return;
  await requireReadable(tx, projectId, found);
  await tx.sql(LOCK, [projectId]);
  await tx.sql(INSERT, [
    organizationId,
    projectId,
    found.map(({ referrer }) => referrer.id),
    found.map(({ target }) => target.environment),
    found.map(({ target }) => target.path),
    found.map(({ target }) => target.key),
  ]);
  await requireAcyclic(
    tx,
    organizationId,
    projectId,
    found.filter(({ referrer }) => !referrer.isPersonal).map(({ referrer }) => referrer.target),
  );
}

async function requireReadable(
  tx: Transaction,
  projectId: string,
  found: readonly { target: Target }[],
): Promise<void> {
  const ability = await abilityIn(tx, projectId);
  const targets = [...new Map(found.map(({ target }) => [targetKey(target), target])).values()];
  const rows = new Map((await findTargets(tx, projectId, targets)).map((row) => [targetKey(targetOf(row)), row]));
  for (const target of targets) {
    const row = rows.get(targetKey(target));
    const fields = row
      ? fieldsOf(row)
      : { environment: target.environment, secretPath: target.path, secretName: target.key, secretTags: [] };
    if (!ability.can(secretPermissions.readValue, fields)) throw denied(ability, secretPermissions.readValue, fields);
  }
}

interface EdgeRow extends Target {
  from_environment: string;
  from_path: string;
  from_key: string;
}

/** Follows the references from some secrets, level by level, and refuses a way that comes back to where it was. */
async function requireAcyclic(
  tx: Transaction,
  organizationId: string,
  projectId: string,
  starts: readonly Target[],
): Promise<void> {
  const edges = new Map<string, string[]>();
  let level = [...new Map(starts.map((target) => [targetKey(target), target])).values()];
  while (level.length > 0) {
    for (const target of level) edges.set(targetKey(target), []);
    const rows = await tx.sql<EdgeRow>(EDGES, [
      organizationId,
      projectId,
      level.map((t) => t.environment),
      level.map((t) => t.path),
      level.map((t) => t.key),
    ]);
    for (const row of rows) {
      const from = targetKey({ environment: row.from_environment, path: row.from_path, key: row.from_key });
      edges.get(from)?.push(targetKey(row));
    }
    const next = new Map(rows.map((row) => [targetKey(row), row]));
    level = [...next]
      .filter(([key]) => !edges.has(key))
      .map(([, row]) => ({ environment: row.environment, path: row.path, key: row.key }));
  }
  const cycle = findCycle(edges, starts.map(targetKey));
  if (cycle)
    throw badRequest('secret.reference_cycle', `This value would refer to itself: ${cycle.join(' → ')}`, { cycle });
}

/** The first circle that can be reached, as the nodes on it with the first one again at the end. */
export function findCycle(
  edges: ReadonlyMap<string, readonly string[]>,
  starts: readonly string[],
): string[] | undefined {
  const done = new Set<string>();
  for (const start of starts) {
    // An explicit stack: a chain of references may be longer than the call stack is deep.
    const trail: { node: string; next: number }[] = done.has(start) ? [] : [{ node: start, next: 0 }];
    const onTrail = new Set(trail.map(({ node }) => node));
    while (trail.length > 0) {
      const top = trail.at(-1)!;
      const child = edges.get(top.node)?.[top.next++];
      if (child === undefined) {
        trail.pop();
        onTrail.delete(top.node);
        done.add(top.node);
      } else if (onTrail.has(child)) {
        return [...trail.slice(trail.findIndex(({ node }) => node === child)).map(({ node }) => node), child];
      } else if (!done.has(child)) {
        trail.push({ node: child, next: 0 });
        onTrail.add(child);
      }
    }
  }
  return undefined;
}
