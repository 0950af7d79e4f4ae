import { z } from 'zod';
import { defineEvent, REFUSALS, refusalOf, type Context } from '../../kernel/index.ts';
import type { AcmeProblem } from './problem.ts';
import type { AcmeProfile } from './profile.ts';

const data = z.object({ certificateProfileId: z.string(), ...REFUSALS });
const requestRefused = defineEvent('acme.refused', 'acme-request-refused', data);
const bindingRefused = defineEvent('acme.external_binding_refused', 'acme-external-binding-refused', data);

/**
 * Records a problem that says something of a credential or a right (`AcmeProblem.refusal`), on the log of the profile's project. Called
 * once per response.
 *
 * @param operation The documented path: without IDs, names, or other input of the caller.
 */
export async function noteAcmeRefusal(
  ctx: Context,
  { id, organizationId, projectId }: AcmeProfile,
  { refusal }: AcmeProblem,
  operation: string,
): Promise<void> {
  if (!refusal) return;
  const { isBinding = false, reason, accountId } = refusal;
  const detail = [operation, reason, ...(accountId === undefined ? [] : ['account', accountId])].join(' ');
  await ctx.noteRefusal(
    refusalOf(
      isBinding ? bindingRefused : requestRefused,
      { certificateProfileId: id },
      { organizationId, projectId, subject: id, detail },
    ),
    ctx,
  );
}
