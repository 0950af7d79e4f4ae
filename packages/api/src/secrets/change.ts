import { isProposed, Proposed, submitChange, type Context, type ProposableChange } from '@coffer/domain';
import { z } from 'zod';

/** The answer to a change: what is published of it, or, where a change policy covers it, the request that was made. */
export const orApproval = <Published extends z.ZodType>(published: Published) => z.union([published, Proposed]);

/** Does a change, or asks for it where a change policy covers it; `publish` shapes the answer to one that was done. */
export async function changing<Input extends object, Result, Published>(
  ctx: Context,
  change: ProposableChange<Input, Result>,
  input: Input,
  publish: (result: Result) => Published,
): Promise<Published | Proposed> {
  const answer = await submitChange(ctx, change, input);
  return isProposed(answer) ? answer : publish(answer);
}
