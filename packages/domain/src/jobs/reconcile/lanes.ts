import type { Due } from './description.ts';

/**
 * The queue of a job that calls other systems, which may be slow: of an organization, no more than `width` of a kind run at a time, so
 * that they never take all of what runs the jobs of everybody. A queue for each organization would be one row for each, and the
 * library locks all of them for each job: organizations share 256, in turns (see `inFairTurn`).
 */
export const lanes =
  (kind: string, width: 1 | 2 = 2) =>
  ({ id, organizationId }: Due): string =>
    `${kind}:${organizationId.slice(-2)}${width === 1 ? '' : Number.parseInt(id.slice(-1), 16) % width}`;

/** The same where each row calls a host of its own: what is tried again has a queue of its own, and does not delay what is new. */
export const firstAndLater =
  (kind: string) =>
  ({ organizationId, dueAt }: Due): string =>
    `${kind}:${organizationId.slice(-2)}${dueAt ? '1' : '0'}`;
