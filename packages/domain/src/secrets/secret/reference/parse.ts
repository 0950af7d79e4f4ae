import { eachReference, targetKey, type Origin, type Reference } from './reference.ts';

/** Maximum number of followed references of one value; later ones stay as written. */
export const MAX_REFERENCES = 10_000;

/** A reference with the name of its target. */
export interface NamedReference extends Reference {
  /** `targetKey` of it. */
  readonly name: string;
}

/** A value, taken apart once for all that is done with it. */
export interface ParsedValue {
  readonly value: string;
  /** All occurrences; equal texts share one object. */
  readonly references: readonly NamedReference[];
  /** The texts around the references: one more than references. */
  readonly texts: readonly string[];
  /** Each reference once. */
  readonly distinct: readonly NamedReference[];
  /** The text of the first reference beyond the limit. */
  readonly beyond?: string;
}

/** Parses a value at `origin`. */
export function parseValue(value: string, origin: Origin, most = MAX_REFERENCES): ParsedValue {
  const known = new Map<string, NamedReference>();
  const references: NamedReference[] = [];
  const texts: string[] = [];
  let end = 0;
  let beyond: string | undefined;
  for (const { reference, index } of eachReference(value, origin)) {
    if (references.length === most) {
      beyond = reference.text;
      break;
    }
    const { text } = reference;
    const one = known.get(text) ?? { ...reference, name: targetKey(reference) };
    known.set(text, one);
    texts.push(value.slice(end, index));
    references.push(one);
    end = index + text.length;
  }
  texts.push(value.slice(end));
  return { value, references, texts, distinct: [...known.values()], ...(beyond !== undefined && { beyond }) };
}
