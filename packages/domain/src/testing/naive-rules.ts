import type { Fields, Rule } from '../kernel/index.ts';

/**
 * What rules mean, written a second time and as plainly as possible: an oracle for tests of everything that asks rules.
 * Shares nothing with `access/` but the words.
 */
export function naiveCan(rules: readonly Rule[], subject: string, action: string, fields: Fields = {}): boolean {
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index]!;
    if (rule.subject !== subject) continue;
    const actions = typeof rule.action === 'string' ? [rule.action] : rule.action;
    const isLegacyRead =
      subject === 'secrets' && actions.includes('read') && (action === 'describeSecret' || action === 'readValue');
    if (!actions.includes(action) && !isLegacyRead) continue;
    if (!naiveConditions(rule.conditions ?? {}, fields)) continue;
    return rule.inverted !== true;
  }
  return false;
}

function naiveConditions(conditions: Record<string, unknown>, fields: Fields): boolean {
  for (const field of Object.keys(conditions)) {
    const value = fields[field];
    if (value === undefined || value === null) return false;
    const elements: unknown[] = Array.isArray(value) ? value : [value];
    const condition = conditions[field];
    const operators = typeof condition === 'string' ? { $eq: condition } : (condition as Record<string, unknown>);
    for (const operator of Object.keys(operators))
      if (!naiveOperator(operator, operators[operator], elements)) return false;
  }
  return true;
}

function naiveOperator(operator: string, operand: unknown, elements: unknown[]): boolean {
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
        typeof element === 'object' && naiveConditions(operand as Record<string, unknown>, element as Fields),
    );
  return false;
}

/** Whether a text matches a glob of the house; a pattern that is none matches nothing. */
export function naiveGlob(pattern: string, text: string): boolean {
  const pieces: string[] =
    pattern.match(/\\[^]|\[(?:[!^]|(?![!^]))(?:\\[^/]|[^\\/])(?:\\[^/]|[^\\\]/])*\]|[^\\[]/gu) ?? [];
  if (pieces.join('') !== pattern || pieces[0] === '!' || pieces.includes('(') || pieces.includes(')')) return false;
  const texts = split(Array.from(text));
  const alternatives = expand(pieces);
  if (!alternatives?.every((alternative) => alternative.every(isValid))) return false;
  return alternatives.some((alternative) => matchPath(split(alternative), texts));
}

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
