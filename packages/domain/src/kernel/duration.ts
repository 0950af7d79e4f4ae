import { z } from 'zod';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Milliseconds. */
export const DAY = 24 * HOUR;
/** Milliseconds. */
export const YEAR = 365.25 * DAY;
const UNITS: Record<string, number> = {
  ms: 1,
  msec: 1,
  msecs: 1,
  millisecond: 1,
  milliseconds: 1,
  s: SECOND,
  sec: SECOND,
  secs: SECOND,
  second: SECOND,
  seconds: SECOND,
  m: MINUTE,
  min: MINUTE,
  mins: MINUTE,
  minute: MINUTE,
  minutes: MINUTE,
  h: HOUR,
  hr: HOUR,
  hrs: HOUR,
  hour: HOUR,
  hours: HOUR,
  d: DAY,
  day: DAY,
  days: DAY,
  w: 7 * DAY,
  week: 7 * DAY,
  weeks: 7 * DAY,
  y: YEAR,
  yr: YEAR,
  yrs: YEAR,
  year: YEAR,
  years: YEAR,
};

/** The longest text of a duration, in characters. */
const MAX_DURATION = 100;

/**
 * Milliseconds of a duration in the common short notation: a number and a unit (`30m`, `1.5 hours`, `2d`); a bare
 * number means milliseconds. `undefined` where the text is none.
 */
export function parseDuration(text: string): number | undefined {
  const match = text.length <= MAX_DURATION && /^(\d+(?:\.\d+)?|\.\d+) *([a-z]*)$/i.exec(text.trim());
  if (!match) return undefined;
  const unit = UNITS[(match[2] || 'ms').toLowerCase()];
  return unit === undefined ? undefined : Math.round(Number(match[1]) * unit);
}

/** A duration of a request, such as `30m`, `1h`, `2d`: text in, the same text out; more than zero. */
export const duration = () =>
  z
    .string()
    .max(MAX_DURATION, { abort: true })
    .refine((text) => (parseDuration(text) ?? 0) > 0, 'Expected a duration, for example 30m, 8h or 2d')
    .meta({ examples: ['30m'] });
