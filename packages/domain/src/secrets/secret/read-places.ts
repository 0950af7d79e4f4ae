import type { ReadPlace } from './secret.ts';

/** Maximum number of places that one event names: each read of them writes them all. */
export const MAX_PLACES = 500;
/** Maximum depth of these if there are more. */
const MAX_DEPTH = 16;

/**
 * Where values were read, for an event. Of more than 500 folders, those deeper than a common depth are named by the folder
 * above them, with `isRecursive`.
 */
export function placesRead(places: readonly ReadPlace[]): ReadPlace[] {
  if (places.length <= MAX_PLACES) return [...places];
  const names = places.map(({ secretPath }) => secretPath.split('/', MAX_DEPTH + 2).filter((name) => name !== ''));
  let depth = 0;
  // The deeper, the more there are.
  for (let above = MAX_DEPTH; depth < above;) {
    const middle = Math.ceil((depth + above) / 2);
    if (cutTo(middle, places, names).length <= MAX_PLACES) depth = middle;
    else above = middle - 1;
  }
  return cutTo(depth, places, names);
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
