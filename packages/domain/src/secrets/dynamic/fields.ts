import { z } from 'zod';
import { text } from '../../kernel/schema.ts';
import { withoutSlashes } from '../../kernel/url.ts';

/** Common input fields of several providers. */

const MAX_STATEMENT = 20_000;

/** The name or address of a server, without a port. */
export const Host = text(255)
  .trim()
  .toLowerCase()
  .min(1)
  .regex(/^[^\s/?#@\\]+$/, 'Expected a host name or an address, without a port')
  .meta({ examples: ['db.example.com'] });

/** The same of a server that is asked by HTTP, with or without a scheme: see `originOf`. */
export const HttpHost = text(263)
  .trim()
  .toLowerCase()
  .transform((given) => withoutSlashes(given))
  .pipe(z.string().regex(/^(?:https?:\/\/)?[^\s/?#@\\]+$/, 'Expected a host, with or without https:// or http://'));

export const Port = z.int().min(1).max(65_535);

/** Statements of the target's language with placeholders in them. */
export const Statement = text(MAX_STATEMENT).trim().min(1);

/** The same, optional. */
export const OptionalStatement = text(MAX_STATEMENT).trim().nullish();

/** A published field of installations with gateways, which are not supported. */
export const NoGateway = z.null('Gateways are not supported').optional().describe('Only null is supported');

/** What a caller gets for a lease of a login with a password. */
export const UsernameAndPassword = z.object({ DB_USERNAME: z.string(), DB_PASSWORD: z.string() });
