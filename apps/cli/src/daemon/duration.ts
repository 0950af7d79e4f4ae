const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

const PART = /(\d{1,12}(?:\.\d{1,9})?)(ms|[smhdwy])/y;

/** Milliseconds of a duration such as `90s`, `1h30m` or `30d`; of a number alone, seconds. `undefined` for what is none. */
export function parseDuration(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  let sum = text === '' ? undefined : 0;
  for (let at = 0; sum !== undefined && at < text.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const [, count, unit] = PART.exec(text) ?? [];
    sum = unit === undefined ? undefined : sum + Number(count) * UNITS[unit]!;
  }
  return sum;
}
