import { failure } from '../../exit.ts';
import type { Commit, Fragment } from './finding.ts';

/**
 * The header of each commit: the parts are lines, and NUL, which no message can have, begins and ends it. No line of a patch begins with it.
 * https://git-scm.com/docs/pretty-formats
 */
export const COMMIT_FORMAT = '%x00%H%n%an%n%ae%n%at%n%B%x00';

/**
 * Reads patches with no lines of context (`-U0`), and gives the added lines of each place.
 *
 * @param maxBytes Places with more are left out.
 */
export async function* addedIn(
  lines: AsyncIterable<string>,
  maxBytes: number,
  leftOut: (path: string) => void,
): AsyncGenerator<Fragment> {
  let commit: Commit | undefined;
  let path = '';
  const reader = lines[Symbol.asyncIterator]();
  const next = async () => (await reader.next()).value as string | undefined;
  for (let line = await next(); line !== undefined; line = await next()) {
    if (line.startsWith('\0')) commit = await commitOf(line, next);
    else if (line.startsWith('diff ')) path = '';
    else if (line.startsWith('+++ ')) path = pathOf(line);
    else if (line.startsWith('@@ ')) {
      const { removed, added, firstLine } = hunkOf(line);
      for (let count = 0; count < removed; count++) await nextOf('-', next);
      const texts: string[] = [];
      let size = 0;
      for (let count = 0; count < added; count++) {
        const text = await nextOf('+', next);
        size += text.length + 1;
        if (size <= maxBytes) texts.push(text);
      }
      if (size > maxBytes) leftOut(path);
      else if (added) yield { text: texts.join('\n'), path, firstLine, commit };
    } else if (line.startsWith('@@@')) {
      for (const { texts, firstLine } of await addedByMerge(line, next)) {
        if (texts.reduce((size, text) => size + text.length + 1, 0) > maxBytes) leftOut(path);
        else yield { text: texts.join('\n'), path, firstLine, commit };
      }
    }
  }
}

type Next = () => Promise<string | undefined>;

/** The rest of the next line that begins with a sign; a note on a missing line break is none. */
async function nextOf(sign: '+' | '-', next: Next): Promise<string> {
  for (;;) {
    const line = await next();
    if (line?.startsWith('\\')) continue;
    if (!line?.startsWith(sign)) throw failure('git has ended within a patch');
    return line.slice(1);
  }
}

/**
 * The lines of a part of a merge that none of its parents has. A column for each parent says of a line whether that one has it; the header counts
 * the lines of each, and of the result.
 * https://git-scm.com/docs/diff-generate-patch#_combined_diff_format
 */
async function addedByMerge(header: string, next: Next): Promise<{ texts: string[]; firstLine: number }[]> {
  const [, ranges = ''] = /^@@@+ (.*?) @@@/.exec(header) ?? [];
  const counts = ranges.split(' ').map((range) => Number(/,(\d+)$/.exec(range)?.[1] ?? 1));
  const parents = counts.length - 1;
  const blocks: { texts: string[]; firstLine: number }[] = [];
  let line = Number(/\+(\d+)/.exec(ranges)?.[1] ?? 0);
  let isOpen = false;
  while (counts.some((count) => count > 0)) {
    const whole = await next();
    if (whole?.startsWith('\\')) continue;
    if (whole === undefined || !/^[-+ ]+$/.test(whole.slice(0, parents))) throw failure('git has ended within a patch');
    const signs = whole.slice(0, parents).split('');
    const isLost = signs.includes('-');
    for (const [parent, sign] of signs.entries()) if (sign === (isLost ? '-' : ' ')) counts[parent]!--;
    if (isLost) continue;
    counts[parents]!--;
    const isNew = signs.every((sign) => sign === '+');
    if (isNew && !isOpen) blocks.push({ texts: [], firstLine: line });
    if (isNew) blocks.at(-1)!.texts.push(whole.slice(parents));
    isOpen = isNew;
    line++;
  }
  return blocks;
}

async function commitOf(first: string, next: Next): Promise<Commit> {
  const header = [first.slice(1)];
  while (!header.at(-1)!.endsWith('\0')) {
    const line = await next();
    if (line === undefined) throw failure('git has ended within a commit');
    header.push(line);
  }
  const [id = '', author = '', email = '', seconds = '', ...message] = header.join('\n').slice(0, -1).split('\n');
  const date = new Date(Number(seconds) * 1000).toISOString().replace('.000', '');
  return { id, author, email, date, message: message.join('\n').trim() };
}

/** `+++ b/path`; a path with special characters is in quotes, with escapes as in C. */
function pathOf(line: string): string {
  const written = line.slice('+++ '.length);
  // Git ends a path with spaces by a tab.
  const path = written.startsWith('"') ? unquote(written) : written.replace(/\t$/, '');
  return path === '/dev/null' ? '' : path.replace(/^b\//, '');
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

const unquote = (written: string): string =>
  written
    .slice(1, written.lastIndexOf('"'))
    .replaceAll(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, letter: string) =>
      octal ? String.fromCharCode(Number.parseInt(octal, 8)) : (ESCAPES[letter] ?? letter),
    );

function hunkOf(line: string): { removed: number; added: number; firstLine: number } {
  const [, removed = '1', firstLine = '0', added = '1'] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
  return { removed: Number(removed), added: Number(added), firstLine: Number(firstLine) };
}

/** The lines of a stream. A carriage return is a part of its line. */
export async function* linesOf(stream: AsyncIterable<string>): AsyncGenerator<string> {
  let rest: string[] = [];
  for await (const chunk of stream) {
    const [first, ...lines] = chunk.split('\n');
    rest.push(first!);
    if (!lines.length) continue;
    yield rest.join('');
    rest = [lines.pop()!];
    yield* lines;
  }
  if (rest.some(Boolean)) yield rest.join('');
}
