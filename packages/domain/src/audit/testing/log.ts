import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Coffer } from '../../coffer.ts';
import { parseRootKey } from '../../crypto/index.ts';
import { auditSigningKey } from '../../instance/index.ts';
import { defineEvent, eventOf, newId, type Actor } from '../../kernel/index.ts';
import type { TestCoffer } from '../../testing/index.ts';
import { eventRow, eventsJson, INSERT_EVENTS } from '../event-row.ts';
import { exportLines, type ExportPeriod } from '../export.ts';
import { startSealer, type Sealer, type SealerDeps } from '../sealer.ts';

export const thingHappened = defineEvent('thing.happened', 'happen-thing', z.object({ name: z.string() }).loose());

export interface LogWorld {
  readonly signingKey: KeyObject;
  readonly publicKey: string;
  readonly deps: SealerDeps;
  readonly sealer: Sealer;
  stop(): Promise<void>;
}

/** A sealer that works when it is told to. */
export async function logWorld({ coffer, rootKey }: TestCoffer): Promise<LogWorld> {
  const { pool, log } = coffer;
  const signingKey = await auditSigningKey(pool, parseRootKey(rootKey));
  const { rows } = await pool.query<{ key: string }>('select audit_public_key as key from instance');
  const deps: SealerDeps = { pool, log, signingKey, now: () => coffer.now() };
  const sealer = startSealer(deps);
  return { signingKey, publicKey: rows[0]!.key, deps, sealer, stop: () => sealer.stop() };
}

export interface Written {
  readonly organizationId: string;
  readonly projectId?: string | undefined;
  readonly at?: Date;
  readonly data?: Record<string, unknown>;
}

/** Writes events of one transaction. */
export async function writeEvents(coffer: Coffer, count: number, { organizationId, projectId, at, data }: Written): Promise<string[]> {
  const actor: Actor = { type: 'platform', organizationId };
  const rows = Array.from({ length: count }, (_, index) => {
    const row = eventRow(coffer.contextFor(actor), eventOf(thingHappened, { name: `event ${index}`, ...data }, { projectId }));
    return { ...row, created_at: at ?? row.created_at };
  });
  await coffer.pool.query({ ...INSERT_EVENTS, values: [eventsJson(rows)] });
  return rows.map(({ id }) => id);
}

export async function exported(coffer: Coffer, organizationId: string, period?: ExportPeriod): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLines(coffer.pool, organizationId, period)) lines.push(line);
  return lines;
}

export const anOrganization = newId;
