import type { PublishedRule } from '@coffer/client';

const OPERATORS: Readonly<Record<string, string>> = {
  $eq: 'is',
  $ne: 'is not',
  $in: 'is one of',
  $glob: 'matches',
  $all: 'has all of',
};

/** A rule as words: `allows readValue of secrets where environment is dev`. */
export function ruleText({ subject, action, conditions, inverted }: PublishedRule): string {
  const actions = [action].flat().join(', ');
  const where = conditionsText(conditions);
  return `${inverted ? 'forbids' : 'allows'} ${actions} of ${subject}${where && ` where ${where}`}`;
}

function conditionsText(conditions: unknown): string {
  if (typeof conditions !== 'object' || conditions === null) return '';
  return Object.entries(conditions)
    .map(([field, condition]) => conditionText(field, condition))
    .join(' and ');
}

function conditionText(field: string, condition: unknown): string {
  if (typeof condition !== 'object' || condition === null) return `${field} is ${String(condition)}`;
  return Object.entries(condition)
    .map(([operator, operand]) => {
      if (operator === '$elemMatch') return `one of ${field} has ${conditionsText(operand)}`;
      return `${field} ${OPERATORS[operator] ?? operator} ${[operand].flat().join(', ')}`;
    })
    .join(' and ');
}
