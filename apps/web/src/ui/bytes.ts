import { language } from './language.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1000;

/** A number of bytes for people: `1.2 GB`. */
export function bytesText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(STEP)), UNITS.length - 1);
  const format = { style: 'unit', unit: UNITS[step]!, unitDisplay: 'short', maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(language, format).format(bytes / STEP ** step);
}
