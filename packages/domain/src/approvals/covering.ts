import { badRequest, type Rule } from '../kernel/index.ts';
import { isExactPath, strictestFirst, type ApprovalPolicy } from '../access/approval-policy/index.ts';
import { missingPermissions } from '../access/index.ts';

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

/** Whether some rules allow anything at all at the places of a policy. */
const touches = (policy: ApprovalPolicy, rules: readonly Rule[]): boolean =>
  missingPermissions(rules, [
    ...rules,
    ...rules.map(({ subject, action }) => ({ subject, action, conditions: placesOf(policy), inverted: true })),
  ]).length > 0;

/** All policies at whose places some rules allow something, the strictest first: they apply together. */
export const policiesOver = <Policy extends ApprovalPolicy>(
  policies: readonly Policy[],
  rules: readonly Rule[],
): Policy[] => strictestFirst(policies.filter((policy) => touches(policy, rules)));

/**
 * The policies under which some rules are asked for. The first covers every place of theirs, and is the strictest that
 * does; the others cover some of their places.
 *
 * @throws DomainError 400 where none covers all of them.
 */
export function policiesForRequest<Policy extends ApprovalPolicy>(
  policies: readonly Policy[],
  rules: readonly Rule[],
): [Policy, ...Policy[]] {
  const over = policiesOver(policies, rules);
  const first = over.find((policy) => covers(policy, rules));
  if (!first)
    throw badRequest(
      'access_approval.no_policy',
      'No access policy covers what is asked for: all rules have to be limited to an environment, and the folders, of one policy',
    );
  return [first, ...over.filter((policy) => policy !== first)];
}
