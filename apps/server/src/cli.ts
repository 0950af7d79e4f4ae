// `npm run coffer --`: commands of the operator on the server's machine, with the server's configuration.
import { Command } from 'commander';
import { explainStart, StartError } from './start-error.ts';

const program = new Command('coffer').description(
  'Manages the keys, the audit log and the users of a Coffer server. Reads the same environment variables and data directory as the server.',
);

const keys = program.command('keys').description('the keys that encrypt all data');
keys
  .command('fingerprint')
  .description('show the fingerprint of the root key')
  .action(async () => (await import('./cli/keys.ts')).showFingerprint());
keys
  .command('rotate')
  .description('create new keys for organizations and projects and re-encrypt all data; servers can keep running')
  .option('--organization <id>', 'only this organization')
  .action(async (options: { organization?: string }) => (await import('./cli/keys.ts')).rotate(options));
keys
  .command('rotate-root')
  .description('wrap all keys with a new root key; restart the servers afterwards')
  .option('--new-key-file <file>', 'where the new key is; it is made where there is none (or set COFFER_NEW_ROOT_KEY)')
  .action(async (options: { newKeyFile?: string }) => (await import('./cli/keys.ts')).rotateRoot(options));

const audit = program.command('audit').description('the audit log');
audit
  .command('verify <file>')
  .description('verify an export of the audit log (- for standard input); needs neither a server nor a database')
  .option('--public-key <file>', 'the PEM file with the public key of the server')
  .option('--checkpoint <sequence:hash>', 'a block that the export must contain, as noted earlier')
  .option('--json', 'print the whole report')
  .action(async (file: string, options: object) => (await import('./cli/audit.ts')).verify(file, options));

const users = program.command('users').description('users with an account');
users
  .command('reset-password <email>')
  .description('create a password reset link to hand over; valid once, for one hour; replaces earlier links')
  .action(async (email: string) => (await import('./cli/users.ts')).makeResetLink(email));
users
  .command('sign-up-link <email>')
  .description('create a sign-up link for an invited user without an account; valid once, for one hour')
  .action(async (email: string) => (await import('./cli/users.ts')).makeSignUpLink(email));

try {
  await program.parseAsync();
} catch (error) {
  const known = explainStart(error);
  if (!(known instanceof StartError)) throw error;
  process.stderr.write(`coffer: ${known.message}\n`);
  process.exitCode = known.exitCode;
}
