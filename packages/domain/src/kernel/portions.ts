import { WorkBudget } from './work-budget.ts';

/** The maximum of one portion: a thing that is larger is a portion of its own. */
export interface PortionLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** What one statement may write or read: some megabytes, and lists that are made in one turn of the event loop. */
export const STATEMENT: PortionLimits = { rows: 1_000, bytes: 2 * 1024 * 1024 };
/** The same for lists of ids. */
const IDS = 5_000;

/** Some things in their order, in portions. */
export function* portionsOf<T>(
  things: Iterable<T>,
  sizeOf: (thing: T) => number,
  { rows, bytes }: PortionLimits = STATEMENT,
): Generator<T[]> {
  let [portion, size]: [T[], number] = [[], 0];
  for (const thing of things) {
    const own = sizeOf(thing);
    if (portion.length === rows || (portion.length > 0 && size + own > bytes)) {
      yield portion;
      [portion, size] = [[], 0];
    }
    portion.push(thing);
    size += own;
  }
  if (portion.length > 0) yield portion;
}

/** The same, by their number alone. */
export const portionsOfRows = <T>(things: Iterable<T>, rows: number): Generator<T[]> =>
  portionsOf(things, () => 0, { rows, bytes: 0 });

/** Does something with some ids, or other small things, in portions; other requests are let through in between. */
export async function eachPortion<T>(things: readonly T[], work: (portion: T[]) => Promise<unknown>): Promise<void> {
  const pace = new WorkBudget();
  for (const portion of portionsOfRows(things, IDS)) {
    await work(portion);
    await pace.spendAndRest(portion.length);
  }
}
