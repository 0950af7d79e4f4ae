// Runs before each test file: with COFFER_SEARCH_SEED, its properties draw the same cases in each run. Each of them has a
// seed of its own, so that a search in rounds draws other cases in each round.
const first = process.env['COFFER_SEARCH_SEED'];
if (first) {
  const { configureGlobal } = await import('fast-check');
  let seed = Number(first);
  configureGlobal({
    // fast-check reads it once for each search.
    get seed() {
      return seed++;
    },
  });
}
