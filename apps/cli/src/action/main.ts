// The GitHub Action: one file of its own, made by vite.action.config.ts.
import { CofferError } from '@coffer/client';
import { runAction } from './action.ts';
import { command } from './workflow.ts';

try {
  await runAction(process.env);
} catch (error) {
  const known = error instanceof CofferError || (error instanceof Error && error.name === 'CommandError');
  process.stdout.write(command('error', known ? (error as Error).message : String((error as Error).stack)));
  process.exitCode = 1;
}
