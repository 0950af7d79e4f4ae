import { z } from 'zod';

const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

const DAY_MINUTES = 24 * 60;
const MINUTE = 60_000;

/**
 * The moment that a text names by RFC 3339: with `Z` or any offset, any number of fraction digits (of which milliseconds
 * count, the others are cut off), `T` and `Z` in either case, or a space in place of the `T`. A leap second is the second
 * after it, where there can be one: at the end of a month in UTC. Seconds may be left out, which RFC 3339 does not allow.
 * `undefined` for everything else, and for what is not within the years 1 to 9999 in UTC.
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
  // A day that the month does not have becomes one of the next.
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

/** Reads a text by one of these, the first that fits. */
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

/** A time of a request, by RFC 3339: the only way in which operations take times, but for those of certificates. */
export const instant = () => instantBy(EXPECTED, parseInstant);
