// Runs before each test file: with COFFER_SEARCH_SEED, properties draw the same cases in each run.
const seed = process.env['COFFER_SEARCH_SEED'];
if (seed) {
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ seed: Number(seed) });
}
