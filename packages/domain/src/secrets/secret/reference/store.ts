import { abilityIn, denied, eachInTurns, filterInTurns } from '../../../access/index.ts';
import {
  badRequest,
  eachPortion,
  mapInTurns,
  statement,
  WorkBudget,
  type Context,
  type Permission,
  type Transaction,
} from '../../../kernel/index.ts';
import type { Scope } from '../../commit/index.ts';
import { fieldsOf } from '../row.ts';
import { secretPermissions } from '../secret.ts';
import { eachReference, mayRefer, referencesIn, targetKey, type Origin, type Target } from './reference.ts';
import { findTargets, JOIN_TARGETS, targetOf } from './find.ts';

/** A secret whose value is being written, at its place. */
export interface Referrer extends Target {
  readonly id: string;
  readonly isPersonal: boolean;
  readonly value: string;
  /** What was there before, and where; absent for a new secret. */
  readonly before: (Target & { readonly value: string }) | undefined;
}

/** Maximum number of references in the values of one write, and of secrets that can be reached from them. */
const MAX_WRITTEN = 50_000;
const MAX_REACHED = 100_000;

const tooMany = (most: number, what: string) =>
  badRequest('secret.too_many_references', `${what} more than ${most} references: write fewer of these values at once`);

/**
 * All that some values refer to which are about to be written.
 *
 * @throws DomainError 400 `secret.too_many_references`.
 */
export async function referencesOfWrite(values: readonly (Origin & { readonly value: string })[]): Promise<Target[]> {
  let count = 0;
  const found = await mapInTurns(values, costOfValue, (one) => {
    const targets = new Set<Target>();
    for (const { reference } of eachReference(one.value, one)) {
      targets.add(reference);
      if (count + targets.size > MAX_WRITTEN) throw tooMany(MAX_WRITTEN, 'These values have');
    }
    count += targets.size;
    return [...targets];
  });
  return found.flat();
}

/** Of the search for references in it, as of `WorkBudget`: what has none is searched as fast as it is read. */
const costOfValue = ({ value }: { readonly value: string }): number =>
  1 + value.length / (mayRefer(value) ? 1_000 : 10_000);

/**
 * Checks that the caller may read the targets of some values: a reference must not bypass that.
 *
 * @throws DomainError 403.
 */
export async function requireReadable(ctx: Context, projectId: string, targets: readonly Target[]): Promise<void> {
  if (targets.length === 0) return;
  const ability = await abilityIn(ctx, projectId);
  const unique = new Map(targets.map((target) => [targetKey(target), target]));
  const rows = await findTargets(ctx, projectId, [...unique.values()]);
  const fields = new Map(rows.map((row) => [targetKey(targetOf(row)), fieldsOf(row)]));
  await eachInTurns(unique, ([name, { environment, path, key }]) => {
    const asked = fields.get(name) ?? { environment, secretPath: path, secretName: key, secretTags: [] };
    if (!ability.can(secretPermissions.readValue, asked)) throw denied(ability, secretPermissions.readValue, asked);
  });
}

/** Whether the references of a write differ from the stored ones. */
export const needsStoring = ({ value, before, ...place }: Referrer): boolean =>
  before === undefined
    ? mayRefer(value)
    : (mayRefer(value) || mayRefer(before.value)) && (value !== before.value || targetKey(place) !== targetKey(before));

const DELETE = statement('secret_references.delete', 'delete from secret_references where secret_id = any($1::uuid[])');

/** References without a location are relative to the current folder, which may just have been renamed. */
const INSERT = statement(
  'secret_references.insert',
  `insert into secret_references (secret_id, organization_id, project_id, environment, path, key)
   select distinct r.secret_id, $1::uuid, $2::uuid, coalesce(r.environment, e.slug), coalesce(r.path, f.path), r.key
   from unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) as r (secret_id, environment, path, key)
   join secrets s on s.id = r.secret_id join folders f on f.id = s.folder_id join environments e on e.id = f.environment_id
   on conflict do nothing`,
);

/**
 * Records the references of values that were just written, so that renames can follow; the lock of the project's names
 * (`lockNames`) is held.
 *
 * @throws DomainError 400 `secret.reference_cycle` with the cycle if a value would refer to itself.
 */
export async function storeReferences(tx: Transaction, scope: Scope, referrers: readonly Referrer[]): Promise<void> {
  await requireAcyclic(tx, scope, await recordReferences(tx, scope, referrers));
}

/** The same without the search for cycles (`requireAcyclic`); returns where it begins. */
export async function recordReferences(
  tx: Transaction,
  scope: Scope,
  referrers: readonly Referrer[],
): Promise<Referrer[]> {
  const older = referrers.flatMap(({ id, before }) => (before === undefined ? [] : id));
  await eachPortion(older, (portion) => tx.sql(DELETE, [portion]));
  const foundIn = await mapInTurns(referrers, costOfValue, (referrer) =>
    referencesIn(referrer.value, referrer).map((reference) => ({ referrer, reference })),
  );
  const found = foundIn.flat();
  await eachPortion(found, (portion) =>
    tx.sql(INSERT, [
      scope.organizationId,
      scope.projectId,
      portion.map(({ referrer }) => referrer.id),
      portion.map(({ reference }) => (reference.isLocal ? null : reference.environment)),
      portion.map(({ reference }) => (reference.isLocal ? null : reference.path)),
      portion.map(({ reference }) => reference.key),
    ]),
  );
  return [...new Set(found.flatMap(({ referrer }) => (referrer.isPersonal ? [] : referrer)))];
}

