import type { Rule } from '../kernel/index.ts';
import { sizeOfGlob } from './template.ts';

/** So much of globs counts as one rule; characters, or nodes of the expanded alternatives. */
const GLOB_OF_A_RULE = 20;

/** The size of the globs in a condition. */
function globsIn(condition: unknown, field = ''): number {
  if (typeof condition === 'string') return field === '$glob' ? sizeOfGlob(condition) : 0;
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return 0;
  return Object.entries(condition).reduce((sum, [key, value]) => sum + globsIn(value, key), 0);
}

/** As how many rules some count, as they are stored: with templates. */
export const sizeOf = (rules: readonly Rule[]): number =>
  rules.length + Math.floor(rules.reduce((sum, { conditions }) => sum + globsIn(conditions), 0) / GLOB_OF_A_RULE);
