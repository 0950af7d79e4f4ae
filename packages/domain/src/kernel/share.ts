/** The share of a limit that one of several processes has, at least `least`. 0 stays «no limit». */
export const shareOf = (limit: number, processes: number, least = 1): number =>
  limit === 0 ? 0 : Math.max(least, Math.floor(limit / processes));

/**
 * How much of something one caller may have, when it has `portion` times what remains: with 3 three quarters, then three
 * quarters of what remains for the next caller, and so on. The last one is only for a caller that has none: wherever there
 * are two, no caller has all.
 */
export type Portion = 1 | 3;

/** Whether a caller that has `own` may have one more of the `free` ones. */
export const mayHaveOneMore = (own: number, free: number, portion: Portion): boolean =>
  free > 0 && (own === 0 || own + 1 <= portion * (free - 1));

/** What a caller gets of a limit while nobody else has anything. */
export const mostOfOneCaller = (limit: number, portion: Portion): number =>
  limit < 2 ? limit : Math.max(1, Math.floor((limit * portion) / (portion + 1)));
