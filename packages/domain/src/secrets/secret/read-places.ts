import type { ReadPlace } from './secret.ts';

/** Maximum number of places in one event: each read writes all of them. */
export const MAX_PLACES = 500;
/** Maximum depth of the common folders if there are more places. */
const MAX_DEPTH = 16;

/**
 * The places of values that were read, for an event. If there are more than 500, folders below a common depth are replaced by
 * their ancestor at that depth, with `isRecursive`.
 */
export function placesRead(places: readonly ReadPlace[]): ReadPlace[] {
  if (places.length <= MAX_PLACES) return [...places];
  const names = places.map(({ secretPath }) => secretPath.split('/', MAX_DEPTH + 2).filter((name) => name !== ''));
  let depth = 0;
  // A binary search: the number of places grows with the depth.
  for (let above = MAX_DEPTH; depth < above;) {
    const middle = Math.ceil((depth + above) / 2);
    if (cutTo(middle, places, names).length <= MAX_PLACES) depth = middle;
    else above = middle - 1;
  }
  return cutTo(depth, places, names);
}

/** The places of secrets that were read, for an event. */
export function placesOf(
  secrets: Iterable<{ readonly environment: string; readonly secretPath: string }>,
): ReadPlace[] {
  const places = new Map<string, ReadPlace>();
  for (const { environment, secretPath } of secrets) {
    const name = `${environment}:${secretPath}`;
    const numberOfSecrets = (places.get(name)?.numberOfSecrets ?? 0) + 1;
    places.set(name, { environment, secretPath, numberOfSecrets });
  }
  return placesRead([...places.values()]);
}

function cutTo(depth: number, places: readonly ReadPlace[], names: readonly (readonly string[])[]): ReadPlace[] {
  const cut = new Map<string, ReadPlace>();
  for (const [index, { environment, secretPath: path, ...place }] of places.entries()) {
    const isDeeper = names[index]!.length > depth;
    const secretPath = isDeeper ? `/${names[index]!.slice(0, depth).join('/')}` : path;
    const name = `${environment}:${secretPath}`;
    const same = cut.get(name);
    const isRecursive = isDeeper || place.isRecursive === true || same?.isRecursive === true;
    const numberOfSecrets = place.numberOfSecrets + (same?.numberOfSecrets ?? 0);
    cut.set(name, { environment, secretPath, numberOfSecrets, ...(isRecursive && { isRecursive }) });
  }
  return [...cut.values()];
}
