/** Where exports of the oldest events are kept: a directory, or a bucket. */
export interface ExportStore {
  /** As operators know it. */
  readonly place: string;
  /** Bytes of compressed segments that one file is made of; unlimited if absent. */
  readonly maxBytes?: number;
  /**
   * Whether files can be stored there, before there is something to store.
   *
   * @throws Error with what is wrong.
   */
  check(): Promise<void>;
  /**
   * Stores text, compressed, under this name, durably. It is read back, and `verify` decides about what was read: nothing counts as stored before. What
   * another attempt or somebody else has stored is never replaced by something that does not verify.
   *
   * @throws Error if it cannot be stored, or does not verify.
   */
  store(name: string, text: AsyncIterable<string>, verify: Verify): Promise<StoredFile>;
}

/** The number of events in an export as it was read back. @throws Error if it is not what was to be stored */
export type Verify = (content: AsyncIterable<Uint8Array>) => Promise<number>;

export interface StoredFile {
  readonly name: string;
  /** Of the file, in hexadecimal. */
  readonly sha256: string;
  readonly events: number;
}
