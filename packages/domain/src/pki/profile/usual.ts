import { usualUsages } from '../certificate/index.ts';
import type { Constraints, UsageRule } from '../constraint/index.ts';
import { extendedKeyUsageNamed, keyUsageNamed } from '../policy/index.ts';
import { subjectNamed, type ExtendedKeyUsage, type KeyAlgorithm, type KeyUsage, type Subject } from '../x509.ts';
import type { ProfileDefaults } from './profile.ts';

// What a profile has in the certificates of those who say nothing of it, by whichever protocol they come.

const DAY = 86_400_000;
const USUAL_DAYS = 90;

/** Milliseconds. */
export const usualValidity = ({ ttlDays = USUAL_DAYS }: ProfileDefaults, { maxValidity = Infinity }: Constraints) =>
  Math.min(ttlDays * DAY, maxValidity);

/** What profiles say themselves of the subject: it may be there, whatever their policies do not speak of. */
export const usualSubject = (defaults: ProfileDefaults): Subject => subjectNamed(defaults);

/** As far as the key can do it. */
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

/** `others`: where the profile says nothing, either. */
export const usualExtendedKeyUsages = (
  { extendedKeyUsages }: ProfileDefaults,
  policy: Constraints,
  others: readonly ExtendedKeyUsage[] = [],
): ExtendedKeyUsage[] =>
  asAllowed(extendedKeyUsages?.map((name) => extendedKeyUsageNamed(name)!) ?? others, policy.extendedKeyUsages);

/**
 * What is usual, and what the policy requires, without what it does not allow. Where nothing is left, which would be all,
 * everything that it does allow.
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
