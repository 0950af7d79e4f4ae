import { badRequest, Plan, planChange } from '@coffer/domain';
import type { ApiCall } from './api-call.ts';
import { isDryRun, refuseNestedDryRun } from './dry-run.ts';
import { isLong } from './in-turns.ts';
import type { ProcedureLike } from './operations.ts';
import { admit, byPresentRights, callProcedure, readInput, requireGranted } from './procedure.ts';

/**
 * Calls a procedure that was sent with `dryRun`, with these values (of the query, of the body): returns its plan, or
 * executes it if all are false.
 *
 * @throws DomainError 400 if the operation cannot be planned: it is not executed instead.
 */
export async function answerDryRun(
  procedure: ProcedureLike,
  ctx: ApiCall,
  path: string,
  rawInput: object,
  values: readonly unknown[],
): Promise<unknown> {
  await admit(ctx, procedure._def.meta, path);
  const areTrue = values.map(isDryRun);
  if (!areTrue.includes(true)) return callProcedure(procedure, ctx, path, rawInput);
  const plan = await byPresentRights(ctx, 'read', () => planProcedure(procedure, ctx, path, rawInput));
  ctx.hasLongAnswer = isLong(plan);
  return { plan };
}

/** What calling a procedure with an input would do to anybody's rights; see `planChange`. */
export async function planProcedure(
  procedure: ProcedureLike,
  ctx: ApiCall,
  path: string,
  rawInput: object,
): Promise<Plan> {
  const { meta, inputs = [], resolver, type } = procedure._def;
  await admit(ctx, meta, path);
  if (!meta?.rest?.plannable) throw unplannable(path);
  refuseNestedDryRun(rawInput);
  const input = readInput(inputs, rawInput);
  const plan = await planChange(ctx, path, async (tx) => {
    await resolver({ ctx: tx, input, path, type, signal: undefined });
    await requireGranted(ctx, meta, path);
  });
  return Plan.parse(plan);
}

const unplannable = (operation: string) =>
  badRequest(
    'plan.unavailable',
    'This operation has no dry run; nothing was changed. Send it without `dryRun` to execute it',
    {
      operation,
    },
  );
