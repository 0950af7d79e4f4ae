import { globOf } from '../condition.ts';
import { isExactPath } from './policy.ts';

/** What a policy covers within its environment. */
export interface Covering {
  readonly secretPath: string | null;
}

/** How closely a policy speaks of a folder: 2 by its path, 1 by a glob, 0 by its environment; -1 where it does not. */
export function closeness({ secretPath }: Covering, path: string): number {
  if (secretPath === null) return 0;
  if (isExactPath(secretPath)) return secretPath === path ? 2 : -1;
  return globOf(secretPath)?.matches(path) ? 1 : -1;
}

/** The policy that counts, by how closely each speaks of what is asked about; of several, the first. */
export function closest<Policy>(
  policies: readonly Policy[],
  closenessOf: (policy: Policy) => number,
): Policy | undefined {
  let [found, best] = [undefined as Policy | undefined, -1];
  for (const policy of policies) {
    const close = closenessOf(policy);
    if (close > best) [found, best] = [policy, close];
  }
  return found;
}

/** The policy that covers a folder: an exact path beats a glob, a glob the whole environment, the older the newer. */
export const policyAt = <Policy extends Covering>(oldestFirst: readonly Policy[], path: string): Policy | undefined =>
  closest(oldestFirst, (policy) => closeness(policy, path));
