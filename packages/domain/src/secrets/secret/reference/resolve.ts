import type { Context, KeySet } from '../../../kernel/index.ts';
import type { SecretRow } from '../row.ts';
import type { SecretReferenceError } from '../secret.ts';
import { Expander, type Expansion } from './expand.ts';
import { ReferenceErrors } from './errors.ts';
import { Loader, type Stored } from './load.ts';
import { targetKey } from './reference.ts';
import { drawTree, type Hop } from './tree.ts';

/** How many characters references may bring into one answer, and how many of them it reports in full. */
const MAX_BROUGHT = 8 * 1024 * 1024;
const MAX_REPORTED = 5_000;

/**
 * Resolves the references of values, with the reader's own rights at every hop; see `Expander` and `Loader`. All that
 * could not be resolved is reported with the value. What is too many or too large for one answer fails there, too, and
 * takes nothing from other values: the smaller ones go first.
 */
export class Resolver {
  readonly #loader: Loader;
  #left = MAX_BROUGHT;
  #reported = 0;

  constructor(ctx: Context, projectId: string, keys: KeySet) {
    this.#loader = new Loader(ctx, projectId, keys);
  }

  /** Calls `use` with each row that the caller may read, its resolved value and what of it could not be resolved. */
  async resolve<T>(
    rows: readonly SecretRow[],
    use: (row: SecretRow, value: string, errors: readonly SecretReferenceError[]) => T,
  ): Promise<T[]> {
    const roots = await this.#loader.load(rows);
    const expander = await Expander.of(this.#loader.known);
    const expansions = new Map<Stored, Expansion>();
    for (const root of ascending(roots, ({ parsed }) => parsed.references.length))
      // A personal value may refer to the shared one that it stands over.
      expansions.set(root, await expander.expand(root.row.user_id === null ? targetKey(root.place) : root));
    const fitting = this.#fitting(roots, expansions);
    return roots.map((root) => {
      const { row, parsed } = root;
      const { text, errors } = fitting.has(root) ? expansions.get(root)! : unresolved(root);
      const shown =
        row.skip_multiline_encoding && parsed.references.length > 0 && text !== parsed.value ? encodeLines(text) : text;
      return use(row, shown, this.#reportOf(errors));
    });
  }

  /** The tree of hops that a value is made of, without those that cannot be had. */
  async trace(row: SecretRow): Promise<Hop> {
    const [root] = await this.#loader.load([row]);
    return drawTree(root!, this.#loader.known);
  }

  /** Those that one answer holds, the shortest first. */
  #fitting(roots: readonly Stored[], expansions: ReadonlyMap<Stored, Expansion>): Set<Stored> {
    const broughtTo = (root: Stored) => Math.max(0, expansions.get(root)!.text.length - root.parsed.value.length);
    const fitting = ascending(roots, broughtTo).filter((root) => {
      const brought = broughtTo(root);
      if (brought > this.#left) return false;
      this.#left -= brought;
      return true;
    });
    return new Set(fitting);
  }

  #reportOf(errors: ReferenceErrors): SecretReferenceError[] {
    this.#reported += errors.size;
    return errors.list(this.#reported > MAX_REPORTED);
  }
}

const ascending = <T>(values: readonly T[], of: (value: T) => number): T[] =>
  values.length < 2 ? [...values] : values.toSorted((a, b) => of(a) - of(b));

/** A value as it is written, since the answer does not hold what its references bring. */
function unresolved({ place, parsed }: Stored) {
  const errors = new ReferenceErrors();
  for (const { text } of parsed.distinct) errors.add('too-large', text, place);
  return { text: parsed.value, errors };
}

/** What clients that write dotenv files expect of a multi-line value that asks for it: quoted, with `\n` for line breaks. */
const encodeLines = (value: string): string => (value.includes('\n') ? `"${value.replaceAll('\n', '\\n')}"` : value);
