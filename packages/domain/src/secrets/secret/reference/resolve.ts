import type { Context, KeySet } from '../../../kernel/index.ts';
import { placesRead } from '../read-places.ts';
import type { SecretRow } from '../row.ts';
import type { ReadPlace, SecretReferenceError } from '../secret.ts';
import { Expander, type Expansion } from './expand.ts';
import { ReferenceErrors } from './errors.ts';
import { Loader, type Stored } from './load.ts';
import { targetKey } from './reference.ts';
import { drawTree, type Hop } from './tree.ts';

/** Maximum number of characters that references add to one response, and of failures that it reports in full. */
const MAX_BROUGHT = 8 * 1024 * 1024;
const MAX_REPORTED = 5_000;

/**
 * Resolves the references of values, with the reader's own permissions at every hop; see `Expander` and `Loader`.
 * Unresolved references are reported with the value. A reference that exceeds the limits of a response fails, without
 * affecting other values: smaller ones go first.
 */
export class Resolver {
  readonly #loader: Loader;
  /** What it was given. */
  readonly #roots: Stored[] = [];
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
    const roots = await this.#load(rows);
    const expander = await Expander.of(this.#loader.known);
    const expansions = new Map<Stored, Expansion>();
    for (const root of ascending(roots, ({ parsed }) => parsed.references.length))
      // A personal value may refer to the shared one that it overrides.
      expansions.set(root, await expander.expand(root.row.userId === null ? targetKey(root.place) : root));
    const fitting = this.#fitting(roots, expansions);
    return roots.map((root) => {
      const { row, parsed } = root;
      const { text, errors } = fitting.has(root) ? expansions.get(root)! : unresolved(root);
      const shown =
        row.skipMultilineEncoding && parsed.references.length > 0 && text !== parsed.value ? encodeLines(text) : text;
      return use(row, shown, this.#reportOf(errors));
    });
  }

  /** The tree of a value's hops, without unavailable ones. */
  async trace(row: SecretRow): Promise<Hop> {
    const [root] = await this.#load([row]);
    return drawTree(root!, this.#loader.known);
  }

  /** For the event of a read: where the values of references were read, besides what it was given. Absent if nowhere. */
  get read(): { references?: ReadPlace[] } {
    // Most values have no references.
    if (this.#roots.every(({ parsed }) => parsed.references.length === 0)) return {};
    const places = new Map<string, ReadPlace>();
    // By imports, one secret may have several names.
    const counted = new Set(this.#roots.map(({ row }) => row.id));
    for (const one of this.#loader.known.values()) {
      if (typeof one === 'string' || counted.has(one.row.id)) continue;
      counted.add(one.row.id);
      const { environment, path: secretPath } = one.place;
      const name = `${environment}:${secretPath}`;
      const numberOfSecrets = (places.get(name)?.numberOfSecrets ?? 0) + 1;
      places.set(name, { environment, secretPath, numberOfSecrets });
    }
    return places.size > 0 ? { references: placesRead([...places.values()]) } : {};
  }

  async #load(rows: readonly SecretRow[]): Promise<Stored[]> {
    const roots = await this.#loader.load(rows);
    for (const root of roots) this.#roots.push(root);
    return roots;
  }

  /** Those that fit into one response, shortest first. */
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

/** The unresolved value, because the response has no room for its references. */
function unresolved({ place, parsed }: Stored) {
  const errors = new ReferenceErrors();
  for (const { text } of parsed.distinct) errors.add('too-large', text, place);
  return { text: parsed.value, errors };
}

/** The dotenv form of a multi-line value: quoted, with `\n` for line breaks. */
const encodeLines = (value: string): string => (value.includes('\n') ? `"${value.replaceAll('\n', '\\n')}"` : value);
