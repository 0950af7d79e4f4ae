// The generated searches, and the tests that measure, in their long form: `pnpm search [--factor N] [--seed N] [parts of paths]`. `npm test` runs
// their short form. `pnpm oracle` and `pnpm orphans` are parts of it. The lengths are in the tests: `runs(short,
// long)`.
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { outlive } from './task.mjs';

const { values, positionals } = parseArgs({
  options: { factor: { type: 'string', default: '1' }, seed: { type: 'string' } },
  allowPositionals: true,
});

const files = globSync(['{packages,apps}/*/{src,test}/**/*.test.ts', 'examples/*.test.ts'])
  .filter((file) => /\b(?:runs\(\d|isLongSearch|sampleOf\(|turnsOf\()/.test(readFileSync(file, 'utf8')))
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .toSorted();
if (files.length === 0) throw new Error(`No generated search has a path with ${positionals.join(' or ')}`);

const env = {
  ...process.env,
  COFFER_SEARCH: values.factor,
  ...(values.seed && { COFFER_SEARCH_SEED: values.seed }),
};
process.exitCode = await outlive(spawn('vitest', ['run', ...files], { stdio: 'inherit', env }));
