import type { Hash } from './hash.ts';
import type { Limits } from './sync.ts';

/** What a sync has put under a name: hashes of the value that surely is there, and of one that may be. */
export interface Entry {
  readonly hash: Buffer | null;
  readonly nextHash: Buffer | null;
}

export interface Put {
  readonly name: string;
  readonly value: string;
  /** Whether something is there under this name already. */
  readonly exists: boolean;
}

export interface HashedName {
  readonly name: string;
  readonly hash: Buffer;
}

export interface Difference {
  /** What was about to be put when a process died, and is there: it was put. */
  readonly found: readonly HashedName[];
  readonly puts: readonly Put[];
  readonly removals: readonly string[];
  /** Names that are no longer this sync's: what it had put there is gone, or somebody else's by now. */
  readonly dropped: readonly string[];
}

export interface Compared {
  /** Values by their names at the target. */
  readonly wanted: ReadonlyMap<string, string>;
  /** What is at the target; `undefined` where a value cannot be read, or is no text. */
  readonly present: ReadonlyMap<string, string | undefined>;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly hash: Hash;
  readonly writeOnly: boolean;
  readonly mayRemove: boolean;
  /** Names that are not removed, wanted or not. */
  readonly kept: ReadonlySet<string>;
}

/**
 * What there is to do at a target. Only what differs is written. Only what the sync itself has put there is
 * removed: where values can be read, as long as it is still the same.
 */
export function compare({ wanted, present, entries, hash, writeOnly, mayRemove, kept }: Compared): Difference {
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
      (writeOnly || (there !== undefined && isOneOf(hash(name, there), [entry.hash, entry.nextHash])));
    (isOurs ? removals : dropped).push(name);
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
  /** The names at the target of all this: what an earlier sync has put there and this one cannot write stays. */
  readonly kept: ReadonlySet<string>;
}

/** How the names of the source become those of the target. */
export interface Naming {
  readonly prefix: string;
  readonly suffix: string;
  readonly nameOf?: ((name: string) => string) | undefined;
}

export const nameAtTarget = (name: string, { prefix, suffix, nameOf }: Naming): string => {
  const whole = prefix + name + suffix;
  return nameOf ? nameOf(whole) : whole;
};

/** The name at the source of something at the target; `undefined` where it is not of this sync's names. */
export function nameAtSource(name: string, { prefix, suffix }: Naming): string | undefined {
  const length = name.length - prefix.length - suffix.length;
  const isOurs = length > 0 && name.startsWith(prefix) && name.endsWith(suffix);
  return isOurs ? name.slice(prefix.length, prefix.length + length) : undefined;
}

/** Gives what is at the source its names at the target, and tells what the target would not take. */
export function nameAll(values: ReadonlyMap<string, string>, naming: Naming, limits: Limits): Named {
  const wanted = new Map<string, string>();
  const rejected = new Map<string, string>();
  const sourceOf = new Map<string, string>();
  const kept = new Set<string>();
  for (const [source, value] of values) {
    const name = nameAtTarget(source, naming);
    const bytes = Buffer.byteLength(value);
    const [least, most] = limits.bytes;
    const twin = sourceOf.get(name);
    sourceOf.set(name, source);
    kept.add(name);
    if (!limits.name.test(name)) rejected.set(source, `the name has to be ${limits.expected}`);
    else if (bytes < least) rejected.set(source, 'an empty value cannot be stored there');
    else if (bytes > most) rejected.set(source, `a value has at most ${most} bytes there`);
    else if (twin !== undefined) rejected.set(source, `it is called ${name} there, as ${twin} is`);
    else wanted.set(name, value);
  }
  return { wanted, rejected, kept };
}
