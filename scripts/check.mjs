// All checks of CI: `pnpm check`, or some of them by name: `pnpm check format lint`. `--no-tests` omits the tests.
import { spawn } from 'node:child_process';
import { outlive } from './task.mjs';

const steps = {
  format: ['oxfmt', '--check', '.'],
  lint: ['oxlint'],
  types: ['tsc', '-b'],
  boundaries: ['node', 'scripts/boundaries.mjs'],
  data: ['node', 'scripts/data-access.mjs'],
  duplicates: ['node', 'scripts/duplicates.mjs'],
  unused: ['knip', '--no-progress'],
  glossary: ['node', 'scripts/glossary.mjs'],
  texts: ['node', 'scripts/texts.mjs'],
  budgets: ['node', 'apps/web/build/budgets.ts'],
  pages: ['node', 'scripts/pages.mjs', '--check'],
};
const tests = ['node', 'scripts/test.mjs', '--all'];

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
const unknown = args.filter((arg) => arg !== '--no-tests' && !(arg in steps));
if (unknown.length) {
  console.error(`There is no ${unknown.join(', ')}. Steps: ${Object.keys(steps).join(', ')}; option: --no-tests`);
  process.exit(2);
}

const chosen = Object.entries(steps).filter(([name]) => !named.length || named.includes(name));
const results = await Promise.all(chosen.map(([name, command]) => runStep(name, command)));
const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
if (failed.length) console.log(`\nNot in order: ${failed.join(', ')}`);

const withTests = !named.length && !args.includes('--no-tests');
const testCode = withTests ? await outlive(spawn(tests[0], tests.slice(1), { stdio: 'inherit' })) : 0;
process.exitCode = failed.length || testCode ? 1 : 0;

/** Steps run in parallel, so the output of each is buffered until it is done. */
async function runStep(name, [command, ...options]) {
  const start = performance.now();
  const child = spawn(command, options, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const ok = (await outlive(child)) === 0;

  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(11)} ${seconds.padStart(5)} s`);
  if (!ok) console.log(Buffer.concat(output).toString().trimEnd());
  return { name, ok };
}
