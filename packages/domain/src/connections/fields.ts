import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { badRequest, text, withoutSlashes } from '../kernel/index.ts';

interface Reading {
  /** Whose fields they are, for people. */
  readonly title: string;
  readonly code: string;
  /** The callers' names of the fields, if they differ. */
  readonly names?: Readonly<Record<string, string>> | undefined;
}

/**
 * Parses fields with a schema.
 *
 * @throws DomainError 400 with each field that is missing or invalid.
 */
export function readFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: unknown,
  { title, code, names = {} }: Reading,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(fields);
  if (success) return data;
  const faults = error.issues.map(({ path: [name, ...inner], message }) => ({
    name: [names[String(name)] ?? name, ...inner].join('.'),
    message,
  }));
  const named = [...new Set(faults.map(({ name }) => name))];
  const reasons = faults.map(({ name, message }) => `${name}: ${message}`);
  throw badRequest(code, `${title} needs ${named.join(', ')} (${reasons.join('; ')})`, { fields: named });
}

const MAX_TEXT = 1024;

/** A text that has to be there. */
export const needed = (message: string, max = MAX_TEXT) => text(max, message).trim().min(1, message);

/** A credential that is sent in a header. */
export const token = (what: string) => needed(what).regex(/^[\x21-\x7e]+$/, what);

/** The address of a server, as an https URL without user name, query and fragment. */
export const httpsUrl = (what: string) =>
  needed(what, 2048)
    .regex(/^https:\/\/[^/?#\s@\\]+(?:\/[^?#\s\\]*)?$/, what)
    .refine((url) => URL.canParse(url), what)
    .meta({ examples: ['https://server.example.com'] });

/** The name or address of a server, with its port where `pattern` allows one. */
export const serverHost = (what: string, pattern: RegExp) =>
  needed(what, 255)
    .toLowerCase()
    .regex(pattern, what)
    .refine((host) => URL.canParse(`https://${isIPv6(host) ? `[${host}]` : host}`), what);

/** The host of a URL, with its port unless that is the default one, in one form for all spellings. */
export const hostOf = (url: string): string => new URL(url).host.replace(/\.(?=:|$)/, '');

/** The system that is reached by a URL. */
export const systemAt = (url: string): { readonly name: string; readonly path: string } => ({
  name: hostOf(url),
  path: withoutSlashes(new URL(url).pathname).slice(1),
});
