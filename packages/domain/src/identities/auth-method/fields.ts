import { z } from 'zod';
import { text } from '../../kernel/schema.ts';

/** Common fields of several members. */

/** Characters, without the blanks between entries. */
const MAX_LIST = 4096;
const MAX_URL = 2048;
const MAX_TOKEN = 20_000;

export const entriesOf = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/**
 * A list in one text, as in the published API: entries separated by commas, stored with one blank after each comma.
 * Empty means any. `entry` validates each entry.
 */
export const commaList = (entry = /./s, expected = 'Expected a comma-separated list') =>
  text(2 * MAX_LIST)
    .overwrite((list) => entriesOf(list).join(', '))
    .refine((list) => entriesOf(list).join().length <= MAX_LIST, `At most ${MAX_LIST} characters`)
    .refine((list) => entriesOf(list).every((one) => entry.test(one)), expected);

export const isEmptyList = (list: string): boolean => entriesOf(list).length === 0;

/** Whether a list accepts a value: it contains the value, or is empty. Case-sensitive. */
export const allows = (
  list: string,
  value: string | undefined,
  matches: (entry: string, value: string) => boolean = (entry, given) => entry === given,
): boolean => {
  const entries = entriesOf(list);
  return entries.length === 0 || (value !== undefined && entries.some((entry) => matches(entry, value)));
};

/** The same for a value of several, however many there are: a list is read once. */
export const allowsOneOf = (list: string, values: ReadonlySet<string>): boolean => {
  const entries = entriesOf(list);
  return values.size > 0 && (entries.length === 0 || entries.some((entry) => values.has(entry)));
};

/** The address of a remote: https, without credentials, fragment and, unless it is enabled, query. Stored as given. */
export const httpsUrl = ({ query = false } = {}) =>
  z
    .string()
    .trim()
    .min(1)
    .max(MAX_URL, { abort: true })
    .refine(
      (given) => isHttpsUrl(given, query ? /#/ : /[?#]/),
      `Expected an https URL without ${query ? 'user name' : 'user name, query'} and fragment`,
    )
    .meta({ examples: ['https://cluster.example.com'] });

function isHttpsUrl(given: string, unwanted: RegExp): boolean {
  const url = URL.parse(given);
  if (!url || url.protocol !== 'https:') return false;
  return !url.username && !url.password && !unwanted.test(given);
}

/** The token of another issuer, as a login presents it. */
export const Jwt = z.string().trim().min(1).max(MAX_TOKEN).describe('A JWT of the external issuer');
