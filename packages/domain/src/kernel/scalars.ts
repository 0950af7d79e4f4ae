import { z } from 'zod';

/**
 * The scalars of Coffer's inputs. Text of a query string or form is parsed exactly or rejected (422). `override` is the
 * form in the OpenAPI document.
 */

/** Characters of an ID or name that are looked at: more than any has. */
const MAX_NAMED = 512;
const inPart = (given: string): string => given.slice(0, MAX_NAMED);

/** What something is looked up by: any text, of which errors repeat only a part if it is longer than any name. */
export const LookedUp = z.string().trim().overwrite(inPart);

/**
 * An ID from a caller: any text. Text that is not a UUID is an unknown ID and gets the same 404 as others, whatever its length;
 * `isId` tells the two apart before a query. PostgreSQL accepts UUIDs in any case, caches and their tags do not: so the case is
 * normalized here.
 */
export const Id = LookedUp.toLowerCase().min(1).describe('UUID');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isId = (given: string): boolean => given.length === 36 && UUID.test(given);
/** Before all IDs that are given: where reading in their order begins. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** An ID or a name: IDs are normalized, names are not, because they may differ only in case. */
export const IdOrName = LookedUp.min(1)
  .overwrite((given) => (isId(given) ? given.toLowerCase() : given))
  .describe('UUID or name');

/** An id in an answer. */
export const Uuid = z.string().describe('UUID');

/** A boolean of a query: `true` and `false`, as JSON or as text; anything else is rejected. */
export const flag = () =>
  z
    .union([z.boolean(), z.enum(['true', 'false']).transform((given) => given === 'true')])
    .meta({ description: 'true or false', override: { type: 'boolean', anyOf: undefined } });

/** The largest number that `count` reads from text: every one of so many digits is exact. */
export const MAX_COUNT = 10 ** 15 - 1;

/** A whole number of a query within bounds, at most `MAX_COUNT`: a JSON number or its decimal text. */
export function count(min: number, max: number) {
  if (max > MAX_COUNT) throw new RangeError('A number of a query has at most 15 digits');
  return z
    .union([
      z.number(),
      z
        .string()
        .regex(/^-?\d{1,15}$/, 'Expected an integer')
        .transform(Number),
    ])
    .pipe(z.int().min(min).max(max))
    .meta({ override: { type: 'integer', anyOf: undefined, minimum: min, maximum: max } });
}

/** Comma-separated texts of a query. */
export const commaSeparated = () =>
  z.string().transform((given) =>
    given
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );

/** A time of an answer, ISO 8601 in UTC with milliseconds. */
export const Instant = z.date();

/** Trimmed and lower-cased, then: letters, digits and single hyphens, `min` to `max` characters. */
export const slug = (min = 1, max = 32) =>
  z
    .string()
    .transform((given) => given.trim().toLowerCase())
    .pipe(
      z
        .string()
        .min(min)
        .max(max)
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Use lower-case letters, digits and single hyphens'),
    )
    .meta({ override: { type: 'string', minLength: min, maxLength: max, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' } });

/** Free text of at most `max` characters that can be stored and comes back the same: well-formed Unicode without NUL. */
export const text = (max: number, missing?: string) =>
  z
    .string(missing)
    .max(max, { abort: true })
    .refine((given) => given.isWellFormed() && !given.includes('\0'), 'Expected well-formed Unicode without NUL');

/** A slug made from free text: `My Project!` becomes `my-project`. */
export const slugify = (given: string): string =>
  given
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** E-mail addresses are compared in lower case; that is also how they are stored. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email())
  .meta({ override: { type: 'string', format: 'email', maxLength: 254 } });

export const Timestamps = z.object({ createdAt: Instant, updatedAt: Instant });

/** How a user is shown to others. */
export const UserNames = z.object({
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
});

export const MetadataEntry = z.object({
  key: z.string().trim().min(1).max(255),
  value: z.string().max(1020).default(''),
});
/** `{key, value}` pairs that callers attach to identities and secrets. */
export const Metadata = z.array(MetadataEntry);
export type Metadata = z.output<typeof Metadata>;
