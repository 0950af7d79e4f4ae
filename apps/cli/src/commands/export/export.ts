import { statSync } from 'node:fs';
import { join } from 'node:path';
import { FORMATS } from '../../format/formats.ts';
import { pathOf, writeWhole } from '../../files.ts';
import { placesOf } from '../../place.ts';
import { readCached } from '../../cache/read-cached.ts';
import { openSession } from '../../session.ts';
import type { Action, Invocation } from '../../table/command.ts';
import { settable } from '../../variables.ts';
import type { exportFlags } from './flags.ts';
import { rendered } from './template.ts';

export const exportSecrets: Action<typeof exportFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const session = await openSession(invocation);
  if (flags.template) {
    const written = write(await rendered(flags.template, session.client, io), 'result', invocation);
    if (written !== undefined) io.say('info', `Wrote ${written}`);
    return;
  }
  const format = FORMATS[flags.json ? 'json' : flags.format]!;
  const found = await readCached(invocation, session, await placesOf(invocation, session.client));
  const secrets = format.setsVariables ? settable(found, { keepsLoaders: flags['loader-variables'] }, io) : found;
  const text = await format.render(secrets, io);
  const path = write(text, format.file, invocation);
  if (path !== undefined) io.say('info', `Wrote ${secrets.length} secrets to ${path}`);
};

/** Writes to the file that is named, and returns its path, else to standard output. */
function write(text: string, usualName: string, { flags, io }: Invocation<typeof exportFlags>): string | undefined {
  if (!flags['output-file']) {
    io.write(text);
    return undefined;
  }
  const path = pathFor(flags['output-file'], io.cwd, usualName);
  writeWhole(path, text);
  return path;
}

/** A directory gets a file with the usual name of the format. */
function pathFor(given: string, cwd: string, file: string): string {
  const path = pathOf(given, cwd);
  const isDirectory = given.endsWith('/') || statSync(path, { throwIfNoEntry: false })?.isDirectory();
  return isDirectory ? join(path, file) : path;
}
