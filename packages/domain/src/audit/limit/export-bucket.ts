import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { Bucket, type BucketAccess, type BucketIo } from '../../apps/aws/index.ts';
import { hashInTurns } from '../../crypto/index.ts';
import { DomainError } from '../../kernel/index.ts';
import type { ExportStore, StoredFile, Verify } from './export-store.ts';

export interface ExportBucket extends BucketAccess {
  /** In front of each name; ends with a slash, or is empty. */
  readonly prefix: string;
}

/** Of the segments of one file, which is in memory twice: as it was made, and as it was read back. */
const MAX_SEGMENTS = 24 * 1024 * 1024;
/** Of a file: segments are compressed better than it, or one of them alone is larger. */
const MAX_FILE = 96 * 1024 * 1024;
/** An export of the same blocks of before their retention has more bytes, and not so many times more. */
const MOST_TIMES = 4;
/** The start of a server does not wait long for a store. */
const AT_START = { tries: 2, timeoutMs: 5_000 };
const CHECKED = 'coffer-audit-exports';

/**
 * Exports as objects of one bucket. No object is ever replaced. What an earlier attempt has stored before it ended counts, if it
 * verifies. Where something else has the name, the object gets another one, with the hour: a store that spoils what it gets is not
 * filled, and its objects are stored again within an hour after it is mended.
 */
export class BucketExports implements ExportStore {
  readonly place: string;
  readonly maxBytes = MAX_SEGMENTS;
  readonly #bucket: Bucket;
  readonly #checking: Bucket;
  readonly #prefix: string;
  readonly #now: () => Date;

  constructor(io: BucketIo, access: ExportBucket) {
    this.#now = () => io.now();
    this.#bucket = new Bucket(io, access);
    this.#checking = new Bucket({ ...io, ...AT_START }, access);
    this.#prefix = access.prefix;
    this.place = `s3://${access.bucket}/${access.prefix}`;
  }

  /** Stores an object that says what is kept here, unless it is there, and tries to replace it. */
  async check(): Promise<void> {
    const key = `${this.#prefix}${CHECKED}`;
    const text = Buffer.from('Exports of the audit log of Coffer.\n');
    await this.#checking.putNew(key, text);
    await this.#checking.get(key, text.length);
    if (await this.#checking.putNew(key, text))
      throw new Error(
        'the store replaces objects, though the request has If-None-Match: *. It has to support conditional writes',
      );
  }

  async store(name: string, text: AsyncIterable<string>, verify: Verify): Promise<StoredFile> {
    const own = new Extent();
    const counted = async function* () {
      for await (const chunk of text) {
        const bytes = Buffer.from(chunk);
        own.add(bytes);
        yield bytes;
      }
    };
    const content = await buffer(pipeline(Readable.from(counted()), createZstdCompress(), () => undefined));
    const events = await verify(opened(content));
    const sha256 = await hashOf(content);
    const maxBytes = Math.min(MAX_FILE, content.length + own.bytes * MOST_TIMES);
    const hour = this.#now().toISOString().slice(0, 13);
    for (const key of [name, name.replace('.', `.${hour}.`)]) {
      await this.#bucket.putNew(`${this.#prefix}${key}`, content);
      const there = await this.#find(key, maxBytes);
      if (!there) continue;
      const found = await hashOf(there);
      if (found === sha256) return { name: key, sha256, events };
      const theirs = await verify(opened(there, own)).catch(() => undefined);
      if (theirs !== undefined) return { name: key, sha256: found, events: theirs };
    }
    throw new Error(`${this.place} has something else under the name of ${name}, or changes what it stores`);
  }

  /** The object of a name; none for one of more bytes than an export of these blocks. */
  async #find(name: string, maxBytes: number): Promise<Uint8Array | undefined> {
    try {
      return await this.#bucket.get(`${this.#prefix}${name}`, maxBytes);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'outbound.too_large') return undefined;
      throw error;
    }
  }
}

/** How much a text has: its bytes, and those of its longest line. */
class Extent {
  bytes = 0;
  longestLine = 0;
  #line = 0;

  add(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    for (let from = 0; ;) {
      const end = chunk.indexOf(LINE_FEED, from);
      this.#line += (end === -1 ? chunk.length : end) - from;
      this.longestLine = Math.max(this.longestLine, this.#line);
      if (end === -1) return;
      this.#line = 0;
      from = end + 1;
    }
  }
}

const LINE_FEED = 10;

/**
 * What an object has. What others have stored may be anything: also one line without an end, which is put together again with each
 * of its parts.
 *
 * @param own Of an export of the same blocks.
 * @throws Error for more bytes, or a longer line.
 */
async function* opened(content: Uint8Array, own?: Extent): AsyncGenerator<Uint8Array> {
  const extent = new Extent();
  const chunks: AsyncIterable<Uint8Array> = pipeline(Readable.from([content]), createZstdDecompress(), () => undefined);
  for await (const chunk of chunks) {
    extent.add(chunk);
    if (own && (extent.bytes > own.bytes * MOST_TIMES || extent.longestLine > own.longestLine * MOST_TIMES))
      throw new Error('The object has more bytes, or longer lines, than an export of these blocks');
    yield chunk;
  }
}

const hashOf = async (content: Uint8Array): Promise<string> => (await hashInTurns(content)).toString('hex');
