import { texts } from './texts.ts';

// What people drop or paste: `.env`, JSON or YAML, as names and values.

export type Parsed =
  | {
      readonly pairs: ReadonlyMap<string, string>;
      /** Numbers of the lines that are neither `NAME=value` nor a comment. */
      readonly leftOut?: readonly number[];
      /** Names that stand in it more than once: the last value is taken. */
      readonly repeated?: readonly string[];
    }
  | { readonly error: string };

/** Reads a text in the format that it seems to have. YAML is loaded only if the text is neither JSON nor lines of `NAME=value`. */
export async function parseFile(text: string): Promise<Parsed> {
  const trimmed = text.trim();
  if (trimmed === '') return { error: texts.thereIsNothingInIt };
  if (trimmed.startsWith('{')) return parseJson(trimmed);
  if (text.split('\n').some(isAssignment))
    return { pairs: parseDotenv(text), leftOut: linesLeftOut(text), repeated: repeatedIn(text) };
  return parseYaml(text);
}

/** `NAME=value`. In YAML, what is before the sign is no name: it has a colon or a quote. */
function isAssignment(line: string): boolean {
  const end = line.indexOf('=');
  if (end === -1) return false;
  const name = line.slice(0, end).trim();
  return /^[\w.-]+$/.test(name.startsWith('export ') ? name.slice('export '.length).trim() : name);
}

function parseJson(text: string): Parsed {
  try {
    return flat(JSON.parse(text), repeatedInJson(text));
  } catch (error) {
    return { error: texts.thisIsNotValid((error as Error).message) };
  }
}

async function parseYaml(text: string): Promise<Parsed> {
  const { isMap, isScalar, isSeq, parseDocument } = await import('yaml');
  const repeatedBelow = (node: unknown, path = ''): string[] => {
    if (isSeq(node)) return node.items.flatMap((item) => repeatedBelow(item, path));
    if (!isMap(node)) return [];
    const names = new Set<string>();
    return node.items.flatMap(({ key, value }) => {
      const name = String(isScalar(key) ? key.value : key);
      const at = pathOf(path, name);
      return [...(isNew(names, name) ? [] : [at]), ...repeatedBelow(value, at)];
    });
  };
  try {
    const document = parseDocument(text, { uniqueKeys: false });
    if (document.errors[0]) throw document.errors[0];
    return flat(document.toJS({ maxAliasCount: 0 }), repeatedBelow(document.contents));
  } catch (error) {
    return { error: texts.thisIsNeitherLines((error as Error).message.split('\n')[0] ?? '') };
  }
}

/** An object of names and simple values. Objects and arrays become JSON texts. */
function flat(given: unknown, repeated: readonly string[]): Parsed {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { error: texts.expectedNamesWithValues };
  const pairs = Object.entries(given).map(([name, value]) => [name, textOf(value)] as const);
  return { pairs: new Map(pairs), repeated: [...new Set(repeated)] };
}

/** Adds a name, and says whether it was not there. */
const isNew = (names: Set<string>, name: string): boolean => names.size < names.add(name).size;

const pathOf = (outer: string, name: string): string => (outer === '' ? name : `${outer}.${name}`);

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** The names that stand more than once in one object of a valid JSON text: `A`, or `A.b` in the object `A`. */
function repeatedInJson(text: string): string[] {
  const repeated: string[] = [];
  const outer: { readonly path: string; readonly names: Set<string> }[] = [];
  let [path, name] = ['', ''];
  for (const [token] of text.matchAll(JSON_TOKEN)) {
    if (token === '{' || token === '[') outer.push({ path, names: new Set() });
    else if (token === '}' || token === ']') path = outer.pop()?.path ?? '';
    else if (token === ':') {
      const { path: above = '', names = new Set<string>() } = outer.at(-1) ?? {};
      path = pathOf(above, name);
      if (!isNew(names, name)) repeated.push(path);
    } else name = String(JSON.parse(token));
  }
  return repeated;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

const LINE =
  /(?:^|\n)[^\S\n]*(?:export[^\S\n]+)?([\w.-]+)[^\S\n]*=[^\S\n]*("(?:[^"\\]|\\[^])*"|'[^']*'|`[^`]*`|[^\n#]*)[^\n]*/g;

/** Lines of `NAME=value` as Node reads them: quotes of three kinds, comments, several lines in quotes, `\n` in double quotes. */
export function parseDotenv(text: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const [, name = '', written = ''] of assignmentsIn(text)) pairs.set(name, unquote(written.trim()));
  return pairs;
}

const assignmentsIn = (text: string) => text.replaceAll('\r\n', '\n').matchAll(LINE);

function repeatedIn(text: string): string[] {
  const seen = new Set<string>();
  const names = [...assignmentsIn(text)].map(([, name = '']) => name);
  return [...new Set(names.filter((name) => !isNew(seen, name)))];
}

/** What `parseDotenv` does not take, comments aside: numbers of lines, from 1. */
function linesLeftOut(text: string): number[] {
  const rest = text.replaceAll('\r\n', '\n').replaceAll(LINE, (taken) => taken.replaceAll(/[^\n]/g, ''));
  return rest.split('\n').flatMap((line, index) => (/^\s*(?:#|$)/.test(line) ? [] : [index + 1]));
}

function unquote(written: string): string {
  const [quote] = written;
  if (written.length < 2 || !['"', "'", '`'].includes(quote ?? '') || written.at(-1) !== quote) return written;
  const inner = written.slice(1, -1);
  return quote === '"' ? inner.replaceAll(String.raw`\n`, '\n') : inner;
}
