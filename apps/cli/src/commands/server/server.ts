import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { usage } from '../../exit.ts';
import type { Action } from '../../table/command.ts';

/** What the package of the server offers. */
interface ServerCommands {
  runServerCommand(name: string, args: readonly string[], flags: Readonly<Record<string, unknown>>): Promise<number>;
}

/** Runs a command of the server, by its words. */
export const onServer =
  (name: string): Action =>
  async ({ args, flags }) =>
    (await serverCommands()).runServerCommand(name, args, flags);

/** The server is no part of the command line: it is found beside it. @throws CommandError if it is not there. */
async function serverCommands(): Promise<ServerCommands> {
  const path = pathOfCommands();
  return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as ServerCommands;
}

function pathOfCommands(): string {
  try {
    return createRequire(import.meta.url).resolve('@coffer/server/commands');
  } catch {
    throw usage(
      'coffer server needs the package @coffer/server, which is not installed beside this command line',
      "Run it in Coffer's own directory on the server's machine: npm run coffer -- …",
    );
  }
}
