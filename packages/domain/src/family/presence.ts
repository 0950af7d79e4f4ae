import { z } from 'zod';
import type { Configuration } from './configuration.ts';

/**
 * The view of sealed fields for callers who may read a configuration but not change it: only whether they are set. The
 * values are credentials of other systems.
 */

interface Sealing {
  readonly sealedFields: ReadonlyMap<string, unknown>;
}

/** The name of the field that tells whether a sealed one is set: `hasBindPass` for `bindPass`. */
export const presenceOf = (name: string): string => `has${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Whether each sealed field is set, by the name that `presenceOf` gives it. */
export const whatIsSet = ({ sealedFields }: Sealing, configuration: Configuration): Record<string, boolean> =>
  Object.fromEntries(Array.from(sealedFields.keys(), (name) => [presenceOf(name), isSet(configuration[name])]));

/** An answer without the values of its sealed fields: an empty text, or list, in place of each that is set. */
export function redacted<Answer extends object>({ sealedFields }: Sealing, answer: Answer): Answer {
  const empty = Object.entries(answer)
    .filter(([name, value]) => sealedFields.has(name) && isSet(value))
    .map(([name, value]) => [name, Array.isArray(value) ? [] : '']);
  return { ...answer, ...Object.fromEntries(empty) };
}

/** The published schemas of sealed fields, each with the one that tells whether it is set. */
export function answeredSealed(shape: z.ZodRawShape, sealedFields: ReadonlyMap<string, unknown>): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(shape)
      .filter(([name]) => sealedFields.has(name))
      .flatMap(([name, schema]) => [
        [name, emptyOr(schema as z.ZodType)],
        [
          presenceOf(name),
          z.boolean().describe(`Whether ${name} is set. The value is returned to callers who may edit it`),
        ],
      ]),
  );
}

const emptyOr = (schema: z.ZodType): z.ZodType => {
  const isTaken = ['', []].some((empty) => schema.safeParse(empty).success);
  return isTaken ? schema : z.union([schema, z.literal('')]);
};
