import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { issueSetupCode, type Coffer } from '@coffer/domain';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { writeOwnerDraft } from './owner-file.ts';

/** How the first administrator is made. */
export interface Setup {
  /** What callers from other machines, and by proxies, have to send. */
  readonly code: string;
  /** Whether everybody has to send it. */
  readonly isRequired: boolean;
  /** The file with the code; absent if the data directory is not writable. */
  readonly file: string | undefined;
}

/**
 * Creates a new set-up code, replacing the one of the previous start, and writes it to a file for the operator; none,
 * and no file, if there is an administrator already.
 */
export async function openSetup(
  config: Config,
  coffer: Coffer,
  { log, isRequired }: { log: Logger; isRequired: boolean },
): Promise<Setup | undefined> {
  const path = join(resolve(config.COFFER_DATA_DIR), 'setup-code');
  const previous = await readFile(path, 'utf8').catch(() => '');
  const ctx = coffer.contextFor({ type: 'platform', organizationId: undefined });
  const code = await issueSetupCode(ctx, previous.trim());
  if (code === undefined) {
    await rm(path, { force: true }).catch(() => undefined);
    return undefined;
  }
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(await writeOwnerDraft(path, `${code}\n`), path);
    return { code, isRequired, file: path };
  } catch (error) {
    log.warn({ err: error }, `The set-up code could not be written to ${path}; it is only in the log`);
    return { code, isRequired, file: undefined };
  }
}
