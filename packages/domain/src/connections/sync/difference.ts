import type { Hash } from './hash.ts';
import type { Limits } from './sync.ts';

/** What a sync has written under a name: the hashes of the value that is certainly there, and of one that may be. */
export interface Entry {
  readonly hash: Buffer | null;
  readonly nextHash: Buffer | null;
}

export interface Put {
  readonly name: string;
  readonly value: string;
  /** Whether an item with this name already exists. */
  readonly exists: boolean;
}

export interface HashedName {
  readonly name: string;
  readonly hash: Buffer;
}

export interface Difference {
  /** A write that was pending when a process died, and that was done. */
  readonly found: readonly HashedName[];
  readonly puts: readonly Put[];
  readonly removals: readonly string[];
  /** Names that the sync no longer owns: the items were deleted, or replaced by others. */
  readonly dropped: readonly string[];
}

export interface Compared {
  /** Values by their names at the target. */
  readonly wanted: ReadonlyMap<string, string>;
  /** The state at the target; `undefined` if a value cannot be read, or is not text. */
  readonly present: ReadonlyMap<string, string | undefined>;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly hash: Hash;
  readonly writeOnly: boolean;
  readonly mayRemove: boolean;
  /** Names that are not removed, wanted or not. */
  readonly kept: ReadonlySet<string>;
  /** Names that belong to the sync, whoever has written them; default: none. */
  readonly owns?: ((name: string) => boolean) | undefined;
}

/**
 * The changes to make at a target. Only differences are written. Only items that the sync has created are deleted;
 * where values can be read, only if they are unchanged. Under names that belong to it all items are deleted, except those
 * whose value is not text.
 */
export function compare({
  wanted,
  present,
  entries,
  hash,
  writeOnly,
  mayRemove,
  kept,
  owns = () => false,
}: Compared): Difference {
  const puts = [...wanted].flatMap(([name, value]) => {
    const exists = present.has(name);
    const isSame = writeOnly ? isOneOf(hash(name, value), [entries.get(name)?.hash]) : present.get(name) === value;
    return exists && isSame ? [] : [{ name, value, exists }];
  });
  const found: HashedName[] = [];
  const removals: string[] = [];
  const dropped: string[] = [];
  for (const [name, entry] of entries) {
    const there = present.get(name);
    if (there !== undefined && entry.nextHash?.equals(hash(name, there))) found.push({ name, hash: entry.nextHash });
    if (wanted.has(name) || kept.has(name) || !mayRemove) continue;
    const isOurs =
      present.has(name) &&
      (writeOnly || (there !== undefined && (owns(name) || isOneOf(hash(name, there), [entry.hash, entry.nextHash]))));
    (isOurs ? removals : dropped).push(name);
  }
  for (const [name, there] of mayRemove ? present : []) {
    if (entries.has(name) || wanted.has(name) || kept.has(name) || !owns(name)) continue;
    if (writeOnly || there !== undefined) removals.push(name);
  }
  return { found, puts, removals, dropped };
}

const isOneOf = (hash: Buffer, known: readonly (Buffer | null | undefined)[]): boolean =>
  known.some((one) => one?.equals(hash));

export interface Named {
  /** Values by their names at the target. */
  readonly wanted: ReadonlyMap<string, string>;
  /** What cannot be written, by its name at the source, and why. */
  readonly rejected: ReadonlyMap<string, string>;
  /** The names at the target of all secrets: items of an earlier sync that this one cannot write stay. */
  readonly kept: ReadonlySet<string>;
}

/** The mapping between names of the source and of the target. */
export interface Naming {
  readonly prefix: string;
  readonly suffix: string;
  readonly nameOf?: ((name: string) => string) | undefined;
  readonly ignoresCase?: true | undefined;
}

/** The same text for all names of one item at the target. */
export const foldName = (name: string, { ignoresCase }: Pick<Naming, 'ignoresCase'>): string =>
  ignoresCase ? name.toLowerCase() : name;

export const nameAtTarget = (name: string, { prefix, suffix, nameOf }: Naming): string => {
  const whole = prefix + name + suffix;
  return nameOf ? nameOf(whole) : whole;
};

/** The source name of an item at the target; `undefined` if it is not a name of this sync. */
export function nameAtSource(name: string, { prefix, suffix }: Naming): string | undefined {
  const length = name.length - prefix.length - suffix.length;
  const isOurs = length > 0 && name.startsWith(prefix) && name.endsWith(suffix);
  return isOurs ? name.slice(prefix.length, prefix.length + length) : undefined;
}

/**
 * Maps the names of the source to those of the target, and reports those that the target cannot store.
 *
 * @param isKept Whether something else that Coffer keeps there has such a name.
 */
export function nameAll(
  values: ReadonlyMap<string, string>,
  naming: Naming,
  limits: Limits,
  isKept: (name: string) => boolean = () => false,
): Named {
  const wanted = new Map<string, string>();
  const rejected = new Map<string, string>();
  const sourceOf = new Map<string, string>();
  const kept = new Set<string>();
  for (const [source, value] of values) {
    const name = nameAtTarget(source, naming);
    const bytes = Buffer.byteLength(value);
    const [least, most] = limits.bytes;
    const folded = foldName(name, naming);
    const twin = sourceOf.get(folded);
    sourceOf.set(folded, source);
    kept.add(name);
    if (!limits.name.test(name)) rejected.set(source, `the name has to be ${limits.expected}`);
    else if (bytes < least) rejected.set(source, 'an empty value cannot be stored there');
    else if (bytes > most) rejected.set(source, `a value has at most ${most} bytes there`);
    else if (isKept(name)) rejected.set(source, `a PKI sync keeps a certificate under the name ${name} there`);
    else if (twin !== undefined) rejected.set(source, `it is called ${name} there, as ${twin} is`);
    else wanted.set(name, value);
  }
  return { wanted, rejected, kept };
}
