import { answerTooLarge, MAX_ANSWER, SMALL_ANSWER } from './answer-size.ts';
import type { Context } from './context.ts';

class NotAnnounced extends Error {}

/** Bounds the values in one answer: their sizes are known before they are read, or repeated. */
export class AnswerRoom {
  readonly #isAnnounced: boolean;
  #used = 0;

  constructor(isAnnounced: boolean) {
    this.#isAnnounced = isAnnounced;
  }

  /** @throws DomainError 400 `answer.too_large`. */
  take(bytes: number): void {
    this.#used += bytes;
    if (this.#used > MAX_ANSWER) throw answerTooLarge();
    if (this.#used > SMALL_ANSWER && !this.#isAnnounced) throw new NotAnnounced();
  }
}

/**
 * Reads something with values. If they are not small, it waits for memory for the largest answer, and reads again from
 * the start: rights may have changed meanwhile.
 */
export async function readInRoom<T>(ctx: Context, read: (room: AnswerRoom) => Promise<T>): Promise<T> {
  try {
    return await read(new AnswerRoom(false));
  } catch (error) {
    if (!(error instanceof NotAnnounced)) throw error;
  }
  await ctx.announceAnswer(MAX_ANSWER);
  return read(new AnswerRoom(true));
}
