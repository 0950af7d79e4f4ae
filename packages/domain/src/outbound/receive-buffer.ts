const INITIAL_SIZE = 4096;

/** Bytes that have arrived and are not read yet, in one block that grows. Its limit is the connection's, or its reader's. */
export class ReceiveBuffer {
  #block = Buffer.allocUnsafe(INITIAL_SIZE);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** A view, valid until the next call of `append`, `discard` or `clear`: the block is reused. */
  get bytes(): Buffer {
    return this.#block.subarray(0, this.#size);
  }

  append(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#block.length) {
      const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.#block.length));
      this.#block.copy(larger, 0, 0, this.#size);
      this.#block = larger;
    }
    chunk.copy(this.#block, this.#size);
    this.#size = size;
  }

  /** Removes the first bytes. */
  discard(length: number): void {
    this.#block.copyWithin(0, length, this.#size);
    this.#size -= length;
  }

  clear(): void {
    this.#size = 0;
  }
}
