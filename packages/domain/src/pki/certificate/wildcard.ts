import type { Rule } from '../../kernel/index.ts';
import { isWildcard } from '../x509/index.ts';

/**
 * Names that a wildcard stands for and that rules name: who may not have `admin.example.com` may not have
 * `*.example.com` either. Of a pattern, names are taken whose first label is one of its own.
 */
export function namesBelow(wildcard: string, rules: readonly Rule[]): string[] {
  if (!isWildcard(wildcard)) return [];
  const labels = new Set(
    rules.flatMap(({ conditions }) => textsOf(conditions).flatMap(alternatives).flatMap(labelsOf)),
  );
  return Array.from(labels, (label) => label + wildcard.slice(1));
}

/** The texts that conditions compare names with. */
function textsOf(conditions: Rule['conditions'] = {}): string[] {
  const textsIn = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
  };
  return [conditions['altNames'], conditions['commonName']].flatMap(textsIn);
}

const MAX_ALTERNATIVES = 100;

/** What a pattern with braces stands for. */
function alternatives(pattern: string): string[] {
  let all = [pattern];
  while (all.length < MAX_ALTERNATIVES && all.some((one) => /\{[^{}]*\}/.test(one)))
    all = all.flatMap((one) => {
      const [, before = '', inner, after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(one) ?? [];
      return inner === undefined ? [one] : inner.split(',').map((part) => before + part + after);
    });
  return all;
}

/** Labels with which a name of this pattern may begin. */
function labelsOf(pattern: string): string[] {
  const [first = ''] = pattern.split('.');
  const plain = first.replaceAll(/\[([^!^\]])[^\]]*\]/g, '$1').replaceAll('\\', '');
  const filled = ['', 'x'].map((text) => plain.replaceAll(/\*+|\?/g, text));
  return filled.filter((label) => /^[a-z0-9_-]{1,63}$/i.test(label));
}
