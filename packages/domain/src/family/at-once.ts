/** Does something with each element, some of them at once. Ends with the first error. */
export async function mapAtOnce<In, Out>(
  all: Iterable<In>,
  atOnce: number,
  work: (one: In) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = [];
  let hasFailed = false;
  const rest = [...all].entries();
  const worker = async () => {
    for (const [at, one] of rest) {
      if (hasFailed) return;
      try {
        results[at] = await work(one);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
