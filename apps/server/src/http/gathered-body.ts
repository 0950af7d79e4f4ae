import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { closed } from './transfer-memory.ts';

/** Bytes that are handed over at once. Nothing more is received while so many wait for the reader. */
const PIECE = 16 * 1024;

/**
 * A body that is received from the start, also before its request is admitted. What arrives in chunks of a byte takes a
 * hundred times its size in objects of Node; here it is put together. If nobody reads it, the client waits.
 */
export class GatheredBody extends Readable {
  readonly #body: IncomingMessage;
  #piece = Buffer.allocUnsafe(PIECE);
  /** The part of the piece that is not handed over yet. */
  #start = 0;
  #end = 0;
  #isWanted = false;
  #isPaused = false;
  readonly #receive: Readable['_read'];
  #flushing: NodeJS.Immediate | undefined;

  constructor(body: IncomingMessage) {
    super({ highWaterMark: PIECE });
    this.#body = body;
    this.#receive = body._read.bind(body);
    body.on('data', this.#add);
    body.once('end', this.#finish);
    body.once('error', this.#fail);
    // Its reader gets it too, if there is one.
    this.on('error', () => undefined);
  }

  override _read(): void {
    this.#isWanted = true;
    this.#flush();
    this.#resume();
  }

  /** What still arrives is dropped; the connection goes on. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearImmediate(this.#flushing);
    this.#body.off('data', this.#add).off('end', this.#finish);
    this.#body.resume();
    this.#resume();
    done(error);
  }

  readonly #add = (chunk: Buffer): void => {
    for (let rest = chunk; rest.length > 0;) {
      const copied = rest.copy(this.#piece, this.#end);
      this.#end += copied;
      rest = rest.subarray(copied);
      if (this.#end === PIECE) this.#flush();
    }
    // After everything that has arrived together.
    if (this.#isWanted) this.#flushing ??= setImmediate(this.#flush);
  };

  readonly #finish = (): void => {
    this.#flush();
    this.push(null);
  };

  readonly #fail = (): void => {
    this.destroy(closed());
  };

  readonly #flush = (): void => {
    clearImmediate(this.#flushing);
    this.#flushing = undefined;
    if (this.#start === this.#end) return;
    const part = this.#piece.subarray(this.#start, this.#end);
    this.#start = this.#end;
    if (this.#end === PIECE) {
      this.#piece = Buffer.allocUnsafe(PIECE);
      this.#start = this.#end = 0;
    }
    this.#isWanted = false;
    if (!this.push(part)) this.#pause();
  };

  /** Node would resume the connection whenever the body, whose data are taken at once, can hold more. */
  #pause(): void {
    this.#isPaused = true;
    this.#body._read = () => undefined;
    // Tests without connections have none.
    this.#body.socket.pause?.();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#body._read = this.#receive;
    this.#body._read(PIECE);
  }
}
