/** Does the work of each, one after the other. What fails for one is given to `failed`, and keeps no other from being done. */
export async function eachAlone<T>(
  things: Iterable<T>,
  work: (thing: T) => Promise<void>,
  failed: (error: unknown, thing: T) => void,
): Promise<void> {
  for (const thing of things)
    try {
      await work(thing);
    } catch (error) {
      failed(error, thing);
    }
}
