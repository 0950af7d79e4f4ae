import { texts } from './texts.ts';
import { language } from './language.ts';

const RELATIVE = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
const EXACT = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** The seconds of a number of days as it is typed. */
export const secondsOfDays = (days: string): number => Math.round(Number(days) * 86_400);

/** How long ago, or how soon, an instant is: `3 hours ago`. */
export function relative(instant: string, now = Date.now()): string {
  const seconds = (new Date(instant).getTime() - now) / 1000;
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.trunc(seconds / size), unit);
  return Math.abs(seconds) < 10 ? texts.now : RELATIVE.format(Math.trunc(seconds), 'second');
}

/** An instant in full, in local time. */
export const exactTime = (instant: string): string => EXACT.format(new Date(instant));

/** An instant, relative to now, with the exact one as its tool tip. */
export const Time = ({ at }: { readonly at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={exactTime(at)}>
      {relative(at)}
    </time>
  ) : (
    <>–</>
  );

/** An instant that matters to the minute: itself, and how soon it is. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at}>
    {EXACT.format(new Date(at))} ({relative(at)})
  </time>
);
