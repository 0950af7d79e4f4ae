import type { Place } from './types.ts';

/** The file of the types that several files have. */
export const SHARED = 'shared';

interface NamedType {
  readonly name: string;
  readonly text: string;
  /** The files that have it, and the types that do. */
  readonly usedIn: Set<string>;
  readonly usedBy: Set<string>;
}

/** Named types of a contract, each written once: in the only file that uses it, or in the common one. */
export class NamedTypes {
  readonly #types = new Map<string, NamedType>();

  /**
   * Adds a type of a file, and returns its name. One name may have several types, for example for input and output:
   * these get different names.
   */
  declare(wanted: string, text: string, io: Place['io'], file: string): string {
    const names = [wanted, ...(io === 'input' ? [`${wanted}Input`] : []), ...numbered(wanted)];
    const name = names.find((one) => (this.#types.get(one)?.text ?? text) === text)!;
    const known = this.#types.get(name) ?? { name, text, usedIn: new Set(), usedBy: new Set() };
    this.#types.set(name, known);
    known.usedIn.add(file);
    return name;
  }

  /** The types of a file, in the order of their names. */
  in(file: string): readonly { readonly name: string; readonly text: string }[] {
    return [...this.#types.values()]
      .filter((type) => fileOf(type) === file)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The names that a text uses from another file. */
  foreignTo(file: string, text: string): string[] {
    const words = typesIn(text);
    return this.all.filter((type) => words.has(type.name) && fileOf(type) !== file).map(({ name }) => name);
  }

  get all(): readonly NamedType[] {
    return [...this.#types.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/** What looks like the name of a type in a text, outside of comments and literals. */
export const typesIn = (text: string): Set<string> =>
  new Set(text.replaceAll(/\/\*\*.*?\*\/|'(?:[^'\\\n]|\\.)*'/gs, '').match(/\b[A-Z]\w*/g));

const fileOf = ({ usedIn }: NamedType): string => (usedIn.size === 1 ? [...usedIn][0]! : SHARED);

const numbered = (name: string): string[] => Array.from({ length: 20 }, (_, index) => `${name}${index + 2}`);
