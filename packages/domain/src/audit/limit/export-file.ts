import type { Pool } from 'pg';
import { chunksOf, exportRange, readPublicKey } from '../export.ts';
import { linesOf, verifyExport } from '../verify.ts';
import type { ExportStore, StoredFile } from './export-store.ts';

export interface ExportedRange {
  readonly organizationId: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Stores an export of some blocks, which is verified as by an auditor, with the key of the server.
 *
 * @throws Error if it cannot be stored, or does not verify.
 */
export async function storeExport(pool: Pool, store: ExportStore, range: ExportedRange): Promise<StoredFile> {
  const { organizationId, first, last } = range;
  const publicKey = await readPublicKey(pool);
  const text = chunksOf(exportRange(pool, organizationId, range), () => Promise.resolve());
  return store.store(`audit-${organizationId}-${first}-${last}.jsonl.zst`, text, async (content) => {
    const report = await verifyExport(linesOf(content), { publicKey });
    const isWhole =
      report.valid &&
      report.organizationId === organizationId &&
      report.first?.sequence === first &&
      report.last?.sequence === last;
    if (isWhole) return report.events;
    throw new Error(`The exported audit log does not verify: ${report.fault?.reason ?? 'blocks are missing'}`);
  });
}
