import { z } from 'zod';
import { count } from './scalars.ts';

/** `offset` and `limit` of a query; each operation has its own maximum, as in the published API. */
export const page = (limits: { limit: number; maxLimit?: number; maxOffset?: number }) =>
  z.object({
    offset: count(0, limits.maxOffset ?? 1_000_000_000)
      .default(0)
      .describe('Number of items to skip'),
    limit: count(1, limits.maxLimit ?? 100)
      .default(limits.limit)
      .describe('Maximum number of items'),
  });
