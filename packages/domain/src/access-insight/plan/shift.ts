import { rulesAt, type RuleSet } from '../../access/index.ts';
import type { WorkBudget } from '../../kernel/index.ts';
import type { Holder, RuleSets } from '../effective-access/index.ts';

/** A period in which an actor would have other rules than now, and the rules; milliseconds, infinite without an end. */
export interface Shift {
  readonly from: number;
  readonly until: number;
  readonly before: RuleSet;
  readonly after: RuleSet;
}

/**
 * How the rules of an actor would differ, from now on and forever: grants begin and end. Empty if they never differ, and
 * not complete where the budget is exhausted.
 */
export async function shiftsOf(
  books: RuleSets,
  before: Holder | undefined,
  after: Holder | undefined,
  now: number,
  pace: WorkBudget,
): Promise<readonly Shift[]> {
  const bookAt = async (holder: Holder | undefined, time: number) => {
    const rules = holder ? rulesAt(holder.grants, time, holder.facts).rules : [];
    await pace.spendAndRest(1 + (rules.length + (holder?.grants.length ?? 0)) / 2);
    return books.of(rules);
  };
  const grants = [...(before?.grants ?? []), ...(after?.grants ?? [])];
  const turns = grants.flatMap(({ start, end }) => [start, end]).filter((time) => time > now && time < Infinity);
  const times = [now, ...new Set(turns)].toSorted((a, b) => a - b);
  const shifts: Shift[] = [];
  for (const [index, from] of times.entries()) {
    if (pace.isExhausted) break;
    const until = times[index + 1] ?? Infinity;
    const shift = { from, until, before: await bookAt(before, from), after: await bookAt(after, from) };
    if (shift.before === shift.after) continue;
    const last = shifts.at(-1);
    if (last?.until === from && last.before === shift.before && last.after === shift.after)
      shifts[shifts.length - 1] = { ...last, until };
    else shifts.push(shift);
  }
  return shifts;
}
