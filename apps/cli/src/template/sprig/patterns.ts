import { RE2JS } from 're2js';
import { TemplateError } from '../error.ts';
import { alsoAsMust, fn, number, text, type Functions, type TemplateFunction } from '../functions.ts';

/** Go's regular expressions are RE2's. @throws TemplateError for what is none. */
function compiled(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch {
    throw new TemplateError('the regular expression is malformed');
  }
}

function findAll(pattern: string, from: string, most: number): string[] {
  const found: string[] = [];
  const matcher = compiled(pattern).matcher(from);
  while ((most < 0 || found.length < most) && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

const find: TemplateFunction = fn([text, text], (pattern, from) => findAll(pattern, from, 1)[0] ?? '');
/** Replaces each match by a text that may refer to its groups. */
function replace(pattern: string, from: string, by: (group: (name: string) => string) => string): string {
  const expression = compiled(pattern);
  const names = expression.namedGroups();
  const matcher = expression.matcher(from);
  const group = (name: string): string => {
    const index = /^\d+$/.test(name) ? Number(name) : (names[name] ?? Infinity);
    return index <= matcher.groupCount() ? (matcher.group(index) ?? '') : '';
  };
  let [replaced, at] = ['', 0];
  while (matcher.find()) {
    replaced += from.slice(at, matcher.start()) + by(group);
    at = matcher.end();
  }
  return replaced + from.slice(at);
}

/** `$1`, `$name` and `${1}` are groups, `$$` is `$`, as Regexp.Expand of Go has it. */
const expand = (by: string, group: (name: string) => string): string =>
  by.replaceAll(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole, bare?: string, braced?: string) =>
    whole === '$$' ? '$' : group((bare ?? braced)!),
  );

/** @see https://masterminds.github.io/sprig/strings.html#regexmatch-mustregexmatch */
const named: Functions = {
  regexMatch: fn([text, text], (pattern, from) => compiled(pattern).matcher(from).find()),
  regexFind: find,
  regexFindAll: fn([text, text, number], findAll),
  regexReplaceAll: fn([text, text, text], (pattern, from, by) => replace(pattern, from, (group) => expand(by, group))),
  regexReplaceAllLiteral: fn([text, text, text], (pattern, from, by) => replace(pattern, from, () => by)),
  regexSplit: fn([text, text, number], (pattern, from, most) => compiled(pattern).split(from, most < 0 ? -1 : most)),
};

export const patterns: Functions = {
  ...alsoAsMust(named),
  regexQuoteMeta: fn([text], (from) => RE2JS.quote(from)),
};
