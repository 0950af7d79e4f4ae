import { badRequest, type Rule } from '../kernel/index.ts';
import { isExactPath, strictestFirst, type ApprovalPolicy } from '../access/approval-policy/index.ts';
import { allowAnythingWhere, missingInTurns, type ComparisonBudget } from '../access/index.ts';

/** What can be requested under a policy: anything at the places that it covers. */
function placesOf({ environment, secretPath }: ApprovalPolicy): Record<string, unknown> {
  if (secretPath === null) return { environment: environment.slug };
  return {
    environment: environment.slug,
    secretPath: isExactPath(secretPath) ? secretPath : { $glob: secretPath },
  };
}

/** Whether some rules allow something only at the places of a policy; `false` if the budget is used up. */
async function covers(policy: ApprovalPolicy, rules: readonly Rule[], budget: ComparisonBudget): Promise<boolean> {
  const [conditions, bySubject] = [placesOf(policy), Map.groupBy(rules, ({ subject }) => subject)];
  const anythingThere = Array.from(bySubject, ([subject, some]) => ({
    subject,
    action: [...new Set(some.flatMap(({ action }) => action))],
    conditions,
  }));
  return (await missingInTurns(rules, anythingThere, budget)).length === 0;
}

/**
 * The policy, or the slug of its environment, may have changed since the request.
 *
 * @throws DomainError 400 if it does not cover some rules.
 */
export async function requireCovered(
  policy: ApprovalPolicy,
  rules: readonly Rule[],
  budget: ComparisonBudget,
): Promise<void> {
  if (!(await covers(policy, rules, budget)))
    throw badRequest(
      'access_approval.not_covered',
      'The policy has changed and no longer covers this request. Reject the request and create a new one',
    );
}

/**
 * All policies at whose places some rules allow something, the strictest first: they apply together. So does each that is
 * not compared before the budget is used up.
 */
export async function policiesOver<Policy extends ApprovalPolicy>(
  policies: readonly Policy[],
  rules: readonly Rule[],
  budget: ComparisonBudget,
): Promise<Policy[]> {
  const over: Policy[] = [];
  for (const policy of policies) if (await allowAnythingWhere(rules, placesOf(policy), budget)) over.push(policy);
  return strictestFirst(over);
}

/**
 * The policies for a request of some rules. The first is the strictest one that covers all of their places; the others
 * cover some of them.
 *
 * @throws DomainError 400 if none covers all of them.
 */
export async function policiesForRequest<Policy extends ApprovalPolicy>(
  policies: readonly Policy[],
  rules: readonly Rule[],
  budget: ComparisonBudget,
): Promise<[Policy, ...Policy[]]> {
  const over = await policiesOver(policies, rules, budget);
  let first: Policy | undefined;
  for (const policy of over) if (!first && (await covers(policy, rules, budget))) first = policy;
  if (!first)
    throw badRequest(
      'access_approval.no_policy',
      'No access policy covers this request. Limit all rules to the environment and the folders of one policy',
    );
  return [first, ...over.filter((policy) => policy !== first)];
}
