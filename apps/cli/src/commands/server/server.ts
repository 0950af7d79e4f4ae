import { createRequire } from 'node:module';
import { usage } from '../../exit.ts';
import { withoutCredentials } from '../../own-credentials.ts';
import { globalFlags, type Action } from '../../table/command.ts';
import { superviseChild } from '../run/replace.ts';

/** Runs a command of the server, by its words, as a program of its own: the server is no part of the command line. */
export const onServer =
  (name: string): Action =>
  async ({ args, flags, io }) => {
    const own = Object.entries(flags).filter(([flag]) => flag === 'json' || !Object.hasOwn(globalFlags, flag));
    const input = JSON.stringify({ args, flags: Object.fromEntries(own) });
    return superviseChild([process.execPath, programOfServer(), name, input], withoutCredentials(io.env));
  };

/** Where the server's package is installed. @throws CommandError if it is not. */
function programOfServer(): string {
  try {
    return createRequire(import.meta.url).resolve('@coffer/server/commands');
  } catch {
    throw usage(
      'coffer server needs the package @coffer/server, which is not installed beside this command line',
      "Run it in Coffer's own directory on the server's machine: npm run coffer -- …",
    );
  }
}
