interface Queued {
  readonly id: string;
  readonly organizationId: string;
  readonly dueAt?: Date | null;
}

/**
 * The queue of a job that calls other systems, which may be slow. At most `width` jobs of a kind run at a time for an
 * organization, so that they never occupy all workers. Organizations share 256 queues, in turns (see `inFairTurn`): a queue for
 * each would be a row for each, and the library locks all these rows for each job.
 */
export const lanes =
  (kind: string, width: 1 | 2 = 2) =>
  ({ id, organizationId }: Queued): string =>
    `${kind}:${organizationId.slice(-2)}${width === 1 ? '' : Number.parseInt(id.slice(-1), 16) % width}`;

/** The same where each row calls a host of its own: what is tried again has a queue of its own, and does not delay what is new. */
export const firstAndLater =
  (kind: string) =>
  ({ organizationId, dueAt }: Queued): string =>
    `${kind}:${organizationId.slice(-2)}${dueAt ? '1' : '0'}`;
