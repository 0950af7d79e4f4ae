import { DAY } from '../../kernel/index.ts';
import { usualUsages } from '../certificate/index.ts';
import type { Constraints, UsageRule } from '../constraint/index.ts';
import { extendedKeyUsageNamed, keyUsageNamed } from '../policy/index.ts';
import { subjectNamed, type ExtendedKeyUsage, type KeyAlgorithm, type KeyUsage, type Subject } from '../x509.ts';
import type { ProfileDefaults } from './profile.ts';

// The defaults of a profile for orders without these fields, by any protocol.

const USUAL_DAYS = 90;

/** Milliseconds. */
export const usualValidity = ({ ttlDays = USUAL_DAYS }: ProfileDefaults, { maxValidity = Infinity }: Constraints) =>
  Math.min(ttlDays * DAY, maxValidity);

/** Subject attributes of the profile itself: allowed even without a rule in the policy. */
export const usualSubject = (defaults: ProfileDefaults): Subject => subjectNamed(defaults);

/** As far as the key supports them. */
export const usualKeyUsages = (
  { keyUsages }: ProfileDefaults,
  policy: Constraints,
  algorithm: KeyAlgorithm,
): KeyUsage[] =>
  asAllowed(
    usualUsages(algorithm, keyUsages && { keyUsages: keyUsages.map((name) => keyUsageNamed(name)!) }),
    policy.keyUsages,
    (usages) => usualUsages(algorithm, { keyUsages: usages }),
  );

/** `others`: if the profile has no defaults either. */
export const usualExtendedKeyUsages = (
  { extendedKeyUsages }: ProfileDefaults,
  policy: Constraints,
  others: readonly ExtendedKeyUsage[] = [],
): ExtendedKeyUsage[] =>
  asAllowed(extendedKeyUsages?.map((name) => extendedKeyUsageNamed(name)!) ?? others, policy.extendedKeyUsages);

/**
 * The defaults and the policy's required usages, without those that it does not allow. If none is left, which would
 * mean all, everything that it allows.
 */
function asAllowed<Usage extends string>(
  usual: readonly Usage[],
  rule: UsageRule<Usage> | undefined,
  possible: (usages: Usage[]) => Usage[] = (usages) => usages,
): Usage[] {
  const { allowed, required = [], denied = [] } = rule ?? {};
  const named = [...new Set([...usual, ...required])].filter(
    (usage) => !denied.includes(usage) && (!allowed || allowed.includes(usage) || required.includes(usage)),
  );
  if (named.length > 0 || !allowed) return named;
  return possible(allowed.filter((usage) => !denied.includes(usage)));
}
