import { CofferError, type CofferClient } from '@coffer/client';
import { isUnreachable } from '../again.ts';
import { CommandError } from '../exit.ts';
import { readConfig } from '../home.ts';
import type { Place } from '../place.ts';
import { readSecrets, type cachedReadFlags, type Secret } from '../secrets.ts';
import type { Session } from '../session.ts';
import type { Invocation } from '../table/command.ts';
import { cacheKey } from './key.ts';
import { cacheDirectory, OfflineCache } from './offline-cache.ts';

type Reader = Invocation<typeof cachedReadFlags>;

/**
 * Reads the secrets of folders, and keeps them for the time that the project allows. While the server is unreachable, what was kept is
 * used, which is said. A refusal is no such case, and removes what was kept.
 */
export async function readCached(reader: Reader, session: Session, places: readonly Place[]): Promise<Secret[]> {
  const { flags, io } = reader;
  const cache = flags['offline-cache'] ? await openCache(reader) : undefined;
  if (!cache) return readSecrets(session.client, places, flags, io);
  const name = nameOf(reader, session, places);
  try {
    const [secrets, maxAge] = await Promise.all([
      readSecrets(session.client, places, flags, io),
      allowedAge(session.client, places),
    ]);
    if (maxAge > 0) keep(cache, name, secrets, maxAge, reader);
    else cache.remove(name);
    return secrets;
  } catch (error) {
    if (!(error instanceof CofferError)) throw error;
    if (!isUnreachable(error)) cache.remove(name);
    const kept = isUnreachable(error) ? cache.read(name) : undefined;
    if (!kept) throw error;
    io.say('warn', `${error.message}: values of ${kept.storedAt.toISOString()} are used, from the offline cache`);
    return kept.content as Secret[];
  }
}

async function openCache({ io }: Reader): Promise<OfflineCache | undefined> {
  const directory = cacheDirectory(io.env);
  const key = await cacheKey(io, directory, readConfig(io.env));
  return key && new OfflineCache(directory, key);
}

/** A read that works does not fail because it cannot be kept. */
function keep(cache: OfflineCache, name: string, secrets: readonly Secret[], maxAge: number, { io }: Reader): void {
  try {
    cache.write(name, secrets, maxAge);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    io.say('debug', `Nothing is kept for offline use: ${error.message}`);
  }
}

/** Milliseconds for which the project allows it; 0 for whoever may not read its settings. */
async function allowedAge(client: CofferClient, [place]: readonly Place[]): Promise<number> {
  if (!place) return 0;
  try {
    const { project } = await client.projects.get.query({ projectId: place.projectId });
    return project.offlineCacheMaxAge * 1000;
  } catch (error) {
    if (error instanceof CofferError && !isUnreachable(error)) return 0;
    throw error;
  }
}

/** What was read, where, and by whom: others get other entries. */
function nameOf({ flags }: Reader, { domain, subject }: Session, places: readonly Place[]): string {
  const { expand, 'include-imports': imports, recursive, 'secret-overriding': overriding, tags } = flags;
  return JSON.stringify([domain, subject, places, { expand, imports, recursive, overriding, tags }]);
}
