// A language for tests, generated from the English texts: what is shown without accents comes from no module of texts.

/** «English with accents», as Unicode CLDR names it. */
export const pseudoLanguage = 'en-XA';

const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = 'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļṁñöþǫŕšţûṽŵẋýž';
const accent = (text: string): string =>
  text.replaceAll(/[A-Za-z]/g, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
type Edit = readonly [start: number, end: number, text: string];

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/**
 * The code of a module of texts with accents on all letters of its texts, which are put in brackets. What its functions are given,
 * and the names of its properties, stay as they are.
 */
export function withAccents(code: string, parse: (code: string) => unknown): string {
  const edits: Edit[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node) || /^(?:Import|Binary)/.test(node.type)) return;
    edits.push(...editsOf(node));
    for (const [name, child] of Object.entries(node)) if (name !== 'key') visit(child);
  };
  visit(parse(code));
  return edits
    .toSorted(([one], [other]) => other - one)
    .reduce((text, [start, end, value]) => text.slice(0, start) + value + text.slice(end), code);
}

function editsOf(node: Node): Edit[] {
  const { start, end } = node;
  if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
    return [[start, end, JSON.stringify(`[${accent(node.value)}]`)]];
  if (node.type !== 'TemplateLiteral' || !('quasis' in node)) return [];
  const parts = node.quasis as readonly (Node & { readonly value: { readonly cooked: string } })[];
  return parts.map((part, index) => {
    const text = accent(part.value.cooked).replaceAll(/[\\`]|\$\{/g, String.raw`\$&`);
    return [part.start, part.end, `${index === 0 ? '[' : ''}${text}${index === parts.length - 1 ? ']' : ''}`];
  });
}
