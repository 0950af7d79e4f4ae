import { createPolicy } from '../../../access/approval-policy/index.ts';
import { organizationOf } from '../../../access/index.ts';
import { addMember } from '../../../access/membership/index.ts';
import { changes } from '../../../app/changes.ts';
import { inTransaction, type Context } from '../../../kernel/index.ts';
import { makeUser, type TestCoffer } from '../../../testing/index.ts';
import type { Ask } from '../../history/testing/version-world.ts';
import { mergeRequest } from '../merge.ts';
import { deleteChangePolicy } from '../policies.ts';
import type { ProposableChange } from '../proposable.ts';
import { isProposed, submitChange } from '../submit.ts';

/** A new member of a project. */
async function makeApprover({ coffer }: TestCoffer, ctx: Context, projectId: string): Promise<string> {
  const organizationId = organizationOf(ctx);
  const { id: userId } = await makeUser(coffer, { organizationId });
  const roles = [{ role: 'member', isTemporary: false as const }];
  await inTransaction(coffer.contextFor({ type: 'platform', organizationId }), (tx) =>
    addMember(tx, { organizationId, projectId, userId, roles }),
  );
  return userId;
}

/** Requests each write under a policy that there is only meanwhile: its deletion closes what was not merged. */
export function askAtOnce(test: TestCoffer): Ask {
  const approvers = new Map<string, string>();
  return async (ctx, { projectId, slug }, [name, input], isMerged) => {
    const id = approvers.get(projectId) ?? (await makeApprover(test, ctx, projectId));
    approvers.set(projectId, id);
    const policy = await createPolicy(ctx, 'change', {
      ...{ projectId, environment: slug, secretPath: null, approvers: [{ type: 'user', id }], approvals: 1 },
      ...{ enforcementLevel: 'soft', allowedSelfApprovals: false, exemptIdentityIds: [], exemptMachines: false },
    });
    const answer = await submitChange(ctx, changes[name] as ProposableChange<object, unknown>, input);
    if (!isProposed(answer)) throw new Error('No policy covers it');
    const { id: requestId } = answer.approval;
    if (isMerged) await mergeRequest(ctx, { id: requestId, bypassReason: 'Random' });
    await deleteChangePolicy(ctx, { policyId: policy.id });
    return requestId;
  };
}
