import { statSync } from 'node:fs';
import { join } from 'node:path';
import { FORMATS } from '../../format/formats.ts';
import { pathOf, writeWhole } from '../../files.ts';
import { withoutLoaders } from '../../loader-variables.ts';
import { placesOf } from '../../place.ts';
import { readCached } from '../../cache/read-cached.ts';
import { openSession } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { exportFlags } from './flags.ts';

export const exportSecrets: Action<typeof exportFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const session = await openSession(invocation);
  const format = FORMATS[flags.json ? 'json' : flags.format]!;
  const found = await readCached(invocation, session, await placesOf(invocation, session.client));
  const secrets = format.setsVariables ? withoutLoaders(found, flags['loader-variables'], io) : found;
  const text = await format.render(secrets, io);
  if (!flags['output-file']) return io.write(text);
  const path = pathFor(flags['output-file'], io.cwd, format.file);
  writeWhole(path, text);
  io.say('info', `Wrote ${secrets.length} secrets to ${path}`);
};

/** A directory gets a file with the usual name of the format. */
function pathFor(given: string, cwd: string, file: string): string {
  const path = pathOf(given, cwd);
  const isDirectory = given.endsWith('/') || statSync(path, { throwIfNoEntry: false })?.isDirectory();
  return isDirectory ? join(path, file) : path;
}
