import { Duplex } from 'node:stream';
import { checkMessage, messageBounds } from './message.ts';

const SIZE = 4096;

/**
 * Splits received data into messages, validated and one at a time: given several, the library recurses for each. The
 * library sees it as a connected socket.
 */
export class MessageStream extends Duplex {
  readonly connecting = false;
  readonly readyState = 'open';
  readonly #source: Duplex;
  #block = Buffer.allocUnsafe(SIZE);
  #size = 0;

  constructor(source: Duplex) {
    super({ readableObjectMode: true });
    this.#source = source;
    source.on('data', this.#take).on('close', this.#end);
  }

  /**
   * Detaches from the connection, which is then used in another way.
   *
   * @throws Error if data has arrived since
   */
  release(): void {
    this.#source.off('data', this.#take).off('close', this.#end);
    if (this.#size > 0 || this.readableLength > 0) throw new Error('The directory sent an unexpected message');
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#source.write(chunk, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#source.destroy();
    done(error);
  }

  readonly #end = (): void => {
    this.destroy();
  };

  readonly #take = (chunk: Buffer): void => {
    try {
      this.#keep(chunk);
      let at = 0;
      for (let bounds = messageBounds(this.#kept(at)); bounds; bounds = messageBounds(this.#kept(at))) {
        const end = at + bounds.end;
        if (end > this.#size) break;
        // A copy: the buffer is reused.
        this.push(checkMessage(Buffer.from(this.#block.subarray(at, end))));
        at = end;
      }
      this.#block.copyWithin(0, at, this.#size);
      this.#size -= at;
    } catch (error) {
      this.destroy(error as Error);
    }
  };

  #kept(at: number): Buffer {
    return this.#block.subarray(at, this.#size);
  }

  /** One growing buffer; the connection's own limit bounds it. */
  #keep(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#block.length) {
      const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.#block.length));
      this.#block.copy(larger, 0, 0, this.#size);
      this.#block = larger;
    }
    chunk.copy(this.#block, this.#size);
    this.#size = size;
  }
}
