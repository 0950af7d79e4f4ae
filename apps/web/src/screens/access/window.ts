/** A time window as the API has it in roles and privileges. */
export interface StoredWindow {
  readonly isTemporary: boolean;
  readonly temporaryRange: string | null;
  readonly temporaryAccessStartTime: string | null;
  readonly temporaryAccessEndTime: string | null;
}

/** The same in a form. `start` is what a `datetime-local` field has, in local time; empty is «now». */
export interface Window {
  readonly isTemporary: boolean;
  readonly range: string;
  readonly start: string;
}

export const FOREVER: Window = { isTemporary: false, range: '8h', start: '' };

export const windowOf = ({ isTemporary, temporaryRange, temporaryAccessStartTime }: StoredWindow): Window =>
  isTemporary ? { isTemporary, range: temporaryRange ?? '', start: toLocal(temporaryAccessStartTime ?? '') } : FOREVER;

const DURATION = /^\d+(?:\.\d+)?\s*(?:ms|s|m|h|d|w|y)$/i;
export const isGoodWindow = ({ isTemporary, range, start }: Window): boolean =>
  !isTemporary || (DURATION.test(range.trim()) && (start === '' || !Number.isNaN(Date.parse(start))));

/** As it is sent. `now` is when the form was opened, so that the same form is the same input. */
export const toWindow = ({ isTemporary, range, start }: Window, now: string) =>
  isTemporary
    ? {
        isTemporary: true as const,
        temporaryMode: 'relative' as const,
        temporaryRange: range.trim(),
        temporaryAccessStartTime: start === '' ? now : new Date(start).toISOString(),
      }
    : { isTemporary: false as const };

/** `2026-03-01T09:00:00` in local time. */
function toLocal(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** Whether it has not begun, is over, or is on. */
export function stateOf(window: StoredWindow, now = Date.now()): 'on' | 'upcoming' | 'over' {
  if (!window.isTemporary) return 'on';
  if (Date.parse(window.temporaryAccessStartTime ?? '') > now) return 'upcoming';
  return Date.parse(window.temporaryAccessEndTime ?? '') <= now ? 'over' : 'on';
}
