// Writes src/contract.ts, the types of the client, from the router: `node scripts/generate.ts`.
// With --check it writes nothing, and fails where the file is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appRouter, proceduresOf } from '@coffer/api';
import { contractOf } from './contract.ts';

const file = join(import.meta.dirname, '../src/contract.ts');
const contract = contractOf(proceduresOf(appRouter));

if (!process.argv.includes('--check')) {
  writeFileSync(file, contract);
} else if (readFileSync(file, 'utf8') !== contract) {
  console.error(
    'packages/client/src/contract.ts is not what the router says. Run: pnpm --filter @coffer/client generate',
  );
  process.exitCode = 1;
}
