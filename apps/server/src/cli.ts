// `npm run coffer --`: what an operator does on the server's own machine, with the server's own configuration.
import { Command } from 'commander';
import { explainStart, StartError } from './start-error.ts';

const program = new Command('coffer').description(
  "Keys, audit log and people of a Coffer server. The configuration is the server's: the same variables, the same data directory.",
);

const keys = program.command('keys').description('the keys that everything is sealed with');
keys
  .command('fingerprint')
  .description('show the fingerprint of the root key')
  .action(async () => (await import('./cli/keys.ts')).showFingerprint());
keys
  .command('rotate')
  .description('give organizations and projects new keys, and seal everything under them; servers may run meanwhile')
  .option('--organization <id>', 'this one only')
  .action(async (options: { organization?: string }) => (await import('./cli/keys.ts')).rotate(options));
keys
  .command('rotate-root')
  .description('wrap all keys with a new root key; start the servers again afterwards')
  .option('--new-key-file <file>', 'where the new key is; it is made where there is none (or set COFFER_NEW_ROOT_KEY)')
  .action(async (options: { newKeyFile?: string }) => (await import('./cli/keys.ts')).rotateRoot(options));

const audit = program.command('audit').description('the audit log');
audit
  .command('verify <file>')
  .description('verify an export of the audit log (- for standard input); needs neither server nor database')
  .option('--public-key <file>', 'the PEM file with the public key of the server')
  .option('--checkpoint <sequence:hash>', 'a block that the export must hold, as it was noted before')
  .option('--json', 'the whole report')
  .action(async (file: string, options: object) => (await import('./cli/audit.ts')).verify(file, options));

const users = program.command('users').description('people with an account');
users
  .command('reset-password <email>')
  .description('make a link to a new password, to hand over: good once and for an hour, in place of any earlier one')
  .action(async (email: string) => (await import('./cli/users.ts')).makeResetLink(email));
users
  .command('sign-up-link <email>')
  .description('make a link for somebody who was invited and has no account yet: good once and for an hour')
  .action(async (email: string) => (await import('./cli/users.ts')).makeSignUpLink(email));

try {
  await program.parseAsync();
} catch (error) {
  const known = explainStart(error);
  if (!(known instanceof StartError)) throw error;
  process.stderr.write(`coffer: ${known.message}\n`);
  process.exitCode = known.exitCode;
}
