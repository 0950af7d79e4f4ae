import type { Duplex } from 'node:stream';
import { MAX_DATABASE_ANSWER } from '../../family/index.ts';
import { ReceiveBuffer } from '../../outbound/index.ts';
import { encodeFrame, HEADER, NoFrame, REQUEST, RESPONSE, withoutWarnings } from './frame.ts';

/** The flag of an answer that begins with warnings. */
const WARNING = 0x08;

/** The connection has ended. */
export class Ended extends Error {}

export interface Frame {
  readonly opcode: number;
  readonly body: Buffer;
}

interface Received {
  readonly opcode: number;
  readonly flags: number;
  readonly content: Buffer;
}

interface Waiting {
  resolve(received: Received): void;
  reject(error: Error): void;
}

/** Frames on a stream, for one request at a time. */
export class Wire {
  readonly #stream: Duplex;
  readonly #received = new ReceiveBuffer();
  #waiting: Waiting | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.once('close', () => this.#fail(new Ended()));
  }

  /** The answer to a request. @throws NoFrame, Ended; the connection is closed then */
  async ask(opcode: number, body: Buffer): Promise<Frame> {
    const answer = await new Promise<Received>((resolve, reject) => {
      if (this.#stream.destroyed) return reject(new Ended());
      this.#waiting = { resolve, reject };
      this.#stream.write(encodeFrame(REQUEST, opcode, body));
    });
    return { opcode: answer.opcode, body: answer.flags === WARNING ? withoutWarnings(answer.content) : answer.content };
  }

  #receive(chunk: Buffer): void {
    this.#received.append(chunk);
    const { bytes } = this.#received;
    if (bytes.length < HEADER) return;
    const length = bytes.readUInt32BE(5);
    const flags = bytes[1]!;
    // Nothing is compressed or traced, and there is one stream.
    if (
      bytes[0] !== RESPONSE ||
      (flags !== 0 && flags !== WARNING) ||
      bytes.readInt16BE(2) !== 0 ||
      length > MAX_DATABASE_ANSWER ||
      !this.#waiting
    )
      return this.#fail(new NoFrame());
    if (bytes.length < HEADER + length) return;
    // Nothing follows an answer.
    if (bytes.length > HEADER + length) return this.#fail(new NoFrame());
    const [opcode, content] = [bytes[4]!, Buffer.from(bytes.subarray(HEADER))];
    this.#received.clear();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting.resolve({ opcode, flags, content });
  }

  #fail(error: Error): void {
    this.#stream.destroy();
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}
