import type { Fields, Rule } from '../kernel/index.ts';

/**
 * A second, naive implementation of rules: an oracle for tests of everything that evaluates rules. Shares only types
 * with `access/`. With `facts`, templates in the rules are filled in; each text has at most one.
 */
export function naiveCan(
  rules: readonly Rule[],
  subject: string,
  action: string,
  fields: Fields = {},
  facts?: object,
): boolean {
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index]!;
    if (rule.subject !== subject) continue;
    const actions = typeof rule.action === 'string' ? [rule.action] : rule.action;
    const isLegacyRead =
      subject === 'secrets' && actions.includes('read') && (action === 'describeSecret' || action === 'readValue');
    if (!actions.includes(action) && !isLegacyRead) continue;
    const reading = facts && { facts, isMissing: false, isLenient: rule.inverted === true };
    if (!naiveConditions(rule.conditions ?? {}, fields, reading) || (reading?.isMissing && !rule.inverted)) continue;
    return rule.inverted !== true;
  }
  return false;
}

/**
 * Whether a change of a resource gives one of some holders, by a single rule of its own, a right that `held` does not
 * have on the resource as it is. An allowing rule counts unless a later one forbids, and a forbidding rule that stops
 * to match counts if another one allows. With `also`, both must be allowed that, too.
 */
export const naiveGains = (
  holders: readonly (readonly Rule[])[],
  held: readonly Rule[],
  [subject, action]: readonly [string, string],
  { before, after, also }: { before: Fields; after: Fields; also?: Fields | undefined },
): boolean =>
  !(naiveCan(held, subject, action, before) && (!also || naiveCan(held, subject, action, also))) &&
  holders.some((rules) => {
    const speaks = (rule: Rule, fields: Fields) => naiveCan([{ ...rule, inverted: false }], subject, action, fields);
    const allows = (rule: Rule, index: number, fields: Fields) =>
      !rule.inverted &&
      speaks(rule, fields) &&
      !rules.slice(index + 1).some((later) => later.inverted && speaks(later, fields));
    const isLifted = rules.some((rule) => rule.inverted && speaks(rule, before) && !speaks(rule, after));
    return (
      (!also || rules.some((rule, index) => allows(rule, index, also))) &&
      rules.some((rule, index) => allows(rule, index, after) && (isLifted || !speaks(rule, before)))
    );
  });

/** How templates are read: a missing value is noted, and, where lenient, whatever it could be will do. */
interface Reading {
  readonly facts: object;
  readonly isLenient: boolean;
  isMissing: boolean;
}

function naiveConditions(conditions: Record<string, unknown>, fields: Fields, reading?: Reading): boolean {
  if (reading && !reading.isLenient && lacksValues(conditions, reading.facts)) reading.isMissing = true;
  for (const field of Object.keys(conditions)) {
    const value = fields[field];
    if (value === undefined || value === null) return false;
    const elements: unknown[] = Array.isArray(value) ? value : [value];
    const condition = conditions[field];
    const operators = typeof condition === 'string' ? { $eq: condition } : (condition as Record<string, unknown>);
    for (const operator of Object.keys(operators))
      if (!naiveOperator(operator, operators[operator], elements, reading)) return false;
  }
  return true;
}

function naiveOperator(operator: string, given: unknown, elements: unknown[], reading?: Reading): boolean {
  let operand = given;
  if (reading && operator !== '$elemMatch') {
    const readings = [given].flat().map((text) => readTemplate(String(text), operator === '$glob', reading.facts));
    const known = readings.filter((one) => one !== undefined);
    if (known.length < readings.length) {
      if (operator === '$ne' || operator === '$all') return true;
      const missing = [given].flat().filter((_, index) => readings[index] === undefined);
      const could = missing.some((text) => elements.some((element) => couldBe(String(text), operator, element)));
      return could || (operator === '$in' && naiveOperator(operator, known, elements));
    }
    operand = Array.isArray(given) ? known : known[0];
  }
  const texts = operand as string[];
  if (operator === '$eq') return elements.includes(operand);
  if (operator === '$ne') return !elements.includes(operand);
  if (operator === '$in') return elements.some((element) => texts.includes(element as string));
  if (operator === '$all') return texts.every((text) => elements.includes(text));
  if (operator === '$glob')
    return elements.some((element) => typeof element === 'string' && naiveGlob(operand as string, element));
  if (operator === '$elemMatch')
    return elements.some(
      (element) =>
        typeof element === 'object' && naiveConditions(operand as Record<string, unknown>, element as Fields, reading),
    );
  return false;
}

const EXPRESSION = /^\{\{ *identity\.((?:[a-z]+|\.|\[[^\]]+\])+) *\}\}/;

/** The place of the template in a text, and its expression; in a pattern not in a set nor behind a backslash. */
function findTemplate(text: string, isPattern: boolean): { at: number; length: number; path: string[] } | undefined {
  let at = 0;
  for (const piece of isPattern ? piecesOf(text) : text.split('')) {
    const match = piece === '{' ? EXPRESSION.exec(text.slice(at)) : null;
    if (match) {
      const path = (match[1]!.match(/[a-z]+|\[[^\]]+\]/g) ?? []).map((name) => name.replaceAll(/^\[|\]$/g, ''));
      return { at, length: match[0].length, path };
    }
    at += piece.length;
  }
  return undefined;
}

function valueOf(facts: object, path: string[]): string | undefined {
  const value = path.reduce<unknown>(
    (from, name) => (typeof from === 'object' && from ? new Map(Object.entries(from)).get(name) : undefined),
    facts,
  );
  return typeof value === 'string' && value.length > 0 && value.isWellFormed() ? value : undefined;
}

