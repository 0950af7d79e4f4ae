import { isProposed, Proposed, submitChange, type Context, type ProposableChange } from '@coffer/domain';
import { z } from 'zod';

/** The response to a change: its published form, or, if a change policy covers it, the created request. */
export const orApproval = <Published extends z.ZodType>(published: Published) => z.union([published, Proposed]);

/**
 * Executes a change, or requests it if a change policy covers it; `publish` creates the response of an executed one.
 */
export async function changing<Input extends object, Result, Published>(
  ctx: Context,
  change: ProposableChange<Input, Result>,
  input: Input,
  publish: (result: Result) => Published,
): Promise<Published | Proposed> {
  const answer = await submitChange(ctx, change, input);
  return isProposed(answer) ? answer : publish(answer);
}
