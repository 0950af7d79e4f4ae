import { badRequest } from '../../../kernel/index.ts';
import { coveredPath } from '../../coverage/index.ts';
import { MAX_DEPTH } from './expand.ts';
import type { Failure } from './failure.ts';
import type { Stored } from './load.ts';
import { targetKey, type Target } from './reference.ts';

/** Maximum number of hops, and of characters of values, in one response. */
const MAX_HOPS = 10_000;
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** One hop of a value: its location, its stored value, and the hops of its references. */
export interface Hop {
  key: string;
  environment: string;
  secretPath: string;
  /** The stored value; absent for a missing secret, or for a reference that closes a cycle. */
  value?: string;
  /** Whether it came through an import of the folder that was named. */
  isImported: boolean;
  children: Hop[];
}

/**
 * The hops of a value, each as often as it is referenced.
 *
 * @throws DomainError 400 `secret.too_many_references` if they exceed the limit of a response.
 */
export function drawTree(root: Stored, known: ReadonlyMap<string, Stored | Failure>): Hop {
  let [hops, characters] = [0, 0];
  const hopOf = (target: Target, one: Stored | Failure | undefined, trail: readonly string[]): Hop => {
    const name = targetKey(target);
    const place = { key: target.key, environment: target.environment, secretPath: coveredPath(target.path) };
    const isKnown = one !== undefined && typeof one !== 'string' && !trail.includes(name);
    const value = isKnown ? one.parsed.value : undefined;
    hops++;
    characters += value?.length ?? 0;
    if (hops > MAX_HOPS || characters > MAX_CHARACTERS)
      throw badRequest('secret.too_many_references', 'The value has more references than a response can contain');
    if (!isKnown || value === undefined) return { ...place, isImported: false, children: [] };
    const references = trail.length >= MAX_DEPTH ? [] : one.parsed.references;
    const here = [...trail, name];
    const children = references.map((reference) => hopOf(reference, known.get(reference.name), here));
    return { ...place, value, isImported: targetKey(one.place) !== name, children };
  };
  return hopOf(root.place, root, []);
}
