import type { PublishedRule } from '@coffer/client';
import { texts } from './texts.ts';

/** A rule as it is edited: its actions are always a list. */
export interface Rule {
  readonly subject: string;
  readonly action: readonly string[];
  readonly conditions?: Readonly<Record<string, unknown>>;
  readonly inverted?: boolean;
}

/** One comparison of a condition. All of them have to hold. */
export interface Test {
  readonly field: string;
  readonly operator: Operator;
  /** A list with `$in`, JSON with `$elemMatch`, else a text. */
  readonly operand: string;
}

export const OPERATORS = {
  $eq: texts.is,
  $ne: texts.isNot,
  $in: texts.isOneOf,
  $glob: texts.matches,
  $elemMatch: texts.hasEntry,
} as const;
export type Operator = keyof typeof OPERATORS;

/** Which comparisons a field takes. Tags and metadata are lists, and take one each. */
export const operatorsOf = (field: string): readonly Operator[] =>
  field === 'secretTags' ? ['$in'] : field === 'metadata' ? ['$elemMatch'] : ['$eq', '$ne', '$in', '$glob'];

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

/** `{environment: 'dev', secretPath: {$glob: '/app/**'}}` as two comparisons. */
export const testsOf = (conditions: Rule['conditions']): Test[] =>
  Object.entries(conditions ?? {}).flatMap(([field, condition]): Test[] =>
    isObject(condition)
      ? Object.entries(condition).map(([operator, operand]) => ({
          field,
          operator: operator as Operator,
          operand: Array.isArray(operand)
            ? operand.join(', ')
            : typeof operand === 'string'
              ? operand
              : JSON.stringify(operand),
        }))
      : [{ field, operator: '$eq', operand: String(condition) }],
  );

/** The reverse of `testsOf`. */
export function toConditions(tests: readonly Test[]): Record<string, unknown> | undefined {
  const conditions: Record<string, unknown> = {};
  for (const [field, own] of Map.groupBy(tests, (test) => test.field)) {
    const [first] = own;
    conditions[field] =
      own.length === 1 && first?.operator === '$eq'
        ? first.operand
        : Object.fromEntries(own.map((test) => [test.operator, operandOf(test)]));
  }
  return tests.length > 0 ? conditions : undefined;
}

function operandOf({ operator, operand }: Test): unknown {
  if (operator === '$in')
    return operand
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
  if (operator !== '$elemMatch') return operand;
  try {
    return JSON.parse(operand) as unknown;
  } catch {
    return operand;
  }
}

export const toText = (rules: readonly Rule[]): string => JSON.stringify(rules, null, 2);

/** Rules of the API, to be edited. */
export const toRules = (rules: readonly PublishedRule[]): Rule[] =>
  rules.map(({ subject, action, conditions, inverted }) => ({
    subject,
    action: [action].flat(),
    ...(isObject(conditions) && { conditions }),
    ...(inverted && { inverted }),
  }));

/** As they are sent. */
export const toPermissions = (rules: readonly Rule[]) =>
  rules.map(({ action, conditions, ...rule }) => ({
    ...rule,
    action: [...action],
    ...(conditions && { conditions: { ...conditions } }),
  }));
