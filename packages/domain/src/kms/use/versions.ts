import { WorkBudget, type Context } from '../../kernel/index.ts';
import { openVersion, type KeyInUse, type OpenVersion } from '../key/index.ts';

/** How many versions a signature or MAC is compared with: it does not name the one that made it. */
const MOST = 100;

/** How many versions may be compared with; one if the caller names it. */
export const comparisonsOf = ({ row }: KeyInUse, named: number | undefined): number =>
  named === undefined ? Math.min(row.version, MOST) : 1;

/** The versions of a key during one call: each is opened once, and others get their turn in between. */
export class Versions {
  readonly #key: KeyInUse;
  readonly #ctx: Context;
  readonly #opened = new Map<number, OpenVersion | undefined>();
  readonly #pace = new WorkBudget();

  constructor(key: KeyInUse, ctx: Context) {
    this.#key = key;
    this.#ctx = ctx;
  }

  /** `undefined` for one that the key never had. */
  async open(version: number): Promise<OpenVersion | undefined> {
    if (version > this.#key.row.version) return undefined;
    if (!this.#opened.has(version)) this.#opened.set(version, await openVersion(this.#key, this.#ctx, version));
    return this.#opened.get(version);
  }

  /**
   * The newest version of which something is true, or the named one if it is true of that. `cost`: of finding out, in
   * microseconds.
   */
  async find(
    { cost, named }: { cost: number; named: number | undefined },
    isRight: (version: OpenVersion) => Promise<boolean> | boolean,
  ): Promise<number | undefined> {
    const newest = named ?? this.#key.row.version;
    const oldest = newest - comparisonsOf(this.#key, named) + 1;
    for (let version = newest; version >= oldest; version--) {
      const opened = await this.open(version);
      if (opened && (await isRight(opened))) return version;
      await this.#pace.spendAndRest(cost);
    }
    return undefined;
  }
}
