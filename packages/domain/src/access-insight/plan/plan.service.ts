import {
  eventOf,
  dryRun,
  statement,
  WorkBudget,
  type Ability,
  type Context,
  type Fields,
  type Transaction,
} from '../../kernel/index.ts';
import { folderPermissions, folderVisibility } from '../../secrets/folder/index.ts';
import { secretPermissions } from '../../secrets/secret/index.ts';
import { abilityWithinReach, HIDDEN, organizationOf, RuleSet } from '../../access/index.ts';
import { actorsOf, RuleSets, visibilityOf, type Holder, type Visibility } from '../effective-access/index.ts';
import { differencesOf, type Difference } from './difference.ts';
import { changePlanned, MAX_CHANGES, type Plan, type PlannedChange } from './plan.ts';
import { rightsTouched } from './rights.ts';
import { shiftsOf, type Shift } from './shift.ts';
import { Things } from './things.ts';

/** The maximum number of evaluations of one plan: a few seconds of work, in slices of some milliseconds. */
const BUDGET = 3_000_000;

/**
 * Runs an operation with all of its checks, rolls it back, and returns the changes of rights that it would make: now,
 * and later when grants begin or end. The plan comes from the operation itself, so the two cannot differ.
 *
 * @throws whatever the operation throws.
 */
