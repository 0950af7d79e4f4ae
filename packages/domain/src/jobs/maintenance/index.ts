import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import {
  archiveSealed,
  dropExpired,
  ensurePartitions,
  keepWithinLimit,
  mayArchive,
  type AuditSpace,
} from '../../audit/index.ts';
import { destroyRetiredKeys, rotateUsedKeys, type RotationHost } from '../../crypto/rotation/index.ts';
import { defineJob, type AnyJob } from '../job.ts';
import { cleanup } from './cleanup.ts';

export { removeExpired } from './cleanup.ts';
export { requestAuditLogVerification, verifyAuditLog } from './verify-audit-log.ts';

type MaintenanceHost = RotationHost & { readonly auditSpace: AuditSpace };

/** What Coffer does for itself on a schedule. `signingKey` is that of the audit log. */
export function maintenanceJobs(
  host: RotationHost & { readonly auditSpace: AuditSpace },
  signingKey: KeyObject,
): AnyJob[] {
  const { pool, log } = host;
  return [
    cleanup,
    defineJob({
      name: 'audit.partitions',
      payload: z.object({}),
      schedule: '7 * * * *',
      run: async (ctx) => void (await ensurePartitions(pool, ctx.now())),
    }),
    defineJob({
      name: 'audit.archive',
      payload: z.object({}),
      schedule: '*/10 * * * *',
      run: async (ctx) => {
        if (!(await mayArchive(pool, signingKey))) return;
        const archived = await archiveSealed({ pool, log, signingKey, now: () => ctx.now() });
        if (archived.segments > 0) log.debug(archived, 'Sealed events of the audit log were compressed');
      },
    }),
    ...limitJobs(host, signingKey),
    defineJob({
      name: 'audit.retention',
      payload: z.object({}),
      schedule: '23 3 * * *',
      run: async (ctx) => {
        const dropped = await dropExpired({ pool, log, signingKey, now: () => ctx.now() });
        if (dropped.events > 0) log.info(dropped, 'Events whose retention is over were removed');
      },
    }),
    defineJob({
      name: 'keys.rotate_used',
      payload: z.object({}),
      schedule: '11 * * * *',
      run: async () => {
        for (const { organizationId, isComplete } of await rotateUsedKeys(host))
          log.info({ organizationId, isComplete }, 'Keys that had encrypted very often were rotated');
      },
    }),
    defineJob({
      name: 'keys.destroy_retired',
      payload: z.object({}),
      schedule: '53 4 * * *',
      run: async () => {
        const destroyed = await destroyRetiredKeys(host);
        if (destroyed > 0) log.info({ destroyed }, 'Retired keys were destroyed');
      },
    }),
  ];
}

/** Only where the operator has set a limit. */
function limitJobs({ pool, log, auditSpace: space }: MaintenanceHost, signingKey: KeyObject): AnyJob[] {
  if (!space.limit) return [];
  return [
    defineJob({
      name: 'audit.limit',
      payload: z.object({}),
      schedule: '* * * * *',
      // It may take minutes, and two would export the same.
      isAlone: true,
      run: async (ctx) => keepWithinLimit(ctx, { pool, log, signingKey, space, now: () => ctx.now() }),
    }),
  ];
}