const withValue = (text: string, isPattern: boolean, at: number, length: number, value: string): string => {
  const literal = isPattern ? Array.from(value, (character) => `\\${character}`).join('') : value;
  return text.slice(0, at) + literal + text.slice(at + length);
};

/** A text with its value filled in; `undefined` if that is missing. */
function readTemplate(text: string, isPattern: boolean, facts: object): string | undefined {
  const found = findTemplate(text, isPattern);
  if (!found) return text;
  const value = valueOf(facts, found.path);
  return value === undefined ? undefined : withValue(text, isPattern, found.at, found.length, value);
}

function lacksValues(conditions: unknown, facts: object, isPattern = false): boolean {
  if (typeof conditions === 'string') return readTemplate(conditions, isPattern, facts) === undefined;
  return Object.entries(conditions as object).some(([key, value]) => lacksValues(value, facts, key === '$glob'));
}

/** Whether there is a value with which the text equals, or matches, this one: it would be a part of it. */
function couldBe(text: string, operator: string, element: unknown): boolean {
  const found = findTemplate(text, operator === '$glob');
  if (!found || typeof element !== 'string') return false;
  for (let from = 0; from <= element.length; from++)
    for (let to = from; to <= element.length; to++) {
      const one = withValue(text, operator === '$glob', found.at, found.length, element.slice(from, to));
      if (operator === '$glob' ? naiveGlob(one, element) : one === element) return true;
    }
  return false;
}

/** Whether a text matches a glob of the house; a pattern that is none matches nothing. */
export function naiveGlob(pattern: string, text: string): boolean {
  const pieces = piecesOf(pattern);
  if (pieces.join('') !== pattern || pieces[0] === '!' || pieces.includes('(') || pieces.includes(')')) return false;
  const texts = split(Array.from(text));
  const alternatives = expand(pieces);
  if (!alternatives?.every((alternative) => alternative.every(isValid))) return false;
  return alternatives.some((alternative) => matchPath(split(alternative), texts));
}

const piecesOf = (pattern: string): string[] =>
  pattern.match(/\\[^]|\[(?:[!^]|(?![!^]))(?:\\[^/]|[^\\/])(?:\\[^/]|[^\\\]/])*\]|[^\\[]/gu) ?? [];

/** `a{b,c}` as `ab` and `ac`; nothing where braces do not fit together. */
function expand(pieces: string[]): string[][] | undefined {
  const open = pieces.indexOf('{');
  if (open < 0) return pieces.includes('}') ? undefined : [pieces];
  const parts: string[][] = [[]];
  let depth = 1;
  let at = open + 1;
  for (; depth > 0; at++) {
    const piece = pieces[at];
    if (piece === undefined) return undefined;
    if (piece === '{') depth++;
    if (piece === '}') depth--;
    if (piece === ',' && depth === 1) parts.push([]);
    else if (depth > 0) parts.at(-1)!.push(piece);
  }
  if (parts.length < 2 || pieces.slice(0, open).includes('}')) return undefined;
  const all = parts.map((part) => expand([...pieces.slice(0, open), ...part, ...pieces.slice(at)]));
  return all.some((one) => !one) ? undefined : all.flatMap((one) => one!);
}

function split(pieces: string[]): string[][] {
  const segments: string[][] = [[]];
  for (const piece of pieces) {
    if (piece === '/' || piece === '\\/') segments.push([]);
    else segments.at(-1)!.push(piece);
  }
  return segments;
}

function matchPath([pattern, ...patterns]: string[][], texts: string[][]): boolean {
  if (!pattern) return texts.length === 0;
  if (pattern.join('') === '**')
    return matchPath(patterns, texts) || (texts.length > 0 && matchPath([pattern, ...patterns], texts.slice(1)));
  const [text, ...rest] = texts;
  if (!text) return false;
  if (pattern.length > 0 && pattern.every((piece) => piece === '*') && text.length === 0) return false;
  return matchSegment(pattern, text) && matchPath(patterns, rest);
}

function matchSegment(pattern: string[], text: string[]): boolean {
  let ends = [0];
  for (const piece of pattern) {
    const next = ends.flatMap((end) => {
      if (piece === '*') return Array.from({ length: text.length - end + 1 }, (_, more) => end + more);
      return end < text.length && matchCharacter(piece, text[end]!) ? [end + 1] : [];
    });
    ends = [...new Set(next)];
  }
  return ends.includes(text.length);
}

function matchCharacter(piece: string, character: string): boolean {
  if (piece === '?') return true;
  if (!piece.startsWith('[') || piece === '[') return character === (piece.startsWith('\\') ? piece.slice(1) : piece);
  const isNegated = piece[1] === '!' || piece[1] === '^';
  return rangesOf(piece).some(([from, to]) => from <= code(character) && code(character) <= to) !== isNegated;
}

const code = (character: string): number => character.codePointAt(0)!;
const isValid = (piece: string): boolean => !piece.startsWith('[') || rangesOf(piece).every(([from, to]) => from <= to);

function rangesOf(set: string): [number, number][] {
  const inner = set.slice(set[1] === '!' || set[1] === '^' ? 2 : 1, -1);
  const members = (inner.match(/\\[^]|[^]/gu) ?? []).map((raw) => ({
    isRange: raw === '-',
    code: code(Array.from(raw).at(-1)!),
  }));
  const ranges: [number, number][] = [];
  for (let at = 0; at < members.length; at++) {
    const to = members[at + 1]?.isRange ? members[at + 2] : undefined;
    ranges.push([members[at]!.code, (to ?? members[at]!).code]);
    if (to) at += 2;
  }
  return ranges;
}
