import type { Catalogue } from './catalogue.ts';
import { operatorsOf, OPERATORS, type Operator, type Rule } from './rule.ts';
import { texts } from './texts.ts';

export interface Checked {
  /** Absent if the text has faults. */
  readonly rules?: readonly Rule[];
  /** Sentences, each with its place: `Rule 2: …`. */
  readonly faults: readonly string[];
}

const MOST_FAULTS = 8;

/** Reads rules from text, with what is wrong with them. The server checks the same, and globs and templates besides. */
export function checkRules(text: string, catalogue: Catalogue): Checked {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return { faults: [texts.thisIsNoJson(placeIn(text, error))] };
  }
  if (!Array.isArray(given)) return { faults: [texts.textIsListOfRules] };
  const faults = given.flatMap((rule, index) =>
    faultsOf(rule, catalogue).map((fault) => texts.ruleNumberFault(index + 1, fault)),
  );
  if (faults.length > 0) return { faults: faults.slice(0, MOST_FAULTS) };
  return { rules: (given as (Rule & { action: string | string[] })[]).map(normalized), faults: [] };
}

const normalized = ({ subject, action, conditions, inverted }: Rule): Rule => ({
  subject,
  action: [action].flat(),
  ...(conditions && Object.keys(conditions).length > 0 && { conditions }),
  ...(inverted && { inverted }),
});

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

const KEYS = ['subject', 'action', 'conditions', 'inverted'];

function faultsOf(rule: unknown, catalogue: Catalogue): string[] {
  if (!isObject(rule)) return [texts.itIsObjectWithSubject];
  const faults = Object.keys(rule)
    .filter((key) => !KEYS.includes(key))
    .map((key) => texts.isUnknown(key, KEYS.join(', ')));
  const { subject, action, conditions, inverted } = rule;
  const entry = typeof subject === 'string' ? catalogue.get(subject) : undefined;
  if (!entry)
    return [...faults, subject === undefined ? texts.subjectIsMissing : texts.thereIsNoSubject(shown(subject))];
  const actions = [action].flat();
  if (action === undefined || actions.length === 0) faults.push(texts.chooseAction(entry.actions.join(', ')));
  else
    for (const one of actions)
      if (!entry.actions.includes(one as string))
        faults.push(texts.hasNoAction(shown(subject), shown(one), entry.actions.join(', ')));
  if (inverted !== undefined && typeof inverted !== 'boolean') faults.push(texts.invertedIsTrueOrFalse);
  return [...faults, ...conditionFaults(conditions, subject as string, entry.conditions)];
}

function conditionFaults(conditions: unknown, subject: string, fields: readonly string[]): string[] {
  if (conditions === undefined || conditions === null) return [];
  if (!isObject(conditions)) return [texts.conditionsAreObject];
  return Object.entries(conditions).flatMap(([field, condition]) => {
    if (!fields.includes(field))
      return [
        fields.length > 0 ? texts.hasNoField(subject, field, fields.join(', ')) : texts.takesNoConditions(subject),
      ];
    if (isObject(condition)) {
      const tests = Object.entries(condition);
      return tests.length === 0
        ? [texts.comparisonIsMissing(field)]
        : tests.flatMap((test) => testFaults(field, ...test));
    }
    return operatorsOf(field).includes('$eq')
      ? testFaults(field, '$eq', condition)
      : [texts.fieldNeedsOperators(field, operatorsOf(field).join(' or '))];
  });
}

function testFaults(field: string, operator: string, operand: unknown): string[] {
  if (!operatorsOf(field).includes(operator as Operator))
    return [texts.hasNoComparison(field, operator, operatorsOf(field).join(', '))];
  const words = OPERATORS[operator as Operator];
  if (operator === '$elemMatch')
    return isObject(operand) && Object.keys(operand).some((key) => key === 'key' || key === 'value')
      ? []
      : [`${field} ${words}: {"key": …, "value": …}`];
  const operands: unknown[] = operator === '$in' ? (Array.isArray(operand) ? operand : []) : [operand];
  if (operands.length === 0) return [texts.listOfTextsIsMissing(field, words)];
  if (operands.some((one) => typeof one !== 'string' || one === '')) return [texts.textIsMissing(field, words)];
  if (field === 'secretPath' && operands.some((one) => !/^(?:\/$|\/.*[^/]$|\{\{)/s.test(one as string)))
    return [texts.secretPathBeginsWithAndDoesNotEnd];
  return [];
}

const shown = (given: unknown): string => (typeof given === 'string' ? given : JSON.stringify(given));

const TOKEN = /\s*(?:"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[[\]{},:]|$)/y;

/** Where the text stops to be JSON. Browsers say it in different words, and not always. */
function placeIn(text: string, error: unknown): string {
  if (text.trim() === '') return texts.itIsEmpty;
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  TOKEN.lastIndex = 0;
  let read = 0;
  while (read < text.length && TOKEN.test(text)) read = TOKEN.lastIndex;
  if (position === undefined && read >= text.length) return texts.commaBracketOrBrace;
  const lines = text.slice(0, position === undefined ? read : Number(position)).split('\n');
  return texts.lookAtLine(lines.length);
}
