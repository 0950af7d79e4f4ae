import type { Match } from './expression.ts';
import { entropyOf, type Finding, type Fragment } from './finding.ts';
import type { Rule, Rules } from './rules.ts';

/** In a line with one of these nothing is found: Coffer's own, and the published ones. */
const IGNORED = ['coffer-scan:ignore', 'infisical-scan:ignore', 'gitleaks:allow'];

/** Of a longer line, so much is looked at before and after what is found in it: a file may have one line. */
const LONGEST_LINE = 4096;

interface Hit {
  readonly rule: Rule;
  readonly secret: string;
  readonly match: string;
  /** In the text. The end is not included. */
  readonly start: number;
  readonly end: number;
}

/** Finds the secrets of a text, in the order of its lines. */
export function detect(fragment: Fragment, rules: Rules): Finding[] {
  if (rules.allowlists.some((one) => one.allowsPlace(fragment))) return [];
  const hits = rules.of(fragment.text).flatMap((rule) => [...hitsOf(rule, fragment, rules)]);
  if (!hits.length) return [];
  const positionOf = positionsIn(fragment);
  return withoutRepeats(hits, fragment.text)
    .toSorted((a, b) => a.start - b.start)
    .map((hit) => findingOf(hit, fragment, positionOf));
}

function* hitsOf(rule: Rule, fragment: Fragment, rules: Rules): Generator<Hit> {
  const { text, path } = fragment;
  if (rule.path && !rule.path.test(path)) return;
  if (rule.allowlists.some((one) => one.allowsPlace(fragment))) return;
  if (!rule.regex) return yield { rule, secret: path, match: path, start: 0, end: 0 };
  if (!rule.regex.test(text)) return;
  for (const match of rule.regex.matches(text)) {
    const secret = secretOf(match, rule);
    if (rule.entropy && entropyOf(secret) <= rule.entropy) continue;
    const line = linesOf(text, match);
    if (IGNORED.some((mark) => line.includes(mark))) continue;
    const found = { secret, match: match.text, line };
    if ([...rules.allowlists, ...rule.allowlists].some((one) => one.allows(fragment, found))) continue;
    yield { rule, secret, match: match.text, start: match.index, end: match.index + match.text.length };
  }
}

/** The group that the rule names, else the first that took part, else all of it. */
function secretOf({ text, groups }: Match, { secretGroup }: Rule): string {
  const secret = secretGroup ? groups[secretGroup - 1] : groups.find((group) => group);
  return secret ?? text;
}

/** The lines in which a match is. */
function linesOf(text: string, { index, text: matched }: Match): string {
  const before = text.slice(Math.max(0, index - LONGEST_LINE), index);
  const after = text.slice(index + matched.length, index + matched.length + LONGEST_LINE);
  return before.slice(before.lastIndexOf('\n') + 1) + matched + after.split('\n', 1)[0]!;
}

/** What a rule for any kind of secret has found is left out where another rule knows what it is. */
function withoutRepeats(hits: readonly Hit[], text: string): Hit[] {
  const isGeneric = ({ rule }: Hit) => rule.id.startsWith('generic');
  if (!hits.some(isGeneric)) return [...hits];
  const known = new Uint8Array(text.length);
  for (const hit of hits) if (!isGeneric(hit)) known.fill(1, hit.start, hit.end);
  return hits.filter((hit) => !isGeneric(hit) || !known.subarray(hit.start, hit.end).includes(1));
}

type PositionOf = (index: number) => { readonly line: number; readonly column: number };

/** Where each character of a text is. */
function positionsIn({ text, firstLine }: Fragment): PositionOf {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (index) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    return { line: firstLine + low, column: index - starts[low]! + 1 };
  };
}

function findingOf({ rule, secret, match, start, end }: Hit, fragment: Fragment, positionOf: PositionOf): Finding {
  const { path, link = '', commit } = fragment;
  const [first, last] = [positionOf(start), positionOf(Math.max(start, end - 1))];
  return {
    RuleID: rule.id,
    Description: rule.description,
    StartLine: first.line,
    EndLine: last.line,
    StartColumn: first.column,
    EndColumn: last.column,
    Match: match,
    Secret: secret,
    File: path,
    SymlinkFile: link,
    Commit: commit?.id ?? '',
    Entropy: Math.round(entropyOf(secret) * 1000) / 1000,
    Author: commit?.author ?? '',
    Email: commit?.email ?? '',
    Date: commit?.date ?? '',
    Message: commit?.message ?? '',
    Tags: rule.tags,
    Fingerprint: [...(commit ? [commit.id] : []), path, rule.id, first.line].join(':'),
  };
}
