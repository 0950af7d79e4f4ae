import { badRequest } from './errors.ts';

/** The maximum size of an answer in bytes; of a batch, of all its answers together. */
export const MAX_ANSWER = 64 * 1024 * 1024;

/** The maximum size in bytes of values that are read for an answer without `announceAnswer`. */
export const SMALL_ANSWER = 1024 * 1024;

export const answerTooLarge = () =>
  badRequest(
    'answer.too_large',
    `The answer would have more than ${MAX_ANSWER / 1024 / 1024} MiB. Ask for less at a time: a folder further down, one page, no imports, a list without values, or fewer calls in a batch`,
  );
