import { accepted } from './accepted.ts';

/**
 * The one of some languages that `Accept-Language` prefers (RFC 9110, section 12.5.4), by lookup (RFC 4647, section 3.4): `de-AT`
 * finds `de`. Without any of them, the first.
 */
export function preferredLanguage(header: string | undefined, languages: readonly [string, ...string[]]): string {
  // The closest one: `en-GB` before `en`.
  const closest = languages.toSorted((one, other) => other.length - one.length);
  for (const [range, weight] of accepted(header).toSorted(([, one], [, other]) => other - one)) {
    const found = weight > 0 && closest.find((language) => isFoundBy(range, language.toLowerCase()));
    if (found) return found;
  }
  return languages[0];
}

const isFoundBy = (range: string, language: string): boolean => range === language || range.startsWith(`${language}-`);
