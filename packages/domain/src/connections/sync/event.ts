import { z } from 'zod';
import { defineEvent } from '../../kernel/index.ts';

const Counts = {
  isSynced: z.boolean(),
  written: z.int().describe('How many secrets were written'),
  removed: z.int(),
};

export const integrationSynced = defineEvent(
  'integration.synced',
  'integration-synced',
  z.object({ integrationId: z.string(), integration: z.string(), ...Counts }),
);

const Done = z.object({ syncId: z.string(), destination: z.string() });
export const secretSyncSynced = defineEvent('secret_sync.synced', 'secret-sync-sync-secrets', Done.extend(Counts));
export const secretSyncImported = defineEvent(
  'secret_sync.imported',
  'secret-sync-import-secrets',
  Done.extend({ isImported: z.boolean(), imported: z.int().describe('How many secrets the folder got') }),
);
export const secretSyncRemoved = defineEvent(
  'secret_sync.removed',
  'secret-sync-remove-secrets',
  Done.extend({ isRemoved: z.boolean(), removed: z.int() }),
);
/** Before the first sync changes anything. */
export const secretSyncPlanned = defineEvent(
  'secret_sync.planned',
  'secret-sync-plan',
  Done.extend({ create: z.int(), change: z.int(), remove: z.int(), import: z.int() }),
);