export async function planChange(
  ctx: Context,
  operation: string,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<Plan> {
  const organizationId = organizationOf(ctx);
  const { before, after } = await dryRun(ctx, work, rightsTouched);
  const planner = new Planner(ctx, organizationId);
  const places = new Set([...before.holders.keys(), ...after.holders.keys()]);
  for (const projectId of [...places].toSorted((a, b) => (a ?? '').localeCompare(b ?? '')))
    await planner.compare(
      projectId,
      before.holders.get(projectId) ?? new Map<string, Holder>(),
      after.holders.get(projectId) ?? new Map<string, Holder>(),
    );
  const plan = await planner.plan(operation, before.isCut || after.isCut);
  // Of several projects it is the organization's.
  const [projectId, ...others] = places;
  const event = eventOf(
    changePlanned,
    { operation, changes: plan.count + plan.hidden.changes },
    { projectId: others.length === 0 ? projectId : null },
  );
  await ctx.commitRead(event, ctx);
  return plan;
}

/** Differences at one place with the same start and end. */
interface Row extends Omit<Difference, 'action' | 'isGained' | 'secretTags' | 'anywhereIn'> {
  readonly change: PlannedChange['change'];
  readonly actions: string[];
  readonly from: Date | null;
  readonly until: Date | null;
}

/** The gains and losses of an actor with this shift. */
interface Rows {
  /** What the caller may see, if it may read roles. */
  readonly all: ListedChanges;
  /** The same without conditions, which are part of roles. */
  readonly unconditional: ListedChanges;
  /** The number of further differences at places that the caller may not see. */
  readonly hidden: number;
}

/** Some rows, and how many actions that are. */
interface ListedChanges {
  readonly list: readonly Row[];
  readonly count: number;
}

const listed = (list: readonly Row[]): ListedChanges => ({
  list,
  count: list.reduce((sum, { actions }) => sum + actions.length, 0),
});
const EMPTY_LIST = listed([]);

const PROJECTS = statement(
  'plan.projects',
  'select id, name from projects where organization_id = $1 and id = any($2::uuid[])',
);

class Planner {
  readonly #ctx: Context;
  readonly #organizationId: string;
  readonly #now: number;
  readonly #books = new RuleSets();
  readonly #pace = new WorkBudget(BUDGET);
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

  /** Compares the rights of all affected actors at one place. */
  async compare(
    projectId: string | null,
    before: ReadonlyMap<string, Holder>,
    after: ReadonlyMap<string, Holder>,
  ): Promise<void> {
    // A change from the same rules to the same rules at the same times gains and loses the same.
    const groups = new Map<string, { shifts: readonly Shift[]; holders: Holder[] }>();
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(id), after.get(id)];
      const shifts = await shiftsOf(this.#books, was, is, this.#now, this.#pace);
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
    const visibility = ability && visibilityOf(this.#ctx, place, ability);
    const places = placeSight(ability, projectId);
    const things = await Things.of(this.#ctx, this.#organizationId, projectId);
    const known = new Map<RuleSet, Map<RuleSet, Difference[]>>();
    const differences = async (shift: Shift): Promise<Difference[]> => {
      const those = known.get(shift.before) ?? new Map<RuleSet, Difference[]>();
      known.set(shift.before, those);
      const found = those.get(shift.after) ?? (await this.#differences(things, projectId, shift, places.seen));
      those.set(shift.after, found);
      return found;
    };
    for (const { shifts, holders } of groups.values()) {
      const compared: Compared[] = [];
      for (const shift of shifts) compared.push({ shift, differences: await differences(shift) });
      const rows = await this.#rows(compared, places.isSeen);
      for (const holder of holders) {
        this.#add(projectId, holder, visibility, rows);
        await this.#pace.spendAndRest(1);
      }
    }
  }

  #differences(
    things: Things,
    projectId: string | null,
    { before, after }: Shift,
    seen: PlaceSight['seen'],
  ): Promise<Difference[]> {
    const scope = projectId === null ? 'organization' : 'project';
    return differencesOf({ books: this.#books, things, pace: this.#pace, seen }, scope, before, after);
  }

  #add(projectId: string | null, holder: Holder, visibility: Visibility | undefined, rows: Rows): void {
    const { actor } = holder;
    const { all, unconditional } = rows;
    const { list, count } = !visibility?.sees(holder)
      ? EMPTY_LIST
      : visibility.seesRules(actor, { kind: 'role' })
        ? all
        : unconditional;
    const hidden = rows.hidden + all.count - count;
    this.#hidden += hidden;
    if (hidden > 0) this.#hiddenActors.add(actor.id);
    this.#count += count;
    this.#listed += list.length;
    const room = MAX_CHANGES - this.#changes.length;
    if (room > 0) this.#changes.push(...list.slice(0, room).map((row) => ({ ...row, actor, projectId })));
  }

  /** Merges differences that continue in the next shift, and actions of one subject that change together. */
  async #rows(all: readonly Compared[], isSeen: PlaceSight['isSeen']): Promise<Rows> {
    const windows = new Map<string, { difference: Difference; from: number; until: number }[]>();
    for (const { shift, differences } of all) {
      for (const difference of differences) {
        await this.#pace.spendAndRest(1);
        const key = JSON.stringify(difference);
        const known = windows.get(key) ?? [];
        windows.set(key, known);
        const last = known.at(-1);
        if (last?.until === shift.from) last.until = shift.until;
        else known.push({ difference, from: shift.from, until: shift.until });
      }
    }
    const rows = new Map<string, Row>();
    let hidden = 0;
    for (const { difference, from, until } of [...windows.values()].flat()) {
      await this.#pace.spendAndRest(1);
      const { action, isGained, secretTags: _, anywhereIn, ...where } = difference;
      const isHidden = !isSeen(difference);
      if (isHidden || anywhereIn) {
        // The response does not disclose whether there are places that the caller does not see, not even by a number.
        if (isHidden && where.environment === null) hidden++;
        continue;
      }
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
    const list = [...rows.values()];
    return { all: listed(list), unconditional: listed(list.filter(({ conditions }) => conditions === null)), hidden };
  }

  /** The caller's own rights at the place; none if it is not a member, so that it sees nothing. */
  #abilityIn(projectId: string | null): Promise<Ability | undefined> {
    return abilityWithinReach(this.#ctx, projectId ?? undefined);
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
      isPartial: isCut || this.#pace.isExhausted,
    };
  }
}

/** What the caller may see of the folders and secrets at one place. */
interface PlaceSight {
  readonly seen: 'all' | 'some' | 'none';
  /** Whether it may see all folders and secrets of a difference. */
  readonly isSeen: (where: Difference) => boolean;
}

function placeSight(ability: Ability | undefined, projectId: string | null): PlaceSight {
  if (!ability) return { seen: 'none', isSeen: () => false };
  if (projectId === null) return { seen: 'all', isSeen: () => true };
  const book = new RuleSet(ability.rules);
  const seesFolder = folderVisibility(ability);
  const seesFolders = ({ environment, secretPath }: Place) =>
    typeof environment === 'string' && typeof secretPath === 'string'
      ? seesFolder({ environment, secretPath })
      : book.may(folderPermissions.read, { environment, secretPath }) === true;
  const seesSecrets = (fields: Fields) => book.may(secretPermissions.describeSecret, fields) === true;
  const seesAll = seesFolders(ANY_PLACE) && seesSecrets({ ...ANY_PLACE, ...ANY_SECRET });
  return {
    seen: seesAll ? 'all' : 'some',
    isSeen({ anywhereIn, environment, secretPath, secretName, secretTags, conditions }) {
      if (anywhereIn) {
        const named = Object.entries(conditions ?? {}).filter(
          ([field, value]) => NAMING.includes(field) && typeof value === 'string',
        );
        const fields = { ...ANY_PLACE, ...ANY_SECRET, ...Object.fromEntries(named) };
        return anywhereIn === 'folders' ? seesFolders(fields) : seesSecrets(fields);
      }
      if (environment === null || secretPath === null) return true;
      if (secretName === null) return seesFolder({ environment, secretPath });
      return seesSecrets({ environment, secretPath, secretName, secretTags });
    },
  };
}

type Place = Readonly<Record<'environment' | 'secretPath', unknown>>;
const ANY_PLACE: Place = { environment: HIDDEN, secretPath: HIDDEN };
const NAMING = ['environment', 'secretPath', 'secretName'];
const ANY_SECRET = { secretName: HIDDEN, secretTags: HIDDEN, metadata: HIDDEN };

interface Compared {
  readonly shift: Shift;
  readonly differences: readonly Difference[];
}
