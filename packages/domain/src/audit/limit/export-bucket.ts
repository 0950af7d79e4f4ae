import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { Bucket, type BucketAccess, type BucketIo } from '../../apps/aws/index.ts';
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
    await this.#checking.get(key, MAX_FILE);
    if (await this.#checking.putNew(key, text))
      throw new Error(
        'the store replaces objects, though the request has If-None-Match: *. It has to support conditional writes',
      );
  }

  async store(name: string, text: AsyncIterable<string>, verify: Verify): Promise<StoredFile> {
    let length = 0;
    const counted = async function* () {
      for await (const chunk of text) {
        length += chunk.length;
        yield chunk;
      }
    };
    const content = await buffer(pipeline(Readable.from(counted()), createZstdCompress(), () => undefined));
    const events = await verify(opened(content, Infinity));
    const sha256 = hashOf(content);
    const hour = this.#now().toISOString().slice(0, 13);
    for (const own of [name, name.replace('.', `.${hour}.`)]) {
      await this.#bucket.putNew(`${this.#prefix}${own}`, content);
      const there = await this.#bucket.get(`${this.#prefix}${own}`, MAX_FILE);
      if (hashOf(there) === sha256) return { name: own, sha256, events };
      const theirs = await verify(opened(there, length * MOST_TIMES)).catch(() => undefined);
      if (theirs !== undefined) return { name: own, sha256: hashOf(there), events: theirs };
    }
    throw new Error(`${this.place} has something else under the name of ${name}, or changes what it stores`);
  }
}

/** @throws Error for more bytes: what others have stored may be anything. */
async function* opened(content: Uint8Array, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  const chunks: AsyncIterable<Uint8Array> = pipeline(Readable.from([content]), createZstdDecompress(), () => undefined);
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) throw new Error('The object has more bytes than an export of these blocks');
    yield chunk;
  }
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
