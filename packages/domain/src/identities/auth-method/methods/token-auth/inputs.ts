import { z } from 'zod';

/** How it is configured for an identity. */
export const Config = z.object({});
