import { Duplex } from 'node:stream';
import { ReceiveBuffer } from '../outbound/index.ts';
import { checkMessage, messageBounds } from './message.ts';

/**
 * Splits received data into messages, validated and one at a time: given several, the library recurses for each. The
 * library sees it as a connected socket.
 */
export class MessageStream extends Duplex {
  readonly connecting = false;
  readonly readyState = 'open';
  readonly #source: Duplex;
  readonly #received = new ReceiveBuffer();

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
    if (this.#received.size > 0 || this.readableLength > 0) throw new Error('The directory sent an unexpected message');
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
      this.#received.append(chunk);
      const { bytes } = this.#received;
      let at = 0;
      for (let bounds = messageBounds(bytes); bounds; bounds = messageBounds(bytes.subarray(at))) {
        const end = at + bounds.end;
        if (end > bytes.length) break;
        // A copy: the buffer is reused.
        this.push(checkMessage(Buffer.from(bytes.subarray(at, end))));
        at = end;
      }
      this.#received.discard(at);
    } catch (error) {
      this.destroy(error as Error);
    }
  };
}
