import { EXIT } from './exit.ts';
import { VERSION } from './version.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read the result has gone: the same as the end by SIGPIPE.
  if (error.code === 'EPIPE') process.exit(128 + 13);
  process.stderr.write(`error: the result cannot be written (${error.code})\n`);
  process.exit(EXIT.failure);
});
process.stderr.on('error', () => undefined);

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v'))
  process.stdout.write(`coffer version ${VERSION}\n`);
else {
  const { runCommandLine } = await import('./run-command-line.ts');
  process.exitCode = await runCommandLine(argv);
}
