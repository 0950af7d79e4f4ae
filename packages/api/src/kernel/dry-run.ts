import { badRequest } from '@coffer/domain';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';

/** Plans of changes: the response contains the changes of rights, and nothing is executed. */
export const DRY_RUN = 'dryRun';

const asked = z.object({ [DRY_RUN]: z.union([z.boolean(), z.enum(['true', 'false'])]) });

/** @throws TRPCError 422 for a value other than true and false: an invalid flag must not execute the change. */
export function isDryRun(value: unknown): boolean {
  const { data, error } = asked.safeParse({ [DRY_RUN]: value });
  if (error) throw new TRPCError({ code: 'BAD_REQUEST', cause: error });
  return String(data[DRY_RUN]) === 'true';
}

/**
 * Rejects `dryRun` at positions where it would be ignored as an unknown field and the change executed: in one of a
 * batch's elements (`{secrets: [{dryRun: true}]}`).
 */
export function refuseNestedDryRun(input: object): void {
  for (const value of Object.values(input)) {
    if (!Array.isArray(value)) continue;
    for (const one of value as unknown[])
      if (typeof one === 'object' && one !== null && DRY_RUN in one && isDryRun(one[DRY_RUN]))
        throw badRequest('plan.nested', 'A part of a batch call has no dry run; nothing was changed');
  }
}

/** Rejects `dryRun` in a typed call, whose response has only one form. */
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
