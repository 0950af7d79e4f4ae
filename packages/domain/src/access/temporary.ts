import { z } from 'zod';
import { badRequest, duration, instant, Instant, parseDuration } from '../kernel/schema.ts';

/** How callers specify a time window: a start and a duration. */
export const Temporarily = {
  isTemporary: z.literal(true),
  temporaryMode: z.literal('relative'),
  temporaryRange: duration().describe('For example 30m, 1h, 2d'),
  temporaryAccessStartTime: instant().describe('RFC 3339'),
};

/** Forever, or for a time. */
export type TimeWindow =
  | { isTemporary: false }
  | { [Field in keyof typeof Temporarily]: z.output<(typeof Temporarily)[Field]> };

/** The published form of a time window: all fields except `isTemporary` are null for permanent grants. */
export const PublishedWindow = {
  isTemporary: z.boolean(),
  temporaryMode: z.string().nullable(),
  temporaryRange: z.string().nullable(),
  temporaryAccessStartTime: Instant.nullable(),
  temporaryAccessEndTime: Instant.nullable().describe('The start plus the range'),
};

interface StoredWindow {
  isTemporary: boolean;
  temporaryMode?: 'relative' | null | undefined;
  temporaryRange?: string | null | undefined;
  temporaryAccessStartTime?: Date | null | undefined;
  temporaryAccessEndTime?: Date | null | undefined;
}

const PERMANENT_WINDOW = {
  isTemporary: false,
  temporaryMode: null,
  temporaryRange: null,
  temporaryAccessStartTime: null,
  temporaryAccessEndTime: null,
};

/**
 * A validity period: from the start (inclusive) to the end (exclusive), in milliseconds; infinite for permanent grants.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The span of a stored time window. */
export const spanOf = (isTemporary: boolean, start: Date | null, end: Date | null): Span =>
  isTemporary
    ? { start: start?.getTime() ?? -Infinity, end: end?.getTime() ?? -Infinity }
    : { start: -Infinity, end: Infinity };

/** Whether `other` covers `span` from `now` on. */
export const isWithin = (span: Span, other: Span, now: number): boolean =>
  other.start <= Math.max(span.start, now) && other.end >= span.end;

const LATEST = Date.UTC(10_000, 0);

/** What the columns of a time window hold. @throws DomainError 400 `window.too_long`. */
export function storeWindow(window: TimeWindow) {
  if (!window.isTemporary) return PERMANENT_WINDOW;
  const { temporaryMode, temporaryRange, temporaryAccessStartTime } = window;
  const temporaryAccessEndTime = new Date(temporaryAccessStartTime.getTime() + parseDuration(temporaryRange)!);
  if (!(temporaryAccessEndTime.getTime() < LATEST))
    throw badRequest('window.too_long', 'Temporary access must end before the year 10000');
  return { isTemporary: true, temporaryMode, temporaryRange, temporaryAccessStartTime, temporaryAccessEndTime };
}

/** The period of a right in its event; absent where it is permanent. */
export const RecordedPeriod = {
  from: z.string().optional().describe('The beginning of a temporary right'),
  until: z.string().optional().describe('Its end'),
};

/** What an event says of a stored time window. */
export const recordedPeriod = (row: StoredWindow): { from?: string; until?: string } =>
  row.isTemporary
    ? {
        ...(row.temporaryAccessStartTime && { from: row.temporaryAccessStartTime.toISOString() }),
        ...(row.temporaryAccessEndTime && { until: row.temporaryAccessEndTime.toISOString() }),
      }
    : {};

/** The published form of a time window: every field, `null` if it is permanent. */
export const publishWindow = (row: StoredWindow) => ({
  isTemporary: row.isTemporary,
  temporaryMode: row.temporaryMode ?? null,
  temporaryRange: row.temporaryRange ?? null,
  temporaryAccessStartTime: row.temporaryAccessStartTime ?? null,
  temporaryAccessEndTime: row.temporaryAccessEndTime ?? null,
});

/** The span that a time window would have if it were stored. @throws DomainError 400 `window.too_long`. */
export function spanOfWindow(window: TimeWindow): Span {
  const { isTemporary, temporaryAccessStartTime, temporaryAccessEndTime } = storeWindow(window);
  return spanOf(isTemporary, temporaryAccessStartTime, temporaryAccessEndTime);
}
