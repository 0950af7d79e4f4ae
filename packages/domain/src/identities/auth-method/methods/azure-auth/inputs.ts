import { z } from 'zod';
import { isId, text } from '../../../../kernel/schema.ts';
import { commaList, Jwt } from '../../fields.ts';

const MAX_RESOURCE = 1024;

/** How it is configured for an identity. */
export const Config = z.object({
  tenantId: z
    .string()
    .trim()
    .max(36, { abort: true })
    .refine(isId, 'Expected the UUID of a tenant')
    .meta({ examples: ['00000000-0000-4000-8000-000000000000'] }),
  resource: text(MAX_RESOURCE).trim().min(1).describe('The audience of the tokens, with or without a trailing slash'),
  allowedServicePrincipalIds: commaList()
    .default('')
    .describe('Comma-separated object IDs. Empty: any service principal of the tenant'),
});

/** The facts of a login. */
export const Credentials = z.object({ jwt: Jwt });
