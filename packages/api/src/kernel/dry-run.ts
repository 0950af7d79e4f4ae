import { badRequest } from '@coffer/domain';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';

/** How a change is only planned: the answer tells what it would do to anybody's rights, and nothing is done. */
export const DRY_RUN = 'dryRun';

const asked = z.object({ [DRY_RUN]: z.union([z.boolean(), z.enum(['true', 'false'])]) });

/** @throws TRPCError 422 for what is neither true nor false: that is no reason to go on and carry the change out. */
export function isDryRun(value: unknown): boolean {
  const { data, error } = asked.safeParse({ [DRY_RUN]: value });
  if (error) throw new TRPCError({ code: 'BAD_REQUEST', cause: error });
  return String(data[DRY_RUN]) === 'true';
}

/**
 * Refuses `dryRun` where it would be dropped as an unknown field and the change carried out: in one of a batch's elements
 * (`{secrets: [{dryRun: true}]}`).
 */
export function refuseNestedDryRun(input: object): void {
  for (const value of Object.values(input)) {
    if (!Array.isArray(value)) continue;
    for (const one of value as unknown[])
      if (typeof one === 'object' && one !== null && DRY_RUN in one && isDryRun(one[DRY_RUN]))
        throw badRequest('plan.nested', 'A part of a batch call has no dry run; nothing was changed');
  }
}

/** Refuses `dryRun` in a typed call, whose answer has one shape only. */
export function refuseDryRun(input: unknown, path: string): void {
  if (typeof input !== 'object' || input === null) return;
  if (DRY_RUN in input && isDryRun(input[DRY_RUN]))
    throw badRequest(
      'plan.typed',
      'This procedure takes no `dryRun`. Call access.plan with the procedure and its input; nothing was changed',
      {
        operation: path,
      },
    );
  refuseNestedDryRun(input);
}
