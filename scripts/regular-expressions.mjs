// Finds regular expressions with superlinear time: a long text would block the server.
// `scripts/regular-expressions.test.mjs` runs it over all sources. It finds repetitions that share characters, also
// with themselves and with the search for a start; it does not find alternatives in a repetition that share characters
// (`(?:\w|\d)*`), nor expressions that are built at run time.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';

/** Each regular expression of a source that may take more than linear time, as written. */
export function slowExpressions(path, source) {
  const { program } = parseSync(path, source);
  const slow = [];
  new Visitor({
    Literal({ regex, raw }) {
      if (regex && isSlow(regex)) slow.push(raw);
    },
  }).visit(program);
  return slow;
}

const isSlow = ({ pattern, flags }) => analyse({ source: pattern, flags }).reports.length > 0;

/** The same for files below a root: `path: expression`. */
export const slowExpressionsIn = (root, paths) =>
  paths.flatMap((path) =>
    slowExpressions(path, readFileSync(join(root, path), 'utf8')).map((expression) => `${path}: ${expression}`),
  );
