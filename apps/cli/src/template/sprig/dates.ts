import { TemplateError } from '../error.ts';
import { any, fn, text, type Functions } from '../functions.ts';
import { typeOf, type Value } from '../value.ts';

/** A time, or seconds since 1970. */
function instant(value: Value): Date {
  if (value instanceof Date) return value;
  if (typeof value === 'number') return new Date(value * 1000);
  throw new TemplateError(`expected a time, found ${typeOf(value)}`);
}

interface Parts {
  readonly date: Date;
  readonly of: (type: Intl.DateTimeFormatPartTypes, options: Intl.DateTimeFormatOptions) => string;
  /** Of the zone, such as +02:00. */
  readonly offset: string;
}

/** What each part of a layout of Go stands for. https://pkg.go.dev/time#pkg-constants */
const LAYOUT: Readonly<Record<string, (parts: Parts) => string>> = {
  January: ({ of }) => of('month', { month: 'long' }),
  Jan: ({ of }) => of('month', { month: 'short' }),
  Monday: ({ of }) => of('weekday', { weekday: 'long' }),
  Mon: ({ of }) => of('weekday', { weekday: 'short' }),
  '2006': ({ of }) => of('year', { year: 'numeric' }),
  '-07:00': ({ offset }) => offset,
  'Z07:00': ({ offset }) => (offset === '+00:00' ? 'Z' : offset),
  '-0700': ({ offset }) => offset.replace(':', ''),
  MST: ({ of }) => of('timeZoneName', { timeZoneName: 'short' }),
  '.000': ({ date }) => `.${String(date.getUTCMilliseconds()).padStart(3, '0')}`,
  '01': ({ of }) => of('month', { month: '2-digit' }),
  '02': ({ of }) => of('day', { day: '2-digit' }),
  '03': (parts) => twelve(parts).padStart(2, '0'),
  '04': ({ of }) => of('minute', { minute: '2-digit' }).padStart(2, '0'),
  '05': ({ of }) => of('second', { second: '2-digit' }).padStart(2, '0'),
  '06': ({ of }) => of('year', { year: '2-digit' }),
  '15': ({ of }) => of('hour', { hour: '2-digit', hourCycle: 'h23' }),
  _2: ({ of }) => of('day', { day: 'numeric' }).padStart(2),
  PM: ({ of }) => of('dayPeriod', { hour: 'numeric', hourCycle: 'h12' }),
  pm: ({ of }) => of('dayPeriod', { hour: 'numeric', hourCycle: 'h12' }).toLowerCase(),
  '1': ({ of }) => of('month', { month: 'numeric' }),
  '2': ({ of }) => of('day', { day: 'numeric' }),
  '3': (parts) => twelve(parts),
};
const PARTS = /January|Jan|Monday|Mon|2006|-07:00|Z07:00|-0700|MST|\.000|0[1-6]|15|_2|PM|pm|[123]/g;
const twelve = ({ of }: Parts): string => of('hour', { hour: 'numeric', hourCycle: 'h12' });

function format(layout: string, value: Value, timeZone?: string): string {
  const date = instant(value);
  const of: Parts['of'] = (type, options) => {
    try {
      const parts = new Intl.DateTimeFormat('en-US', { ...options, ...(timeZone && { timeZone }) }).formatToParts(date);
      return parts.find((part) => part.type === type)!.value;
    } catch {
      throw new TemplateError(`there is no time zone ${timeZone ?? ''}`);
    }
  };
  const long = of('timeZoneName', { timeZoneName: 'longOffset' });
  const offset = long.replace('GMT', '') || '+00:00';
  return layout.replaceAll(PARTS, (part) => LAYOUT[part]!({ date, of, offset }));
}

/** @see https://masterminds.github.io/sprig/date.html */
export const dates: Functions = {
  now: fn([], () => new Date()),
  date: fn([text, any], (layout, value) => format(layout, value)),
  dateInZone: fn([text, any, text], format),
  htmlDate: fn([any], (value) => format('2006-01-02', value)),
  unixEpoch: fn([any], (value) => String(Math.floor(instant(value).getTime() / 1000))),
};
