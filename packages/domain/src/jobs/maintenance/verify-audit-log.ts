import { z } from 'zod';
import { authorize, organizationOf, organizationPermissions } from '../../access/index.ts';
import {
  auditLogVerificationRequested,
  auditLogVerified,
  exportLines,
  readPublicKey,
  verifyExport,
} from '../../audit/index.ts';
import { inTransaction, record, type Context } from '../../kernel/index.ts';
import { defineJob, enqueue, type Job } from '../job.ts';

type Pool = Parameters<typeof exportLines>[0];

const verification = { name: 'audit.verify', payload: z.object({ organizationId: z.string() }) };

/**
 * Requests that the whole log of the organization is verified, as an auditor does with an export. The result is an event
 * of the log itself. One log is verified at a time.
 *
 * @throws DomainError 403 without the permission to read all events.
 */
export async function requestAuditLogVerification(ctx: Context): Promise<void> {
  await authorize(ctx, organizationPermissions('audit-logs')['read-all']);
  const organizationId = organizationOf(ctx);
  await inTransaction(ctx, async (tx) => {
    record(tx, auditLogVerificationRequested, {});
    enqueue(tx, verification, { organizationId }, { queue: verification.name, key: `audit.verify:${organizationId}` });
  });
}

/** Verifies a log from its first block on: hashes, links, signatures by the key of this server, and what has expired. */
export const verifyAuditLog = (pool: Pool): Job<{ organizationId: string }> =>
  defineJob({
    ...verification,
    run: async (ctx, { organizationId }) => {
      const publicKey = await readPublicKey(pool);
      const report = await verifyExport(exportLines(pool, organizationId), { publicKey });
      const { valid: isValid, last, blocks, events, fault } = report;
      if (!isValid)
        ctx.log.error({ organizationId, fault }, 'The audit log of an organization is not as it was sealed');
      await inTransaction(ctx, async (tx) =>
        record(
          tx,
          auditLogVerified,
          {
            isValid,
            blocks,
            events,
            sequence: last?.sequence ?? 0,
            hash: last?.hash ?? null,
            reason: fault?.reason ?? null,
          },
          { organizationId },
        ),
      );
    },
  });
