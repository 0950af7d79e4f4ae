const UNITS = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;
type Unit = keyof typeof UNITS;

/** Seconds as `30m`, `8h` or `2d`, in the largest unit without a rest; empty for 0. */
export function durationText(seconds: number): string {
  if (seconds === 0) return '';
  const unit = (Object.keys(UNITS) as Unit[]).find((one) => seconds % UNITS[one] === 0) ?? 's';
  return `${seconds / UNITS[unit]}${unit}`;
}

/** The seconds of such a text; `undefined` if it is none. */
export function secondsIn(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  const [, count, unit] = /^(\d{1,9})\s*([smhd])$/.exec(trimmed) ?? [];
  return unit === undefined ? undefined : Number(count) * UNITS[unit as Unit];
}
