import { z } from 'zod';
import { defineJob, enqueueEach, firstInTurns, turnsOf } from '../../jobs/index.ts';
import { DomainError, inTransaction, portionsOfRows, record, statement, type Context } from '../../kernel/index.ts';
import { rotate } from './change.ts';
import { keyDestroyed } from './key.ts';
import { findKey, KEY_COLUMNS, type KeyRow } from './stored.ts';

const AT_ONCE = 1_000;

/** Keys whose day has come. Written like this, no index of names is taken for that of days. */
const SCHEDULED = statement(
  'kms_keys.scheduled',
  firstInTurns({
    table: 'kms_keys',
    isDue: `t.rotates_at <= $1 and not t.is_disabled and coalesce(t.deletion_at, 'infinity') = 'infinity'`,
    order: 't.rotates_at',
    columns: ['version'],
    most: AT_ONCE,
  }),
);

/** Keys whose newest version has encrypted very often. */
const USED = statement(
  'kms_key_versions.used',
  `select k.id, k.organization_id as "organizationId", k.version
   from (select kms_key_id, version from kms_key_versions where uses >= $1 order by uses desc limit ${AT_ONCE}) v
   cross join lateral (
     select * from kms_keys k where k.id = v.kms_key_id and k.version = v.version limit 1) k
   where not k.is_disabled and k.deletion_at is null`,
);

/** Whether a key is still due, by its schedule or by what its newest version has encrypted. */
const STILL_DUE = statement(
  'kms_keys.still_due',
  `select from kms_keys k where k.id = $1 and k.version = $2 and (k.rotates_at <= $3 or exists (
     select from kms_key_versions v where v.kms_key_id = k.id and v.version = k.version and v.uses >= $4))`,
);

interface Due {
  readonly id: string;
  readonly organizationId: string;
  readonly version: number;
}

/** Rotates a key unless it was rotated since it was found, or its schedule was changed. */
export const rotateKmsKeyJob = defineJob({
  name: 'kms.rotate',
  payload: z.object({ organizationId: z.string(), id: z.string(), version: z.int() }),
  turns: turnsOf('kms.rotate'),
  run: async (ctx, { id, version }) => {
    try {
      await rotate(ctx, await findKey(ctx, id), async (tx) => {
        const due = await tx.sql(STILL_DUE, [id, version, tx.now(), tx.kmsUses.limits.rotateAt]);
        return due.length > 0;
      });
    } catch (error) {
      // Disabled or deleted meanwhile.
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      ctx.log.info({ keyId: id, code: error.code }, 'A key was not rotated');
    }
  },
});

/** Finds keys that are to be rotated, by their schedule or before they have encrypted too often. */
export async function enqueueDueKeys(ctx: Context): Promise<number> {
  const scheduled = await ctx.sql<Due>(SCHEDULED, [ctx.now()]);
  const used = await ctx.sql<Due>(USED, [ctx.kmsUses.limits.rotateAt]);
  const due = [...scheduled, ...used].map(({ id, organizationId, version }) => ({ id, organizationId, version }));
  await enqueueEach(ctx, rotateKmsKeyJob, due, ({ id, version }) => ({ key: `kms:${id}:${version}`, maxAttempts: 5 }));
  return due.length;
}

export const dueKmsKeys = defineJob({
  name: 'kms.due_keys',
  payload: z.object({}),
  schedule: '*/5 * * * *',
  run: async (ctx) => void (await enqueueDueKeys(ctx)),
});

const OVER = statement(
  'kms_keys.over',
  firstInTurns({ table: 'kms_keys', isDue: 't.deletion_at <= $1', order: 't.deletion_at', most: AT_ONCE }),
);
/** Keys that are destroyed by one statement: each may have thousands of versions. */
const DESTROYED_AT_ONCE = 10;
const DESTROY = statement(
  'kms_keys.destroy',
  `delete from kms_keys k where k.id in (
     select id from kms_keys where id = any($2::uuid[]) and deletion_at <= $1 order by id for update skip locked)
   returning ${KEY_COLUMNS}`,
);

/**
 * Destroys all keys whose deletion can no longer be cancelled, in portions. Their use is refused from then on, whether this ran
 * or not.
 */
export async function destroyDeletedKeys(ctx: Context): Promise<number> {
  for (let destroyed = 0; ;) {
    const over = await ctx.sql<{ id: string }>(OVER, [ctx.now()]);
    const before = destroyed;
    for (const portion of portionsOfRows(over, DESTROYED_AT_ONCE))
      destroyed += await destroy(
        ctx,
        portion.map(({ id }) => id),
      );
    // Another process may be at the rest.
    if (over.length < AT_ONCE || destroyed === before) return destroyed;
  }
}

const destroy = (ctx: Context, ids: readonly string[]): Promise<number> =>
  inTransaction(ctx, async (tx) => {
    const gone = await tx.sql<KeyRow>(DESTROY, [tx.now(), ids]);
    for (const { id, name, organizationId, projectId } of gone)
      record(tx, keyDestroyed, { keyId: id, keyName: name }, { organizationId, projectId });
    return gone.length;
  });

export const destroyKmsKeys = defineJob({
  name: 'kms.destroy_deleted',
  payload: z.object({}),
  schedule: '29 * * * *',
  run: async (ctx) => {
    const destroyed = await destroyDeletedKeys(ctx);
    if (destroyed > 0) ctx.log.info({ destroyed }, 'Deleted keys were destroyed');
  },
});
