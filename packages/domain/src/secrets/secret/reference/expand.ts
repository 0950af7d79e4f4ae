import { WorkBudget } from '../../../kernel/index.ts';
import { nodesOnCircles } from './circles.ts';
import { ReferenceErrors } from './errors.ts';
import type { Failure } from './failure.ts';
import type { NamedReference, ParsedValue } from './parse.ts';
import type { Target } from './reference.ts';

/** Maximum depth of references; deeper ones stay as written. */
export const MAX_DEPTH = 10;
/** Maximum length of a value with resolved references: twice that of a written one. */
const MAX_EXPANDED = 2 * 1024 * 1024;

export interface ExpansionLimits {
  /**
   * Maximum number of steps for one response, and for one of its values: followed references and concatenated texts.
   */
  readonly steps: number;
  readonly stepsOfOne: number;
  readonly characters: number;
}
export const EXPANSION_LIMITS: ExpansionLimits = { steps: 1_000_000, stepsOfOne: 50_000, characters: MAX_EXPANDED };

/** The cost of a step on a cycle, where results cannot be cached. */
const CIRCLE_COST = 20;

/** A value and its location. */
export interface Holding {
  readonly place: Target;
  readonly parsed: ParsedValue;
}

/** Everything that can be reached, by the name used in references. */
export type Known = ReadonlyMap<string, Holding | Failure>;

export interface Expansion {
  /** The value with its references resolved. */
  readonly text: string;
  readonly errors: ReferenceErrors;
  /** How many references the longest way through it has. */
  readonly height: number;
  /** Whether a reference was too deep: at a lower depth it would be resolved. */
  readonly isTooDeep: boolean;
  /** Whether the steps did not suffice: another time they may. */
  readonly isCut: boolean;
}

/**
 * Resolves references, each secret once for any number of references, except on cycles, where the result depends on the
 * path. A reference to nothing becomes empty, and so does one that closes a cycle; other failed ones stay as written,
 * and all failures are reported. Yields to other requests.
 */
export class Expander {
  readonly #known: Known;
  readonly #onCircles: ReadonlySet<string>;
  readonly #limits: ExpansionLimits;
  readonly #pace = new WorkBudget();
  /** Results that do not depend on the depth. */
  readonly #whole = new Map<string, Expansion>();
  /** Results with a reference that was too deep, by depth. */
  readonly #shortened = new Map<string, Expansion>();
  #steps = 0;
  #last = 0;

  private constructor(known: Known, onCircles: ReadonlySet<string>, limits: ExpansionLimits) {
    this.#known = known;
    this.#onCircles = onCircles;
    this.#limits = limits;
  }

  static async of(known: Known, limits = EXPANSION_LIMITS): Promise<Expander> {
    const edges = new Map<string, string[]>();
    const pace = new WorkBudget();
    for (const [name, one] of known) {
      const targets = typeof one === 'string' ? [] : one.parsed.distinct.map((reference) => reference.name);
      if (targets.length > 0) edges.set(name, targets);
      await pace.spendAndRest(targets.length + 1);
    }
    return new Expander(known, await nodesOnCircles(edges), limits);
  }

  /** The steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Expands the value with a name; or a value without a name, which nothing refers to. */
  async expand(what: string | Holding): Promise<Expansion> {
    this.#last = Math.min(this.#limits.steps, this.#steps + this.#limits.stepsOfOne);
    if (typeof what !== 'string') return this.#visit(what, undefined, 0, []);
    const known = this.#known.get(what);
    if (known === undefined || typeof known === 'string') throw new Error(`Nothing is known of ${what}`);
    return this.#kept(what, 0) ?? this.#keeping(what, known, 0, [what]);
  }

