/** The factor of a generated search: `pnpm search` sets it to 1, or to its `--factor`. */
const factor = Number(process.env['COFFER_SEARCH'] ?? 0);
if (!(factor >= 0)) throw new Error('COFFER_SEARCH is a number: 1 for the long form of the generated searches');

/** Whether this is the long form, which also measures. */
export const isLongSearch = factor > 0;

/** The cases that a generated search draws: `short` in `npm test`, `long` in `pnpm search`. */
export const runs = (short: number, long: number): number => (isLongSearch ? Math.ceil(long * factor) : short);

/** One in `share` of all in `npm test`, others with the next seed; `turn` begins elsewhere. All of them in `pnpm search`. */
export const sampleOf = <Item>(all: readonly Item[], share: number, turn = 0): readonly Item[] =>
  all.filter((_, index) => isLongSearch || (index + turn + SEARCH_SEED) % share === 0);

/** Milliseconds that a test with a generated search may take. */
export const searchTime = (short: number): number => (isLongSearch ? 86_400_000 : short);

/** For the searches that make the same decisions again by it. */
export const SEARCH_SEED = Number(process.env['COFFER_SEARCH_SEED'] ?? Date.now() % 1_000_000);

/** A number in a title: 100,000. */
export const inTitle = (number: number): string => number.toLocaleString('en');

/** The counts of a long search. */
export function reportSearch(counts: Readonly<Record<string, unknown>>): void {
  if (isLongSearch) process.stdout.write(`${JSON.stringify(counts)}\n`);
}
