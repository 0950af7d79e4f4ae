import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import type { Pool } from 'pg';
import { chunksOf, exportRange } from '../export.ts';
import { chunksOfFile, linesOf, verifyExport } from '../verify.ts';

export interface ExportedRange {
  readonly organizationId: string;
  readonly first: number;
  readonly last: number;
}

export interface ExportFile {
  readonly name: string;
  /** Of the file, in hexadecimal. */
  readonly sha256: string;
  readonly events: number;
}

/**
 * Makes the directory for exports, if needed, for this user alone. What it is in has to be there: it may be a mount.
 *
 * @throws Error if nothing can be written there.
 */
export async function makeExportDirectory(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await access(directory, constants.W_OK | constants.X_OK);
}

/**
 * Writes an export of some blocks into a file, compressed, and durable before this resolves. It is read back and verified
 * as by an auditor, with the key of the server. A file of the same blocks is replaced.
 *
 * @throws Error if it cannot be written, or does not verify.
 */
export async function writeExportFile(
  pool: Pool,
  directory: string,
  { organizationId, first, last }: ExportedRange,
): Promise<ExportFile> {
  await makeExportDirectory(directory);
  const name = `audit-${organizationId}-${first}-${last}.jsonl.zst`;
  const draft = join(directory, `.${name}.${process.pid}.part`);
  await rm(draft, { force: true });
  try {
    await writeDurably(draft, exportRange(pool, organizationId, { first, last }));
    const { rows } = await pool.query<{ key: string }>('select audit_public_key as key from instance');
    const report = await verifyExport(linesOf(chunksOfFile(draft, true)), { publicKey: rows[0]!.key });
    const isWhole = report.valid && report.first?.sequence === first && report.last?.sequence === last;
    if (!isWhole)
      throw new Error(`The exported audit log does not verify: ${report.fault?.reason ?? 'blocks are missing'}`);
    const sha256 = await hashOf(draft);
    await rename(draft, join(directory, name));
    await syncDirectory(directory);
    return { name, sha256, events: report.events };
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

const writeDurably = (path: string, lines: AsyncIterable<string>): Promise<void> =>
  pipeline(
    Readable.from(chunksOf(lines, () => Promise.resolve())),
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
