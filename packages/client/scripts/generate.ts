// Writes src/contract/, the types of the client, from the router: `node scripts/generate.ts`. With --check it writes
// nothing, and fails if the files are out of date.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appRouter, proceduresOf } from '@coffer/api';
import { contractOf } from './contract.ts';

const folder = join(import.meta.dirname, '../src/contract');
const files = new Map(Array.from(contractOf(proceduresOf(appRouter)), ([name, text]) => [`${name}.ts`, text]));

if (!process.argv.includes('--check')) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
} else {
  const present = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const names = [...new Set([...files.keys(), ...present.keys()])];
  const wrong = names.filter((name) => files.get(name) !== present.get(name));
  if (wrong.length > 0) {
    console.error(
      `packages/client/src/contract is not what the router says (${wrong.join(', ')}). Run: pnpm --filter @coffer/client generate`,
    );
    process.exitCode = 1;
  }
}
