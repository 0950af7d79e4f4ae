import type { Context } from '../../kernel/index.ts';

/**
 * An operation that can be requested if a policy covers it. It may run several times: as a dry run, and again when it
 * is approved. So it only uses the database, and its input is JSON.
 */
export interface ProposableChange<Input, Result> {
  /** Stored with requests: never rename it. */
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

/** The change of a stored request. */
export function changeNamed(name: string): ProposableChange<object, unknown> {
  const change = known.get(name);
  if (!change) throw new Error(`There is no change ${name}`);
  return change as ProposableChange<object, unknown>;
}
