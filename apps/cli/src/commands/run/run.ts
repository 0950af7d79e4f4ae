import { usage } from '../../exit.ts';
import { placesOf } from '../../place.ts';
import { readCached } from '../../cache/read-cached.ts';
import { openSession } from '../../session.ts';
import type { Action, Invocation } from '../../table/command.ts';
import type { runFlags } from './flags.ts';
import { environmentWith } from './environment.ts';
import { replaceProcess } from './replace.ts';
import { watch } from './watch.ts';

export const run: Action<typeof runFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const argv = commandOf(invocation);
  const session = await openSession(invocation);
  const { client } = session;
  const places = await placesOf(invocation, client);
  const read = async () => {
    const secrets = await readCached(invocation, session, places);
    return environmentWith(secrets, io, {
      keepsCredentials: flags['keep-credentials'],
      keepsLoaders: flags['loader-variables'],
    });
  };
  if (flags.watch) return watch({ client, places, read, argv, io, interval: flags['watch-interval'] });
  const env = await read();
  return replaceProcess(argv, env, io);
};

/** What is run: the words given, or a command line for the user's shell. @throws CommandError for neither or both. */
function commandOf({ flags, args, io }: Invocation<typeof runFlags>): readonly [string, ...string[]] {
  const { command } = flags;
  if (command !== undefined && args.length) throw usage('Pass either --command or a program, not both');
  if (command === '') throw usage('--command is empty');
  if (command !== undefined) return [io.env['SHELL'] || '/bin/sh', '-c', command];
  const [program, ...rest] = args;
  if (!program) throw usage('coffer run needs a program', 'For example: coffer run -- npm start');
  return [program, ...rest];
}
