import type { Rule } from '../kernel/index.ts';
import { sizeOfGlob } from './template.ts';

/** So much of globs counts as one rule; characters, or nodes of the expanded alternatives. */
const GLOB_OF_A_RULE = 20;
/** So many characters of the texts in lists. */
const TEXT_OF_A_RULE = 500;

/** The size of the globs in a condition. */
function globsIn(condition: unknown, field = ''): number {
  if (typeof condition === 'string') return field === '$glob' ? sizeOfGlob(condition) : 0;
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return 0;
  return Object.entries(condition).reduce((sum, [key, value]) => sum + globsIn(value, key), 0);
}

/** The characters of the texts in the lists of a condition. */
function listsIn(condition: unknown): number {
  if (Array.isArray(condition))
    return condition.reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : listsIn(one)), 0);
  if (typeof condition !== 'object' || condition === null) return 0;
  return Object.values(condition).reduce<number>((sum, value) => sum + listsIn(value), 0);
}

const sumOver = (rules: readonly Rule[], sizeIn: (conditions: unknown) => number): number =>
  rules.reduce((sum, { conditions }) => sum + sizeIn(conditions), 0);

/** As how many rules some count, as they are stored: with templates. */
export const sizeOf = (rules: readonly Rule[]): number =>
  rules.length +
  Math.floor(sumOver(rules, globsIn) / GLOB_OF_A_RULE) +
  Math.floor(sumOver(rules, listsIn) / TEXT_OF_A_RULE);
