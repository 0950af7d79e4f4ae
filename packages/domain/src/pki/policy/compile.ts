import { parseDuration } from '../../kernel/index.ts';
import { glob, type Constraints, type NameRule, type UsageRule } from '../constraint/index.ts';
import type { ExtendedKeyUsage, KeyUsage } from '../x509.ts';
import { ALT_NAMES, EXTENDED_USAGES, KEYS, plain, SIGNATURES, SUBJECT, USAGES } from './name.ts';
import type { PolicyRules } from './policy.ts';

/** Compiles a policy into constraints. What it cannot name, it does not allow. */
export function compilePolicy(rules: PolicyRules): Constraints {
  const { subject, sans, algorithms, validity, basicConstraints } = rules;
  const isCA = basicConstraints?.isCA;
  return {
    origin: 'policy',
    subject: { rules: nameRules(subject, SUBJECT), others: 'allowed' },
    altNames: { rules: nameRules(sans, ALT_NAMES), others: sans?.length ? 'denied' : 'allowed' },
    keyUsages: usageRule<KeyUsage>(rules.keyUsages, USAGES),
    extendedKeyUsages: usageRule<ExtendedKeyUsage>(rules.extendedKeyUsages, EXTENDED_USAGES),
    keyAlgorithms: known(algorithms?.keyAlgorithm, KEYS),
    signatureAlgorithms: known(algorithms?.signature, SIGNATURES),
    maxValidity: validity?.max === undefined ? undefined : (parseDuration(validity.max) ?? 0),
    ca:
      isCA === 'allowed' || isCA === 'required'
        ? { required: isCA === 'required', maxPathLength: basicConstraints?.maxPathLength }
        : undefined,
  };
}

const globs = (texts: readonly string[] | undefined) => texts?.map(glob);

function nameRules<Name extends string>(
  given: PolicyRules['subject'],
  names: Readonly<Record<string, Name>>,
): { readonly [N in Name]?: NameRule } {
  const rules = (given ?? []).flatMap(({ type, allowed, required, denied }) => {
    const name = names[plain(type)];
    return name ? [[name, { allowed: globs(allowed), required: globs(required), denied: globs(denied) }]] : [];
  });
  return Object.fromEntries(rules) as { readonly [N in Name]?: NameRule };
}

function known<Name extends string>(
  given: readonly string[] | undefined,
  names: Readonly<Record<string, Name>>,
): readonly Name[] | undefined {
  return given?.flatMap((one) => names[plain(one)] ?? []);
}

const usageRule = <Name extends string>(
  lists: PolicyRules['keyUsages'],
  names: Readonly<Record<string, string>>,
): UsageRule<Name> | undefined => {
  const of = (given: readonly string[] | undefined) => known(given, names as Readonly<Record<string, Name>>);
  return lists && { allowed: of(lists.allowed), required: of(lists.required), denied: of(lists.denied) };
};
