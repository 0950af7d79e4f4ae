import { z } from 'zod';
import { text } from '../../kernel/schema.ts';

/** What the inputs of several providers are made of. */

const MAX_STATEMENT = 20_000;

/** The name or address of a server, without a port. */
export const Host = text(255)
  .trim()
  .toLowerCase()
  .min(1)
  .regex(/^[^\s/?#@\\]+$/, 'Expected a host name or an address, without a port')
  .meta({ examples: ['db.example.com'] });

export const Port = z.int().min(1).max(65_535);

/** Statements of the target's language with placeholders in them. */
export const Statement = text(MAX_STATEMENT).trim().min(1);

/** The same where it may be left out. */
export const OptionalStatement = text(MAX_STATEMENT).trim().nullish();

/** A published field of an installation with gateways, of which there are none here. */
export const NoGateway = z.null('Gateways are not supported').optional().describe('Only null is supported');