  #kept(name: string, depth: number): Expansion | undefined {
    const whole = this.#whole.get(name);
    return whole && depth + whole.height <= MAX_DEPTH ? whole : this.#shortened.get(`${depth} ${name}`);
  }

  async #keeping(name: string, holding: Holding, depth: number, trail: readonly string[]): Promise<Expansion> {
    const expansion = await this.#visit(holding, name, depth, trail);
    if (expansion.isCut) return expansion;
    if (expansion.isTooDeep) this.#shortened.set(`${depth} ${name}`, expansion);
    else this.#whole.set(name, expansion);
    return expansion;
  }

  /** `trail`: the names on the path to it, including itself; without it if nothing refers to it. */
  async #visit(
    holding: Holding,
    name: string | undefined,
    depth: number,
    trail: readonly string[],
  ): Promise<Expansion> {
    const results = new Map<NamedReference, Expansion | Failure>();
    let isCut = false;
    for (const reference of holding.parsed.distinct) {
      this.#spend(1);
      if (this.#pace.shouldYield) await this.#pace.rest();
      const found = this.#failureOf(reference, depth, trail) ?? this.#followed(reference, name, depth + 1, trail);
      const result = found instanceof Promise ? await found : found;
      isCut ||= typeof result === 'string' ? this.#isOutOfSteps(result, reference) : result.isCut;
      results.set(reference, result);
    }
    this.#spend(holding.parsed.references.length);
    return { ...assemble(holding, results, this.#limits.characters), isCut };
  }

  #failureOf({ name }: NamedReference, depth: number, trail: readonly string[]): Failure | undefined {
    if (depth >= MAX_DEPTH) return 'too-deep';
    if (trail.includes(name)) return 'circular';
    const known = this.#known.get(name) ?? 'missing';
    return typeof known === 'string' ? known : undefined;
  }

  #followed(
    { name }: NamedReference,
    from: string | undefined,
    depth: number,
    trail: readonly string[],
  ): Expansion | Failure | Promise<Expansion> {
    const holding = this.#known.get(name) as Holding;
    // A path from elsewhere has visited nothing on the cycle.
    const isOnCircle = from !== undefined && this.#onCircles.has(name) && this.#onCircles.has(from);
    const kept = isOnCircle ? undefined : this.#kept(name, depth);
    if (kept) return kept;
    if (this.#steps >= this.#last) return 'too-many';
    if (!isOnCircle) return this.#keeping(name, holding, depth, [...trail, name]);
    this.#spend(CIRCLE_COST);
    return this.#visit(holding, name, depth, [...trail, name]);
  }

  /** What was not loaded exceeds the limit for every reference to it. */
  #isOutOfSteps(failure: Failure, { name }: NamedReference): boolean {
    return failure === 'too-many' && this.#known.get(name) !== 'too-many';
  }

  #spend(steps: number): void {
    this.#steps += steps;
    this.#pace.spend(steps);
  }
}

/** Puts a value together. */
function assemble(
  { place, parsed }: Holding,
  results: ReadonlyMap<NamedReference, Expansion | Failure>,
  characters: number,
): Omit<Expansion, 'isCut'> {
  const errors = new ReferenceErrors();
  let height = 0;
  let isTooDeep = false;
  for (const [{ text }, result] of results) {
    const isFailure = typeof result === 'string';
    height = Math.max(height, 1 + (isFailure ? 0 : result.height));
    isTooDeep ||= isFailure ? result === 'too-deep' : result.isTooDeep;
    if (isFailure) errors.add(result, text, place);
    else errors.addAll(result.errors);
  }
  const { value, references, texts, beyond } = parsed;
  let text = texts[0]!;
  let length = value.length;
  for (const [index, reference] of references.entries()) {
    const written = reference.text;
    let shown = shownFor(results.get(reference)!) ?? written;
    if (shown.length > written.length && length + shown.length - written.length > characters) {
      errors.add('too-large', written, place);
      shown = written;
    }
    length += shown.length - written.length;
    text += shown + texts[index + 1]!;
  }
  if (beyond !== undefined) errors.add('too-many', beyond, place);
  return { text, errors, height, isTooDeep };
}

const shownFor = (result: Expansion | Failure): string | undefined => {
  if (typeof result !== 'string') return result.text;
  return result === 'missing' || result === 'circular' ? '' : undefined;
};
