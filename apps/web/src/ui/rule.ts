import type { PublishedRule } from '@coffer/client';
import { texts } from './texts.ts';

const OPERATORS: Readonly<Record<string, string>> = {
  $eq: texts.is,
  $ne: texts.isNot,
  $in: texts.isOneOf,
  $glob: texts.matches,
  $all: texts.hasAllOf,
};

/** A rule as words: `allows readValue of secrets where environment is dev`. */
export function ruleText({ subject, action, conditions, inverted }: PublishedRule): string {
  const actions = [action].flat().join(', ');
  const where = conditionsText(conditions);
  return inverted
    ? where
      ? texts.forbidsOfWhere(actions, subject, where)
      : texts.forbidsOf(actions, subject)
    : where
      ? texts.allowsOfWhere(actions, subject, where)
      : texts.allowsOf(actions, subject);
}

function conditionsText(conditions: unknown): string {
  if (typeof conditions !== 'object' || conditions === null) return '';
  return Object.entries(conditions)
    .map(([field, condition]) => conditionText(field, condition))
    .join(texts.and);
}

function conditionText(field: string, condition: unknown): string {
  if (typeof condition !== 'object' || condition === null) return texts.fieldIsCondition(field, String(condition));
  return Object.entries(condition)
    .map(([operator, operand]) => {
      if (operator === '$elemMatch') return texts.oneOfHas(field, conditionsText(operand));
      return `${field} ${OPERATORS[operator] ?? operator} ${[operand].flat().join(', ')}`;
    })
    .join(texts.and);
}
