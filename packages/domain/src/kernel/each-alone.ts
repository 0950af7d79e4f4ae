/**
 * Does the work of each, one after the other. What fails for one is given to `failed`, and keeps no other from being done.
 *
 * @throws Afterwards, the first of the failures, so that a job is tried again.
 */
export async function eachAlone<T>(
  things: Iterable<T>,
  work: (thing: T) => Promise<void>,
  failed: (error: unknown, thing: T) => void,
): Promise<void> {
  const failures: unknown[] = [];
  for (const thing of things)
    try {
      await work(thing);
    } catch (error) {
      failed(error, thing);
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}
