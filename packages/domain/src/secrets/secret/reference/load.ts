import { abilityIn } from '../../../access/index.ts';
import { WorkBudget, type Ability, type Context, type KeySet } from '../../../kernel/index.ts';
import { coveredPath } from '../../coverage/index.ts';
import { importedTargets } from '../imported.ts';
import { fieldsOf, valueOf, type ListedRow, type SecretFields, type SecretRow } from '../row.ts';
import { secretPermissions } from '../secret.ts';
import { MAX_DEPTH, type Holding } from './expand.ts';
import type { Failure } from './failure.ts';
import { findSomeTargets, originOf, targetOf, type PartialRow } from './find.ts';
import { parseValue, type NamedReference } from './parse.ts';
import { targetKey, type Target } from './reference.ts';

/** How many secrets are looked up at each depth, and how many characters their values may have in all. */
const MAX_TARGETS = 20_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Batch size of lookups. */
const PART = 2_000;

/** The cost of opening a value, besides its references. */
const OPENING_COST = 20;

/** A secret with its value. */
export interface Stored extends Holding {
  readonly row: SecretRow;
}

/**
 * Loads referenced secrets, level by level, for any number of values, with the reader's own permissions. An unreadable
 * secret gives the same result as a missing one. Values with few references go before those with many, and small
 * secrets before large ones: one value cannot use up the limits of others.
 */
export class Loader {
  readonly #ctx: Context;
  readonly #projectId: string;
  readonly #keys: KeySet;
  readonly #known = new Map<string, Stored | Failure>();
  readonly #pace = new WorkBudget();
  #charactersLeft = MAX_CHARACTERS;

  constructor(ctx: Context, projectId: string, keys: KeySet) {
    this.#ctx = ctx;
    this.#projectId = projectId;
    this.#keys = keys;
  }

  get known(): ReadonlyMap<string, Stored | Failure> {
    return this.#known;
  }

  /** Opens some values that the caller may read, and loads all that they refer to. */
  async load(rows: readonly SecretRow[]): Promise<Stored[]> {
    const roots: Stored[] = [];
    for (const row of rows) roots.push(await this.#opened(row));
    for (const root of roots) if (root.row.userId === null) this.#known.set(targetKey(root.place), root);
    let level = roots;
    const seen = new Set<string>();
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
      const targets = await this.#targetsOf(level, seen);
      await this.#loadLevel(targets.filter(({ name }) => !this.#known.has(name)));
      level = targets.flatMap(({ name }) => {
        const one = this.#known.get(name);
        return one === undefined || typeof one === 'string' ? [] : one;
      });
    }
    return roots;
  }

  async #opened(row: SecretRow): Promise<Stored> {
    const value = valueOf(this.#keys, row);
    const parsed = parseValue(value, originOf(row));
    await this.#pace.spendAndRest(OPENING_COST + parsed.references.length);
    return { row, place: targetOf(row), parsed };
  }

  async #targetsOf(level: readonly Stored[], seen: Set<string>): Promise<NamedReference[]> {
    const targets: NamedReference[] = [];
    const sizeOf = (one: Stored) => one.parsed.distinct.length;
    for (const { parsed } of level.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
      for (const reference of parsed.distinct) {
        if (seen.has(reference.name)) continue;
        seen.add(reference.name);
        targets.push(reference);
      }
      await this.#pace.spendAndRest(parsed.distinct.length + 1);
    }
    return targets;
  }

  async #loadLevel(targets: readonly NamedReference[]): Promise<void> {
    for (const { name } of targets.slice(MAX_TARGETS)) this.#known.set(name, 'too-many');
    const ability = await abilityIn(this.#ctx, this.#projectId);
    let waiting: readonly NamedReference[] = targets.slice(0, MAX_TARGETS);
    while (waiting.length > 0) {
      const large = await this.#loadPart(ability, waiting.slice(0, PART));
      waiting = [...waiting.slice(PART), ...large];
    }
  }

  /** Loads some targets; returns those that are too large for this batch. */
  async #loadPart(ability: Ability, targets: readonly NamedReference[]): Promise<NamedReference[]> {
    const found = new Map(
      (await findSomeTargets(this.#ctx, this.#projectId, targets)).map((row) => [nameOf(row), row]),
    );
    const absent = targets.filter(({ name }) => !found.has(name));
    // As in lists: unreadable secrets of an import are omitted.
    const isVisible = (row: ListedRow) => ability.can(secretPermissions.readValue, fieldsOf(row));
    const imported = await importedTargets(this.#ctx, this.#projectId, absent, isVisible);
    const large: NamedReference[] = [];
    for (const target of targets) {
      const { name } = target;
      const row = found.get(name) ?? imported.get(name);
      const isReadable = ability.can(secretPermissions.readValue, row ? fieldsOf(row) : fieldsOfNothing(target));
      if (!isReadable) this.#known.set(name, 'unavailable');
      else if (!row) this.#known.set(name, 'missing');
      else if (isWhole(row)) this.#known.set(name, await this.#within(row));
      else large.push(target);
      await this.#pace.spendAndRest(OPENING_COST);
    }
    return large;
  }

  async #within(row: SecretRow): Promise<Stored | Failure> {
    const stored = await this.#opened(row);
    const { length } = stored.parsed.value;
    if (length > this.#charactersLeft) return 'too-large';
    this.#charactersLeft -= length;
    return stored;
  }
}

const isWhole = (row: SecretRow | PartialRow): row is SecretRow => row.value !== null;
const nameOf = ({ environment, path, key }: Target): string => targetKey({ environment, path, key });

/** What rules see of a secret that is not there. */
const fieldsOfNothing = ({ environment, path, key }: Target): SecretFields => ({
  environment,
  secretPath: coveredPath(path),
  secretName: key,
  secretTags: [],
});
