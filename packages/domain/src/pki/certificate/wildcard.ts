import { EvaluationCost, GlobError, readPattern, type Token } from '../../access/index.ts';
import type { Rule } from '../../kernel/index.ts';
import { isWildcard } from '../x509.ts';

/** The maximum cost of one check of wildcards, in steps of `EvaluationCost`: about a tenth of a second. */
const LIMIT = 20_000_000;
/** The cost of one text, of one character or token of a glob, and of one checked resource. */
const [COST_OF_TEXT, COST_OF_TOKEN, COST_OF_THING] = [200, 20, 200];

/**
 * Names that wildcards cover and rules mention: a caller who may not have `admin.example.com` may not have
 * `*.example.com` either. Of globs, names with a first label from the pattern are used.
 */
export class NamesBelow {
  readonly #cost = new EvaluationCost(LIMIT);
  readonly #labels: readonly string[];

  /** @throws DomainError 403 `permission.too_costly` where the rules have too many texts */
  constructor(rules: readonly Rule[]) {
    const labels = new Set<string>();
    for (const { conditions = {} } of rules)
      for (const condition of [conditions['altNames'], conditions['commonName']])
        for (const text of textsOf(condition)) for (const label of this.#labelsOf(text)) labels.add(label);
    this.#labels = [...labels];
  }

  /**
   * Those of one wildcard, each counted as several resources.
   *
   * @throws DomainError 403 as above
   */
  of(wildcard: string, things = 1): string[] {
    if (!isWildcard(wildcard)) return [];
    this.#cost.spend(this.#labels.length * things * COST_OF_THING);
    return this.#labels.map((label) => label + wildcard.slice(1));
  }

  /** Labels with which a name may begin that the text is, or that the glob matches. */
  #labelsOf({ text, operator }: Compared): string[] {
    this.#cost.spend(COST_OF_TEXT);
    if (operator !== '$glob' && operator !== '$anyText') return [text.split('.', 1)[0]!].filter(isLabel);
    this.#cost.spend(text.length * COST_OF_TOKEN);
    const alternatives = alternativesOf(text, operator === '$anyText');
    this.#cost.spend(alternatives.reduce((sum, tokens) => sum + tokens.length, 0) * COST_OF_TOKEN);
    return alternatives.flatMap(firstLabels);
  }
}

/** A text that conditions compare names with, and how. */
interface Compared {
  readonly text: string;
  readonly operator: string;
}

function* textsOf(condition: unknown, operator = '$eq'): Iterable<Compared> {
  if (typeof condition === 'string') yield { text: condition, operator };
  else if (Array.isArray(condition)) for (const one of condition) yield* textsOf(one, operator);
  else if (typeof condition === 'object' && condition !== null)
    for (const [key, operand] of Object.entries(condition)) yield* textsOf(operand, key);
}

/** The texts that a condition excepts by `$ne`. */
export const exceptedTexts = (condition: unknown): string[] =>
  [...textsOf(condition)].flatMap(({ text, operator }) => (operator === '$ne' ? [text] : []));

/** Whether a glob of a rule has `?` or a set, which match one character. */
export const hasPartialGlob = ({ conditions = {} }: Rule): boolean =>
  [conditions['altNames'], conditions['commonName']].some((condition) =>
    [...textsOf(condition)].some(
      ({ text, operator }) => (operator === '$glob' || operator === '$anyText') && /[?[]/.test(text),
    ),
  );

/** A pattern that is no glob matches nothing. */
function alternativesOf(pattern: string, withAnyText: boolean): Token[][] {
  try {
    return readPattern(pattern, withAnyText);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    return [];
  }
}

const DOT = 46;
const isLabel = (text: string): boolean => /^[a-z0-9_-]{1,63}$/i.test(text);

/** Any text becomes empty and one letter; each set, one of its characters. */
function firstLabels(tokens: readonly Token[]): string[] {
  const end = tokens.indexOf(DOT);
  const first = (end < 0 ? tokens : tokens.slice(0, end)).filter(
    (token, at) => typeof token !== 'string' || typeof tokens[at - 1] !== 'string',
  );
  return ['', 'x'].map((text) => first.map((token) => characterOf(token, text)).join('')).filter(isLabel);
}

function characterOf(token: Token, anyText: string): string {
  if (typeof token === 'string') return anyText;
  if (typeof token === 'number') return String.fromCodePoint(token);
  const { negated, ranges } = token;
  if (!negated) return String.fromCodePoint(ranges[0]?.[0] ?? 0);
  const isIn = (character: string) =>
    ranges.some(([from, to]) => from <= character.codePointAt(0)! && character.codePointAt(0)! <= to);
  return ['x', 'a', '0', '-'].find((character) => !isIn(character)) ?? '';
}
