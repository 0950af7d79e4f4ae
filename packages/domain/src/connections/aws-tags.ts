import { z } from 'zod';

/** Tags of a resource at AWS. */
export const AwsTags = z.array(z.object({ key: z.string().min(1).max(128), value: z.string().max(256) })).max(50);
