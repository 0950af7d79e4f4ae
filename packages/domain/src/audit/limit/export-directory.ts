import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { chunksOfFile } from '../verify.ts';
import type { ExportStore, StoredFile, Verify } from './export-store.ts';

/** What is written becomes a file of its own name when it was verified. */
const DRAFT = /^\.audit-.+\.part$/;
/** Milliseconds after which nobody writes to a draft any more: its process was killed. */
const ABANDONED_MS = 3_600_000;

/** Exports as files of one directory, for this user alone. A file of the same blocks is replaced by another one that verifies. */
export class DirectoryExports implements ExportStore {
  readonly place: string;

  constructor(directory: string) {
    this.place = directory;
  }

  /** Makes the directory, if needed. What it is in has to be there: it may be a mount. */
  async check(): Promise<void> {
    await mkdir(this.place, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await access(this.place, constants.W_OK | constants.X_OK);
  }

  async store(name: string, text: AsyncIterable<string>, verify: Verify): Promise<StoredFile> {
    await this.check();
    await this.#removeAbandoned();
    // Its own, since others may export the same blocks at the same time.
    const draft = join(this.place, `.${name}.${randomUUID()}.part`);
    try {
      await writeDurably(draft, text);
      const events = await verify(chunksOfFile(draft, true));
      const sha256 = await hashOf(draft);
      await rename(draft, join(this.place, name));
      await syncDirectory(this.place);
      return { name, sha256, events };
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async #removeAbandoned(): Promise<void> {
    for (const name of await readdir(this.place)) {
      if (!DRAFT.test(name)) continue;
      const draft = join(this.place, name);
      // Others may have removed it, or have given it its name.
      const there = await stat(draft).catch(() => undefined);
      if (there && there.mtimeMs < Date.now() - ABANDONED_MS) await rm(draft, { force: true });
    }
  }
}

const writeDurably = (path: string, text: AsyncIterable<string>): Promise<void> =>
  pipeline(
    Readable.from(text),
    createZstdCompress(),
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  );

async function hashOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}

async function syncDirectory(directory: string): Promise<void> {
  const place = await open(directory, 'r');
  try {
    await place.sync();
  } finally {
    await place.close();
  }
}