const OF_TARGET = `${JOIN_TARGETS} join secret_references r on r.secret_id = s.id`;

/** All references that can be reached from some secrets, each once, so that circles end. */
const REACHABLE = statement(
  'secret_references.reachable',
  `with recursive reached (from_environment, from_path, from_key, environment, path, key) as (
     select w.environment, w.path collate "C", w.key, r.environment, r.path, r.key
     from unnest($3::text[], $4::text[], $5::text[]) as w (environment, path, key) ${OF_TARGET}
     union
     select w.environment, w.path, w.key, r.environment, r.path, r.key from reached w ${OF_TARGET}
   ) select from_environment as "fromEnvironment", from_path as "fromPath", from_key as "fromKey", environment, path, key
   from reached limit ${MAX_REACHED + 1}`,
);

const REFERRING_BELOW = statement(
  'secret_references.referring_below',
  `select distinct e.slug as environment, f.path, s.key from environments e
   join folders f on f.environment_id = e.id and ($3 = '/' or f.path = $3 or starts_with(f.path, $3 || '/'))
   join secrets s on s.folder_id = f.id and s.user_id is null join secret_references r on r.secret_id = s.id
   where e.project_id = $1 and e.slug = $2`,
);

/**
 * For folders that got another path: references that led nowhere may lead to them now.
 *
 * @throws DomainError 400 `secret.reference_cycle` where a value in them would now refer to itself.
 */
export async function requireAcyclicBelow(
  tx: Transaction,
  scope: Scope,
  { environment, path }: { environment: string; path: string },
): Promise<void> {
  const starts = await tx.sql<Target>(REFERRING_BELOW, [scope.projectId, environment, path]);
  await requireAcyclic(tx, scope, starts);
}

interface EdgeRow extends Target {
  fromEnvironment: string;
  fromPath: string;
  fromKey: string;
}

/** Follows the references from some secrets and rejects cycles, and more than the maximum number of secrets. */
export async function requireAcyclic(tx: Transaction, scope: Scope, starts: readonly Target[]): Promise<void> {
  if (starts.length === 0) return;
  const rows = await tx.sql<EdgeRow>(REACHABLE, [
    scope.organizationId,
    scope.projectId,
    starts.map(({ environment }) => environment),
    starts.map(({ path }) => path),
    starts.map(({ key }) => key),
  ]);
  if (rows.length > MAX_REACHED) throw tooMany(MAX_REACHED, 'These values lead to');
  const edges = new Map<string, string[]>();
  const pace = new WorkBudget();
  for (const row of rows) {
    pace.spend(2);
    if (pace.shouldYield) await pace.rest();
    const from = targetKey({ environment: row.fromEnvironment, path: row.fromPath, key: row.fromKey });
    const known = edges.get(from);
    if (known) known.push(targetKey(row));
    else edges.set(from, [targetKey(row)]);
  }
  const cycle = findCycle(edges, starts.map(targetKey));
  if (!cycle) return;
  const hops = rows.filter((row) => cycle.includes(targetKey(row)));
  const { seen, read } = await visibleOf(tx, scope.projectId, hops);
  const written = new Set(starts.map(targetKey));
  const names = shownCycle(cycle, {
    sees: (name) => seen.has(name),
    reads: (name) => read.has(name),
    isNamed: (name) => written.has(name),
  });
  throw badRequest('secret.reference_cycle', `This value would refer to itself: ${names.join(' → ')}`, {
    cycle: names,
  });
}

/** The names, of some, of secrets that the caller may see, and of those whose values it may read. */
async function visibleOf(
  ctx: Context,
  projectId: string,
  targets: readonly Target[],
): Promise<Record<'seen' | 'read', ReadonlySet<string>>> {
  const ability = await abilityIn(ctx, projectId);
  const rows = await findTargets(ctx, projectId, targets);
  const namesWith = async (permission: Permission) => {
    const some = await filterInTurns(rows, (row) => ability.can(permission, fieldsOf(row)));
    return new Set(some.map((row) => targetKey(targetOf(row))));
  };
  return {
    seen: await namesWith(secretPermissions.describeSecret),
    read: await namesWith(secretPermissions.readValue),
  };
}

interface CycleVisibility {
  readonly sees: (node: string) => boolean;
  /** Whether the caller may read what a node leads to. */
  readonly reads: (node: string) => boolean;
  /** Whether the request itself names a node. */
  readonly isNamed: (node: string) => boolean;
}

/**
 * The nodes of a cycle of `findCycle`, `…` for others than a caller may know of. What a node leads to is part of it: the next one is
 * shown to whoever may read that, or has named it.
 */
export const shownCycle = (cycle: readonly string[], { sees, reads, isNamed }: CycleVisibility): string[] =>
  cycle.map((node, at) => {
    const before = cycle[at - 1] ?? cycle.at(-2)!;
    return sees(node) && (isNamed(node) || reads(before)) ? node : '…';
  });

/** The first reachable cycle, with its first node repeated at the end. */
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
