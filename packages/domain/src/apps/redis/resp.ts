import type { Duplex } from 'node:stream';
import { MAX_DATABASE_ANSWER } from '../../family/index.ts';

/** A reply in RESP 2, the default protocol of Redis. */
export type Reply = string | number | null | RedisError | readonly Reply[];

/** An error reply of Redis: `WRONGPASS invalid username-password pair`. */
export class RedisError extends Error {}

/** The received data is not RESP, or a reply is too large; or the connection has ended. */
export class NoReply extends Error {
  readonly hasEnded: boolean;

  constructor(hasEnded = false) {
    super(hasEnded ? 'The connection has ended' : 'The response is not valid RESP');
    this.hasEnded = hasEnded;
  }
}

const LONGEST_LINE = 64 * 1024;
/** Maximum nesting of arrays. */
const DEEPEST = 8;

/**
 * A RESP client on a stream, for one caller at a time. Words of a command are sent with their lengths, so no content
 * can end them. (Not ioredis: an unsolicited reply `$-1` makes it throw an uncaught error.)
 */
export class RespConnection {
  readonly #stream: Duplex;
  readonly #chunks: Buffer[] = [];
  #wake: () => void = () => undefined;
  #left = 0;
  #isAsked = false;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => {
      if (!this.#isAsked) stream.destroy();
      this.#chunks.push(chunk);
      this.#wake();
    });
    stream.once('close', () => this.#wake());
  }

  /** The replies to commands, which are sent in one piece. Other data ends the connection, before or after. */
  async ask(commands: readonly (readonly string[])[]): Promise<Reply[]> {
    if (this.#stream.destroyed) throw new NoReply(true);
    this.#left = MAX_DATABASE_ANSWER;
    this.#isAsked = true;
    this.#stream.write(commands.map(encode).join(''));
    const replies: Reply[] = [];
    try {
      while (replies.length < commands.length) replies.push(await this.#reply());
      return replies;
    } finally {
      this.#isAsked = false;
      if (this.#chunks.length > 0 || replies.length < commands.length) this.#stream.destroy();
    }
  }

  async #reply(depth = 0): Promise<Reply> {
    const line = await this.#line();
    const [kind, rest] = [line.slice(0, 1), line.slice(1)];
    if (kind === '+') return rest;
    if (kind === '-') return new RedisError(rest);
    const number = this.#number(rest);
    if (kind === ':') return number;
    if (kind === '$') return number === -1 ? null : this.#text(number);
    if (kind === '*') return number === -1 ? null : this.#array(number, depth);
    throw new NoReply();
  }

  #number(text: string): number {
    if (!/^-?\d{1,19}$/.test(text)) throw new NoReply();
    return Number(text);
  }

  async #array(length: number, depth: number): Promise<Reply[]> {
    if (length < 0 || length > this.#left || depth >= DEEPEST) throw new NoReply();
    const replies: Reply[] = [];
    while (replies.length < length) replies.push(await this.#reply(depth + 1));
    return replies;
  }

  async #text(length: number): Promise<string> {
    if (length < 0 || length > this.#left) throw new NoReply();
    const bytes = await this.#take(length + 2, () => length + 2);
    if (bytes.toString('latin1', length) !== '\r\n') throw new NoReply();
    return bytes.toString('utf8', 0, length);
  }

  async #line(): Promise<string> {
    const bytes = await this.#take(LONGEST_LINE, (chunk, before) => {
      const end = chunk.indexOf('\n');
      return end < 0 ? undefined : before + end + 1;
    });
    if (bytes.at(-2) !== 13) throw new NoReply();
    return bytes.toString('utf8', 0, bytes.length - 2);
  }

  /** Reads until `find` knows the length of the data, which must not exceed `most`. */
  async #take(most: number, find: (chunk: Buffer, before: number) => number | undefined): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let size = 0; ;) {
      const chunk = this.#chunks.shift() ?? (await this.#next());
      const length = find(chunk, size);
      const taken = length === undefined ? chunk : chunk.subarray(0, length - size);
      size += taken.length;
      this.#left -= taken.length;
      if (size > most || this.#left < 0) throw new NoReply();
      parts.push(taken);
      if (taken.length < chunk.length) this.#chunks.unshift(chunk.subarray(taken.length));
      if (size === length) return Buffer.concat(parts);
    }
  }

  async #next(): Promise<Buffer> {
    while (this.#chunks.length === 0) {
      if (this.#stream.destroyed) throw new NoReply(true);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#chunks.shift()!;
  }
}

const encode = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
