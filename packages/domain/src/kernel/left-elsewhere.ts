import { z } from 'zod';

/** What a deletion leaves at other systems, where nothing in Coffer shows it any more: data of its event. */
export const LeftElsewhere = z.array(
  z.object({
    kind: z
      .enum(['secret-sync', 'integration', 'pki-sync', 'managed-password'])
      .describe('What has written copies there, or is the only one to know a password'),
    id: z.string(),
    name: z.string(),
  }),
);
export type LeftElsewhere = z.output<typeof LeftElsewhere>;
