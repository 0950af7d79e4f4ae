import { type Class, GlobError, ONE, SLASH, type Token } from './glob-pattern.ts';

/** The automaton of a text, character by character. */
export type Node =
  | { readonly kind: 'char'; readonly code: number }
  | Class
  /** Loops on every character except `/`, and has an empty transition. */
  | { readonly kind: 'star' }
  /** Loops on every character, and has an empty transition. */
  | { readonly kind: 'any' }
  /** Matches the rest. */
  | { readonly kind: 'rest' }
  /** Has empty transitions to the next node and to the third one after it. */
  | { readonly kind: 'skip' }
  | { readonly kind: 'end' };

export const isIn = ({ negated, ranges }: Class, code: number): boolean =>
  code !== SLASH && ranges.some(([from, to]) => from <= code && code <= to) !== negated;

/** Appends the nodes of one pattern without braces. */
export function assemble(tokens: readonly Token[], nodes: Node[]): void {
  const segments = segmentsOf(tokens);
  if (segments.some(hasTwoStarsAtAnyText)) throw new GlobError('Put a slash between ** and a template');
  const last = segments.length - 1;
  let needsSlash = false;
  for (const [index, segment] of segments.entries()) {
    if (isAnyDepth(segment)) {
      if (index > 0 && isAnyDepth(segments[index - 1]!)) continue;
      const endsHere = segments.slice(index).every(isAnyDepth);
      if (endsHere) {
        if (needsSlash) nodes.push({ kind: 'skip' }, { kind: 'char', code: SLASH });
        nodes.push({ kind: 'rest' });
      } else {
        if (needsSlash) nodes.push({ kind: 'char', code: SLASH });
        nodes.push({ kind: 'skip' }, { kind: 'any' }, { kind: 'char', code: SLASH });
      }
      needsSlash = false;
      continue;
    }
    if (needsSlash) nodes.push({ kind: 'char', code: SLASH });
    if (segment.length > 0 && segment.every((token) => token === '*')) nodes.push(ONE, { kind: 'star' });
    else nodes.push(...segment.filter((token, position) => token !== '*' || segment[position - 1] !== '*').map(nodeOf));
    needsSlash = index < last;
  }
  nodes.push({ kind: 'end' });
}

function nodeOf(token: Token): Node {
  if (token === '*') return { kind: 'star' };
  if (token === 'any text') return { kind: 'any' };
  return typeof token === 'number' ? { kind: 'char', code: token } : token;
}

const isAnyDepth = (segment: readonly Token[]) => segment.length === 2 && segment.every((token) => token === '*');

/** A filled-in value may contain a slash: a star beside it would become a segment of its own and match more. */
const hasTwoStarsAtAnyText = (segment: readonly Token[]) =>
  segment.includes('any text') && segment.some((token, at) => token === '*' && segment[at + 1] === '*');

function segmentsOf(tokens: readonly Token[]): Token[][] {
  const segments: Token[][] = [[]];
  for (const token of tokens) {
    if (token === SLASH) segments.push([]);
    else segments.at(-1)!.push(token);
  }
  return segments;
}

/** Code points at which the treatment of characters may change. */
export function cutsOf(nodes: readonly Node[]): number[] {
  const cuts = new Set([0, SLASH, SLASH + 1]);
  // Alternatives share their sets.
  for (const node of new Set(nodes)) {
    const ranges = node.kind === 'char' ? [[node.code, node.code] as const] : node.kind === 'class' ? node.ranges : [];
    for (const [from, to] of ranges) cuts.add(from).add(to + 1);
  }
  return [...cuts].filter((cut) => cut <= 0x10ffff);
}
