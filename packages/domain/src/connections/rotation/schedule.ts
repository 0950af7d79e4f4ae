const DAY_MS = 86_400_000;

/** When a rotation is repeated. */
export interface Schedule {
  readonly isAutoRotationEnabled: boolean;
  /** Days. */
  readonly rotationInterval: number;
  /** Minutes after midnight, UTC. */
  readonly rotateAt: number;
}

/** The next rotation after one at this time: so many days later, at the time of day. Null where it is not repeated. */
export function nextRotation(last: Date, { isAutoRotationEnabled, rotationInterval, rotateAt }: Schedule): Date | null {
  if (!isAutoRotationEnabled) return null;
  const midnight = Math.floor(last.getTime() / DAY_MS) * DAY_MS;
  return new Date(midnight + rotationInterval * DAY_MS + rotateAt * 60_000);
}
