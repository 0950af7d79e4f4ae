import {
  DomainError,
  eventOf,
  rehearse,
  statement,
  type Ability,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { folderSight } from '../../secrets/folder/index.ts';
import { secretPermissions } from '../../secrets/secret/index.ts';
import { organizationOf, type Rulebook } from '../index.ts';
import { actorsOf, Pace, Rulebooks, sightOf, type Holder } from '../sight/index.ts';
import { differencesOf, type Difference } from './difference.ts';
import { changePlanned, MAX_CHANGES, type Plan, type PlannedChange } from './plan.ts';
import { rightsTouched } from './rights.ts';
import { shiftsOf, type Shift } from './shift.ts';
import { Things } from './things.ts';

/** How many questions one plan asks of rules: a few seconds of work, in slices of some milliseconds. */
const BUDGET = 3_000_000;

/**
 * Does everything that an operation does, with all of its checks, takes it back, and tells what it would have changed of
 * anybody's rights: now, and later, where something begins or ends. The plan comes from the change itself, so that the two
 * cannot disagree.
 *
 * @throws whatever the operation throws.
 */
export async function planChange(
  ctx: Context,
  operation: string,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<Plan> {
  const organizationId = organizationOf(ctx);
  const { before, after } = await rehearse(ctx, work, rightsTouched);
  const planner = new Planner(ctx, organizationId);
  const places = new Set([...before.holders.keys(), ...after.holders.keys()]);
  for (const projectId of [...places].toSorted((a, b) => (a ?? '').localeCompare(b ?? '')))
    await planner.compare(
      projectId,
      before.holders.get(projectId) ?? new Map<string, Holder>(),
      after.holders.get(projectId) ?? new Map<string, Holder>(),
    );
  const plan = await planner.plan(operation, before.isCut || after.isCut);
  await ctx.commitRead(eventOf(changePlanned, { operation, changes: plan.count + plan.hidden.changes }), ctx);
  return plan;
}

/** Differences of one place that begin and end together. */
interface Row extends Omit<Difference, 'action' | 'isGained' | 'secretTags'> {
  readonly change: PlannedChange['change'];
  readonly actions: string[];
  readonly from: Date | null;
  readonly until: Date | null;
}

/** What one gains and loses who shifts in some way. */
interface Rows {
  /** What the caller may know of. */
  readonly list: readonly Row[];
  /** How many actions that are, and how many more there are at places that the caller may not know of. */
  readonly seen: number;
  readonly hidden: number;
}

const PROJECTS = statement(
  'plan.projects',
  'select id, name from projects where organization_id = $1 and id = any($2::uuid[])',
);

class Planner {
  readonly #ctx: Context;
  readonly #organizationId: string;
  readonly #now: number;
  readonly #books = new Rulebooks();
  readonly #pace = new Pace(BUDGET);
  readonly #changes: Omit<PlannedChange, 'projectName'>[] = [];
  readonly #hiddenActors = new Set<string>();
  #count = 0;
  #listed = 0;
  #hidden = 0;

  constructor(ctx: Context, organizationId: string) {
    this.#ctx = ctx;
    this.#organizationId = organizationId;
    this.#now = ctx.now().getTime();
  }

  /** Compares what everybody may do at one place. */
  async compare(
    projectId: string | null,
    before: ReadonlyMap<string, Holder>,
    after: ReadonlyMap<string, Holder>,
  ): Promise<void> {
    // Whoever shifts from the same rules to the same rules at the same times gains and loses the same.
    const groups = new Map<string, { shifts: readonly Shift[]; holders: Holder[] }>();
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(id), after.get(id)];
      const shifts = shiftsOf(this.#books, was, is, this.#now);
      this.#pace.spend(10);
      if (this.#pace.isTired) await this.#pace.rest();
      if (shifts.length === 0) continue;
      const key = shifts
        .map((one) => `${one.from} ${one.until} ${this.#books.keyOf(one.before)} ${this.#books.keyOf(one.after)}`)
        .join('|');
      const group = groups.get(key) ?? { shifts, holders: [] };
      group.holders.push({ ...(is ?? was)!, grants: [...(was?.grants ?? []), ...(is?.grants ?? [])] });
      groups.set(key, group);
    }
    if (groups.size === 0) return;

    const place = { organizationId: this.#organizationId, projectId: projectId ?? undefined };
    const ability = await this.#abilityIn(projectId);
    const sight = ability && sightOf(this.#ctx, place, ability);
    const isSeen = placeSight(ability, projectId);
    const things = await Things.of(this.#ctx, this.#organizationId, projectId);
    const known = new Map<Rulebook, Map<Rulebook, Difference[]>>();
    const differences = async (shift: Shift): Promise<Difference[]> => {
      const those = known.get(shift.before) ?? new Map<Rulebook, Difference[]>();
      known.set(shift.before, those);
      const found = those.get(shift.after) ?? (await this.#differences(things, projectId, shift));
      those.set(shift.after, found);
      return found;
    };
    for (const { shifts, holders } of groups.values()) {
      const compared: Compared[] = [];
      for (const shift of shifts) compared.push({ shift, differences: await differences(shift) });
      const rows = await this.#rows(compared, isSeen);
      for (const holder of holders) {
        this.#add(projectId, holder, sight?.sees(holder) ?? false, rows);
        if (this.#pace.isTired) await this.#pace.rest();
      }
    }
  }

  #differences(things: Things, projectId: string | null, { before, after }: Shift): Promise<Difference[]> {
    const scope = projectId === null ? 'organization' : 'project';
    return differencesOf({ books: this.#books, things, pace: this.#pace }, scope, before, after);
  }

  #add(projectId: string | null, { actor }: Holder, isSeenActor: boolean, rows: Rows): void {
    this.#pace.spend(1);
    const hidden = rows.hidden + (isSeenActor ? 0 : rows.seen);
    this.#hidden += hidden;
    if (hidden > 0) this.#hiddenActors.add(actor.id);
    if (!isSeenActor) return;
    this.#count += rows.seen;
    this.#listed += rows.list.length;
    const room = MAX_CHANGES - this.#changes.length;
    if (room > 0) this.#changes.push(...rows.list.slice(0, room).map((row) => ({ ...row, actor, projectId })));
  }

  /** Joins what goes on from one shift to the next, and actions of one subject that come and go together. */
  async #rows(all: readonly Compared[], isSeen: (where: Difference) => boolean): Promise<Rows> {
    const windows = new Map<string, { difference: Difference; from: number; until: number }[]>();
    for (const { shift, differences } of all) {
      for (const difference of differences) {
        this.#pace.spend(1);
        if (this.#pace.isTired) await this.#pace.rest();
        const key = JSON.stringify(difference);
        const known = windows.get(key) ?? [];
        windows.set(key, known);
        const last = known.at(-1);
        if (last?.until === shift.from) last.until = shift.until;
        else known.push({ difference, from: shift.from, until: shift.until });
      }
    }
    const rows = new Map<string, Row>();
    let [seen, hidden] = [0, 0];
    for (const { difference, from, until } of [...windows.values()].flat()) {
      this.#pace.spend(1);
      if (this.#pace.isTired) await this.#pace.rest();
      if (!isSeen(difference)) {
        hidden++;
        continue;
      }
      seen++;
      const { action, isGained, secretTags: _, ...where } = difference;
      const key = JSON.stringify([isGained, where, from, until]);
      const known = rows.get(key);
      if (known) known.actions.push(action);
      else
        rows.set(key, {
          ...where,
          change: isGained ? 'gained' : 'lost',
          actions: [action],
          from: from > this.#now ? new Date(from) : null,
          until: until < Infinity ? new Date(until) : null,
        });
    }
    return { list: [...rows.values()], seen, hidden };
  }

  /** The caller's own rights there; none where it is no member, and so may know of nothing. */
  async #abilityIn(projectId: string | null): Promise<Ability | undefined> {
    const place = { organizationId: this.#organizationId, ...(projectId !== null && { projectId }) };
    try {
      return await this.#ctx.ability(this.#ctx, place);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }

  async plan(operation: string, isCut: boolean): Promise<Plan> {
    const ids = [...new Set(this.#changes.map(({ actor }) => actor.id!))];
    const existing = new Set((await actorsOf(this.#ctx, this.#organizationId, ids)).map(({ id }) => id));
    const projectIds = [...new Set(this.#changes.flatMap(({ projectId }) => projectId ?? []))];
    const projects = await this.#ctx.sql<{ id: string; name: string }>(PROJECTS, [this.#organizationId, projectIds]);
    const nameOf = new Map(projects.map(({ id, name }) => [id, name]));
    return {
      operation,
      changes: this.#changes.map(({ actor, projectId, ...change }) => ({
        ...change,
        actor: { ...actor, id: existing.has(actor.id!) ? actor.id : null },
        projectId,
        projectName: projectId === null ? null : (nameOf.get(projectId) ?? null),
      })),
      count: this.#count,
      hidden: { actors: this.#hiddenActors.size, changes: this.#hidden },
      isTruncated: this.#listed > this.#changes.length,
      isPartial: isCut || this.#pace.isSpent,
    };
  }
}

/** Whether the caller may know of the folder or secret that a difference names. */
function placeSight(
  ability: Ability | undefined,
  projectId: string | null,
): (where: Pick<Difference, 'environment' | 'secretPath' | 'secretName' | 'secretTags'>) => boolean {
  if (!ability) return () => false;
  if (projectId === null) return () => true;
  const seesFolder = folderSight(ability);
  return ({ environment, secretPath, secretName, secretTags }) => {
    if (environment === null || secretPath === null) return true;
    if (secretName === null) return seesFolder({ environment, secretPath });
    return ability.can(secretPermissions.describeSecret, { environment, secretPath, secretName, secretTags });
  };
}

interface Compared {
  readonly shift: Shift;
  readonly differences: readonly Difference[];
}
