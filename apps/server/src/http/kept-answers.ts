import { createCipheriv, createDecipheriv, generateKeySync, type KeyObject } from 'node:crypto';
import { isRecent, type PendingEvent } from '@coffer/domain';

/** Bytes of an answer that is kept at most, with its events: larger ones need memory that is announced first. */
const MAX_ANSWER = 1024 * 1024;
/** Bytes of all kept answers of the processes of a machine. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Milliseconds for which an answer is kept. */
const LIFE_MS = 60_000;
/** Tags that are remembered until they are asked for again. */
const MAX_SEEN = 10_000;
const TAG = 16;

interface Kept {
  /** The ciphertext, then its tag. */
  readonly sealed: Buffer;
  readonly nonce: Buffer;
  readonly events: readonly PendingEvent[];
  /** With its events, which name folders. */
  readonly bytes: number;
  readonly since: number;
}

/** A response, and the events of the reads that it is made of. */
export interface KeptAnswer {
  readonly body: Buffer;
  readonly events: readonly PendingEvent[];
}

/**
 * Responses by their `ETag`, encrypted under a key of this process. The tag is made from everything that a response depends
 * on; the caller checks whether that is still present. A response is kept when it is made for the second time: most
 * are read once.
 */
export class KeptAnswers {
  readonly #key: KeyObject = generateKeySync('aes', { length: 256 });
  readonly #maxBytes: number;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();
  readonly #seen = new Set<string>();
  #bytes = 0;
  #sealed = 0n;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(now: () => number, processes = 1) {
    this.#now = now;
    this.#maxBytes = MAX_BYTES / processes;
  }

  has(etag: string): boolean {
    const kept = this.#kept.get(etag);
    return kept !== undefined && isRecent(kept.since, LIFE_MS, this.#now());
  }

  find(etag: string): KeptAnswer | undefined {
    const kept = this.#kept.get(etag);
    if (!kept || !isRecent(kept.since, LIFE_MS, this.#now())) return undefined;
    // The least recently used one comes first.
    this.#kept.delete(etag);
    this.#kept.set(etag, kept);
    return { body: this.#open(etag, kept), events: kept.events };
  }

  /** Whether a response is worth keeping: it was made before. */
  wants(etag: string): boolean {
    if (this.#seen.delete(etag)) return true;
    if (this.#seen.size >= MAX_SEEN) this.#seen.clear();
    this.#seen.add(etag);
    return false;
  }

  keep(etag: string, { body, events }: KeptAnswer): void {
    const bytes = body.length + events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
    if (bytes > MAX_ANSWER) return;
    if (this.#kept.has(etag)) this.#drop(etag);
    const kept = { ...this.#seal(etag, body), events, bytes, since: this.#now() };
    this.#kept.set(etag, kept);
    this.#bytes += bytes;
    for (const [oldest] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
    this.#sweepLater();
  }

  close(): void {
    clearTimeout(this.#sweeper);
    this.#kept.clear();
  }

  #drop(etag: string): void {
    this.#bytes -= this.#kept.get(etag)!.bytes;
    this.#kept.delete(etag);
  }

  /** What is deleted elsewhere does not stay in memory, also where nothing is read any more. */
  #sweepLater(): void {
    this.#sweeper ??= setTimeout(() => {
      this.#sweeper = undefined;
      const now = this.#now();
      for (const [etag, { since }] of this.#kept) if (!isRecent(since, LIFE_MS, now)) this.#drop(etag);
      if (this.#kept.size > 0) this.#sweepLater();
    }, LIFE_MS).unref();
  }

  /** The nonce is a counter (NIST SP 800-38D, section 8.2.1): the key is that of one process. */
  #seal(etag: string, body: Buffer): Pick<Kept, 'sealed' | 'nonce'> {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(this.#sealed++, 4);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(etag));
    return { sealed: Buffer.concat([cipher.update(body), cipher.final(), cipher.getAuthTag()]), nonce };
  }

  #open(etag: string, { sealed, nonce }: Kept): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG });
    decipher.setAAD(Buffer.from(etag)).setAuthTag(sealed.subarray(-TAG));
    const body = decipher.update(sealed.subarray(0, -TAG));
    decipher.final();
    return body;
  }
}
