import { abilityIn } from '../../access/index.ts';
import { beginWork } from '../../connections/connection/index.ts';
import { badRequest, DomainError, eventOf, forbidden, type Context } from '../../kernel/index.ts';
import {
  allowsCertificate,
  certificateFactsOf,
  certificatePermissions,
  certificatesById,
} from '../certificate/index.ts';
import { certificateIdsOf } from './links.ts';
import { pkiSyncRequested, type PkiSyncPlan, type PkiSyncRef } from './pki-sync.ts';
import { eventDataOf, requirePkiSync, type PkiSyncRow } from './stored.ts';
import { compareBoth, takenBy } from './synchronize.ts';

/** Deadline of a plan in milliseconds: a caller waits for it. */
const PLAN_MS = 25_000;

/**
 * What the next run of a sync would do, with the same rights, without doing it. It reads at the destination, which is
 * recorded; no private key is read.
 *
 * @throws DomainError 404; 403, also if the caller may not read all of its certificates; 400 where the sync would fail
 * before it changes anything, with the reason, redacted.
 */
export async function planPkiSync(ctx: Context, ref: PkiSyncRef): Promise<PkiSyncPlan> {
  const row = await requirePkiSync(ctx, ref, 'sync-certificates');
  await namesOf(ctx, row);
  const data = { ...eventDataOf(row), action: 'plan' } as const;
  await ctx.commitRead(eventOf(pkiSyncRequested, data, { projectId: row.projectId }), ctx);
  using session = beginWork(ctx, PLAN_MS);
  const { source, planned } = await compareBoth(ctx, row, session).catch(async (error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    throw badRequest(error.code, await session.redact(error.message));
  });
  // The destination may have taken long.
  const commonNameOf = await namesOf(ctx, row);
  const reasons = [...source.rejected, ...Array.from(planned.taken, ([id, name]) => [id, takenBy(name)] as const)];
  const puts = planned.puts.map(({ name, reference, certificate: { certificateId, row: certificate } }) => ({
    isNew: reference === null,
    planned: { certificateId, commonName: certificate.commonName, name },
  }));
  return {
    create: puts.flatMap((put) => (put.isNew ? put.planned : [])),
    replace: puts.flatMap((put) => (put.isNew ? [] : put.planned)),
    remove: planned.removals.map(({ item }) => item.name),
    rejected: reasons.map(([certificateId, reason]) => ({
      ...{ certificateId, reason },
      commonName: commonNameOf.get(certificateId) ?? '',
    })),
  };
}

/**
 * The common names of the certificates of a sync, by ID. A plan names all of them: a part of it would look like the whole.
 *
 * @throws DomainError 403 if the caller may not read all of them.
 */
async function namesOf(ctx: Context, row: PkiSyncRow): Promise<Map<string, string>> {
  const rows = await certificatesById(ctx, row.organizationId, await certificateIdsOf(ctx, row));
  const ability = await abilityIn(ctx, row.projectId);
  if (!rows.every((one) => allowsCertificate(ability, certificatePermissions.read, certificateFactsOf(one))))
    throw forbidden('pki_sync.hidden_certificates', 'A plan names certificates of the sync that you may not read', {
      name: 'PermissionDenied',
    });
  return new Map(rows.map(({ id, commonName }) => [id, commonName]));
}
