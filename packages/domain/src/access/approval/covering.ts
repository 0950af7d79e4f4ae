import { badRequest, type Rule } from '../../kernel/index.ts';
import { closest, isExactPath, type ApprovalPolicy } from '../approval-policy/index.ts';
import { missingPermissions } from '../boundary.ts';

/** What may be asked for under a policy: anything at the places that it covers. */
function placesOf({ environment, secretPath }: ApprovalPolicy): Record<string, unknown> {
  if (secretPath === null) return { environment: environment.slug };
  return {
    environment: environment.slug,
    secretPath: isExactPath(secretPath) ? secretPath : { $glob: secretPath },
  };
}

/** Whether some rules allow nothing but at the places of a policy. */
const covers = (policy: ApprovalPolicy, rules: readonly Rule[]): boolean =>
  missingPermissions(
    rules,
    rules.map(({ subject, action }) => ({ subject, action, conditions: placesOf(policy) })),
  ).length === 0;

/**
 * A policy may have come to be for other places since somebody asked under it, or its environment to have another slug.
 *
 * @throws DomainError 400 where it does not cover some rules.
 */
export function requireCovered(policy: ApprovalPolicy, rules: readonly Rule[]): void {
  if (!covers(policy, rules))
    throw badRequest(
      'access_approval.not_covered',
      'The policy has changed since, and does not cover what is asked for: it can be rejected, and asked for anew',
    );
}

/**
 * The policy under which some rules are asked for: one that covers every place of theirs. One for a single folder beats
 * one for several, and that one for a whole environment; of several, the oldest.
 *
 * @throws DomainError 400 where there is none.
 */
export function policyFor(oldestFirst: readonly ApprovalPolicy[], rules: readonly Rule[]): ApprovalPolicy {
  const policy = closest(oldestFirst, (one) => {
    if (!covers(one, rules)) return -1;
    return one.secretPath === null ? 0 : isExactPath(one.secretPath) ? 2 : 1;
  });
  if (!policy)
    throw badRequest(
      'access_approval.no_policy',
      'No access policy covers what is asked for: all rules have to be limited to an environment, and the folders, of one policy',
    );
  return policy;
}
