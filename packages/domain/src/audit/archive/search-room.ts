import { answerTooLarge, MAX_ANSWER } from '../../kernel/index.ts';
import { SEGMENT_BYTES } from './segment.ts';

/** The bytes of segments that one request may look through: some 90,000 ordinary events, in about half a second. */
const SEARCH_BYTES = 64 * 1024 * 1024;
/** What it costs to ask the database about events of a segment, as a multiple. */
const ASKING = 2;
/** What a segment costs that is not opened. */
const SUMMARY_BYTES = 8 * 1024;

export interface SearchRoomOptions {
  /** Waits for memory; see `Context.announceAnswer`. Called at most once. */
  readonly announce: (bytes: number) => Promise<void>;
  /** Bytes that may be looked through; for tests. */
  readonly bytes?: number | undefined;
}

/** What one request for events may look through, and the memory that it needs for that. */
export class SearchRoom {
  readonly #announce: (bytes: number) => Promise<void>;
  #left: number;
  #isAnnounced = false;

  constructor({ announce, bytes = SEARCH_BYTES }: SearchRoomOptions) {
    this.#announce = announce;
    this.#left = bytes;
  }

  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  /**
   * Waits for the memory of a segment, before it is opened. `isAsked`: whether the database will be asked about its events.
   *
   * @throws as `announce`.
   */
  async open(bytes: number, isAsked: boolean): Promise<void> {
    this.#left -= isAsked ? ASKING * bytes : bytes;
    await this.#wait(Math.max(bytes, SEGMENT_BYTES));
  }

  /** A segment is not opened, since it has nothing that is asked for. */
  passOver(): void {
    this.#left -= SUMMARY_BYTES;
  }

  /**
   * Waits for the memory of rows of so many bytes, and of a segment.
   *
   * @throws DomainError 400 `answer.too_large`; as `announce`.
   */
  async read(bytes: number): Promise<void> {
    if (bytes > MAX_ANSWER) throw answerTooLarge();
    await this.#wait(bytes + SEGMENT_BYTES);
  }

  async #wait(bytes: number): Promise<void> {
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    await this.#announce(bytes);
  }
}
