const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** Milliseconds of a duration such as `90s`, `1h30m` or `30d`; of a number alone, seconds. `undefined` for what is none. */
export function parseDuration(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhdwy]))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdwy])/g);
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
}
