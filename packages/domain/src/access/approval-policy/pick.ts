import { globOf } from '../condition.ts';
import { filterInTurns } from '../in-turns.ts';
import { isExactPath, type ApprovalPolicy } from './policy.ts';

/** The scope of a policy within its environment. */
export type Covering = Pick<ApprovalPolicy, 'secretPath'>;

/** The properties by which policies are compared for strictness. */
export type Strictness = Pick<ApprovalPolicy, 'approvals' | 'enforcementLevel' | 'allowedSelfApprovals'>;

/**
 * Whether a policy covers a folder of its environment. Many policies, or many folders, are compared in turns (see
 * `in-turns.ts`).
 */
export function coversFolder({ secretPath }: Covering, path: string): boolean {
  if (secretPath === null) return true;
  return isExactPath(secretPath) ? secretPath === path : (globOf(secretPath)?.matches(path) ?? false);
}

/** 2 for one folder, 1 for a glob, 0 for the whole environment. */
const closeness = ({ secretPath }: Covering): number => (secretPath === null ? 0 : isExactPath(secretPath) ? 2 : 1);

/**
 * Hard before soft, more approvals before fewer, without self-approval before with it; equally strict policies by
 * proximity, then in the given order.
 */
export const strictestFirst = <Policy extends Covering & Strictness>(policies: readonly Policy[]): Policy[] =>
  policies.toSorted(
    (a, b) =>
      Number(b.enforcementLevel === 'hard') - Number(a.enforcementLevel === 'hard') ||
      b.approvals - a.approvals ||
      Number(a.allowedSelfApprovals) - Number(b.allowedSelfApprovals) ||
      closeness(b) - closeness(a),
  );

/** All policies of an environment that cover a folder, the strictest first: they apply together. */
export const policiesAt = async <Policy extends Covering & Strictness>(
  policies: readonly Policy[],
  path: string,
): Promise<Policy[]> => strictestFirst(await filterInTurns(policies, (policy) => coversFolder(policy, path)));
