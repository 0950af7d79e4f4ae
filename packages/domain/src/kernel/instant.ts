import { z } from 'zod';

const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

const DAY_MINUTES = 24 * 60;
const MINUTE = 60_000;

/**
 * The time of a text in RFC 3339: with `Z` or any offset, any number of fraction digits (truncated to milliseconds),
 * `T` and `Z` in either case, or a space instead of the `T`. A leap second becomes the following second, if it is
 * possible: at the end of a month in UTC. Seconds may be omitted, contrary to RFC 3339. `undefined` for everything
 * else, and outside of the years 1 to 9999 in UTC.
 */
export function parseInstant(text: string): Date | undefined {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const [, day, hour, minute, second = '00', fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  const offset = Number(offsetHour) * 60 + Number(offsetMinute);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60 || Number(offsetMinute) > 59) return undefined;
  if (offset >= DAY_MINUTES) return undefined;
  const isLeap = second === '60';
  const milliseconds = isLeap ? '000' : fraction.slice(0, 3).padEnd(3, '0');
  const local = new Date(`${day}T${hour}:${minute}:${isLeap ? '59' : second}.${milliseconds}Z`);
  // Date.parse turns an invalid day into one of the next month.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 10) !== day) return undefined;
  const named = new Date(local.getTime() - (sign === '-' ? -offset : offset) * MINUTE + (isLeap ? 1000 : 0));
  if (isLeap && !isStartOfMonth(named)) return undefined;
  return isInRange(named) ? named : undefined;
}

/** What the database and RFC 3339 can write down. */
const isInRange = (date: Date): boolean => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999;

const isStartOfMonth = (date: Date): boolean =>
  date.getUTCDate() === 1 && date.getTime() % (DAY_MINUTES * MINUTE) === 0;

const EXPECTED =
  'Expected a time by RFC 3339 in the years 1 to 9999, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00.5+01:00 (in a query, + is written %2B)';

/** Parses a text with the first of these formats that matches. */
export const instantBy = (expected: string, ...readers: readonly ((text: string) => Date | undefined)[]) =>
  z
    .union(
      [
        z.date().refine(isInRange),
        z.string().transform((text, ctx) => {
          for (const read of readers) {
            const found = read(text);
            if (found) return found;
          }
          ctx.addIssue({ code: 'custom', message: expected });
          return z.NEVER;
        }),
      ],
      { error: expected },
    )
    .meta({ override: { type: 'string', format: 'date-time', anyOf: undefined } });

/** A time in a request, by RFC 3339: for all operations except those of certificates. */
export const instant = () => instantBy(EXPECTED, parseInstant);
