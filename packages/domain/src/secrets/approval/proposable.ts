import type { Context } from '../../kernel/index.ts';

/**
 * An operation that can be asked for where a policy covers what it writes. It may be done several times: to find out what
 * it would change, which is taken back, and once more when that is approved. So it touches nothing but the database, and
 * its input is JSON.
 */
export interface ProposableChange<Input, Result> {
  /** Kept with requests, so it is never renamed. */
  readonly name: string;
  readonly run: (ctx: Context, input: Input) => Promise<Result>;
}

const known = new Map<string, ProposableChange<never, unknown>>();

export function defineChange<Input extends object, Result>(
  name: string,
  run: (ctx: Context, input: Input) => Promise<Result>,
): ProposableChange<Input, Result> {
  if (known.has(name)) throw new Error(`The change ${name} is defined twice`);
  const change = { name, run };
  known.set(name, change);
  return change;
}

/** The change of a request that is kept. */
export function changeNamed(name: string): ProposableChange<object, unknown> {
  const change = known.get(name);
  if (!change) throw new Error(`There is no change ${name}`);
  return change as ProposableChange<object, unknown>;
}
