import { z } from 'zod';
import { defineEvent } from '../../../kernel/index.ts';

/** The actor that a replication runs as: its permission to read the source is checked at each run. */
export const RunAs = z.object({ type: z.enum(['user', 'identity', 'service']), id: z.string() });
export type RunAs = z.output<typeof RunAs>;

/** Maximum length of `replicationStatus`. */
const MAX_STATUS = 255;

export const statusText = (text: string): string => text.slice(0, MAX_STATUS);

const place = { environment: z.string(), secretPath: z.string(), secretImportId: z.string() };

export const importReplicated = defineEvent(
  'secret_import.replicated',
  'replicate-secret-import',
  z.object({ ...place, created: z.int(), updated: z.int(), deleted: z.int() }),
);
export const replicationFailed = defineEvent(
  'secret_import.replication_failed',
  'replicate-secret-import-failed',
  z.object({ ...place, status: z.string() }),
);
export const replicationProposed = defineEvent(
  'secret_import.replication_proposed',
  'replicate-secret-import-proposed',
  z.object({ ...place, requestId: z.string() }),
);
export const replicationResynced = defineEvent(
  'secret_import.resynced',
  'resync-secret-import-replication',
  z.object(place),
);
