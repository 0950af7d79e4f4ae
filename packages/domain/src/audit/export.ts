import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { isEvent } from './archive/segment.ts';
import { BLOCK_COLUMNS, sealedBlock, type BlockRow } from './block-rows.ts';
import { BLOCKS, blocksBetween, periodRange } from './chain.ts';
import { ALL_EXPIRED, blockLine, endLine, headerLine } from './verify.ts';

/** The range of an export: whole blocks, from the one with the first event of the period to the one with the last. */
export interface ExportPeriod {
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
}

/**
 * The lines of an organization's export (for the format, see `verify.ts`), read on demand: memory does not grow with
 * the log.
 */
export async function* exportLines(
  pool: Pick<Pool, 'query'>,
  organizationId: string,
  period: ExportPeriod = {},
): AsyncGenerator<string> {
  yield* exportRange(pool, organizationId, await periodRange(pool, organizationId, period));
}

/** The same for blocks from one sequence to another. */
export async function* exportRange(
  pool: Pick<Pool, 'query'>,
  organizationId: string,
  { first, last }: { readonly first: number; readonly last: number },
): AsyncGenerator<string> {
  const digest = createHash('sha256');
  const noted = (line: string): string => {
    digest.update(line).update('\n');
    return line;
  };
  const totals = { blocks: 0, events: 0, expired: 0, sequence: null as number | null, hash: null as string | null };
  yield noted(headerLine(organizationId, await readPublicKey(pool)));
  for await (const { sealed, lines } of blocksBetween(pool, organizationId, first, last)) {
    yield noted(blockLine(sealed));
    totals.blocks++;
    totals.sequence = sealed.block.sequence;
    totals.hash = sealed.hash;
    for (const line of lines) {
      if (isEvent(line)) totals.events++;
      else totals.expired += line === ALL_EXPIRED ? sealed.block.events : 1;
      yield noted(line);
    }
  }
  if (totals.sequence !== null) {
    for await (const row of laterExpiries(pool, organizationId, first, totals.sequence))
      yield noted(blockLine(sealedBlock(organizationId, row), 'later'));
  }
  yield endLine(totals, digest.digest('hex'));
}

/** Characters per chunk; one line would be too small. */
const CHUNK = 64 * 1024;

/** Lines in chunks, each after a call of `ask`, which throws to stop the export. */
export async function* chunksOf(lines: AsyncIterable<string>, ask: () => Promise<void>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK) continue;
    await ask();
    yield chunk;
    chunk = '';
  }
  if (chunk === '') return;
  await ask();
  yield chunk;
}

/** The key of the signatures (PEM). */
export async function readPublicKey(pool: Pick<Pool, 'query'>): Promise<string> {
  const { rows } = await pool.query<{ key: string }>('select audit_public_key as key from instance');
  return rows[0]!.key;
}

/** Expiry blocks after the period that account for events which it lacks. */
async function* laterExpiries(
  pool: Pick<Pool, 'query'>,
  organizationId: string,
  first: number,
  last: number,
): AsyncGenerator<BlockRow> {
  for (let after = last; ;) {
    const { rows } = await pool.query<BlockRow>(
      `select ${BLOCK_COLUMNS} from audit_blocks where organization_id = $1 and kind = 'expiry' and sequence > $2
         and (expiry ->> 'firstSequence')::bigint <= $4 and (expiry ->> 'lastSequence')::bigint >= $3
       order by audit_blocks.sequence limit ${BLOCKS}`,
      [organizationId, after, first, last],
    );
    yield* rows;
    if (rows.length < BLOCKS) return;
    after = Number(rows.at(-1)!.sequence);
  }
}
