import { texts } from './texts.ts';

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** A user agent in two words: `Firefox on Linux`; of other programs the first word. */
export function programOf(userAgent: string | null): string {
  if (!userAgent) return texts.unknownProgram;
  const found = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([sign]) => userAgent.includes(sign))?.[1];
  const browser = found(BROWSERS);
  if (browser === undefined) return userAgent.split(' ')[0] ?? userAgent;
  const system = found(SYSTEMS);
  return system === undefined ? browser : texts.browserOnSystem(browser, system);
}
