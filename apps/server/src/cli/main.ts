// What `coffer server` runs: a command by its words, and its arguments and flags as JSON.
import { explainStart, StartError } from '../start-error.ts';

/** Flags of a command, by their names. */
type Flags = Readonly<Record<string, string | boolean | undefined>>;
type Run = (args: readonly string[], flags: Flags) => Promise<void>;

const text = (flags: Flags, name: string): string | undefined => flags[name] as string | undefined;
/** An option only where it is given. */
const option = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: string };

/** The commands of `coffer server`, which apps/cli declares, by their words. Each loads what it needs. */
const COMMANDS: Readonly<Record<string, Run>> = {
  'keys fingerprint': async () => (await import('./keys.ts')).showFingerprint(),
  'keys rotate': async (_, flags) =>
    (await import('./keys.ts')).rotate(option('organization', text(flags, 'organization'))),
  'keys rotate-root': async (_, flags) =>
    (await import('./keys.ts')).rotateRoot(option('newKeyFile', text(flags, 'new-key-file'))),
  'audit verify': async ([file], flags) =>
    (await import('./audit.ts')).verify(file!, {
      ...option('publicKey', text(flags, 'public-key')),
      ...option('checkpoint', text(flags, 'checkpoint')),
      json: flags['json'] === true,
    }),
  'users reset-password': async ([email]) => (await import('./users.ts')).makeResetLink(email!),
  'users sign-up-link': async ([email]) => (await import('./users.ts')).makeSignUpLink(email!),
};

const [, , name, input] = process.argv as [string, string, string, string];
try {
  const { args, flags } = JSON.parse(input) as { args: readonly string[]; flags: Flags };
  await COMMANDS[name]!(args, flags);
} catch (error) {
  const known = explainStart(error);
  if (!(known instanceof StartError)) throw error;
  process.stderr.write(`coffer: ${known.message}\n`);
  process.exitCode = known.exitCode;
}
