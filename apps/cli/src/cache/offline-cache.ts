import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readIfThere, writePrivate } from '../files.ts';
import type { Environment } from '../parse.ts';

/** Where Coffer keeps what it can read again (XDG Base Directory Specification). */
export function cacheDirectory(env: Environment): string {
  const base = env['XDG_CACHE_HOME'];
  return join(base?.startsWith('/') ? base : join(env['HOME'] || homedir(), '.cache'), 'coffer');
}

/** Deletes all that is cached. */
export const deleteCache = (env: Environment): void => rmSync(cacheDirectory(env), { recursive: true, force: true });

interface Kept {
  /** Milliseconds since 1970. */
  readonly storedAt: number;
  /** Milliseconds for which it may be used. */
  readonly maxAge: number;
  readonly content: unknown;
}

/** The nonce and the tag of AES-256-GCM, in bytes. */
const [NONCE, TAG] = [12, 16];

/** Answers of a server in files of mode 0600, encrypted by AES-256-GCM. An entry opens only under the name that it was kept under. */
export class OfflineCache {
  readonly #directory: string;
  readonly #key: Buffer;

  constructor(directory: string, key: Buffer) {
    this.#directory = directory;
    this.#key = key;
  }

  /** @param maxAge Milliseconds. */
  write(name: string, content: unknown, maxAge: number): void {
    const kept: Kept = { storedAt: Date.now(), maxAge, content };
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([nonce, cipher.update(JSON.stringify(kept)), cipher.final(), cipher.getAuthTag()]);
    writePrivate(this.#pathOf(name), sealed.toString('base64'));
  }

  /** What was kept under a name, as long as it may be used. What is too old, or damaged, is deleted. */
  read(name: string): { readonly content: unknown; readonly storedAt: Date } | undefined {
    const text = readIfThere(this.#pathOf(name));
    if (text === undefined) return undefined;
    const kept = this.#open(name, text);
    // An age below zero: the clock was set back, which does not make it young.
    const age = kept && Date.now() - kept.storedAt;
    if (kept && age! >= 0 && age! <= kept.maxAge) return { content: kept.content, storedAt: new Date(kept.storedAt) };
    this.remove(name);
    return undefined;
  }

  remove = (name: string): void => rmSync(this.#pathOf(name), { force: true });

  #open(name: string, text: string): Kept | undefined {
    const bytes = Buffer.from(text, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE), { authTagLength: TAG });
      decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(-TAG));
      const opened = Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]);
      return JSON.parse(opened.toString()) as Kept;
    } catch {
      return undefined;
    }
  }

  #pathOf = (name: string): string =>
    join(this.#directory, `${createHmac('sha256', this.#key).update(name).digest('hex').slice(0, 40)}.sealed`);
}
