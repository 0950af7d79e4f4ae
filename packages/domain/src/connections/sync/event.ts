import { z } from 'zod';
import { defineEvent } from '../../kernel/index.ts';

export const integrationSynced = defineEvent(
  'integration.synced',
  'integration-synced',
  z.object({
    integrationId: z.string(),
    integration: z.string(),
    isSynced: z.boolean(),
    written: z.int().describe('How many secrets were written'),
    removed: z.int(),
  }),
);
