import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { z } from 'zod';
import {
  conflict,
  defineEvent,
  DomainError,
  eachAlone,
  invalidate,
  inTransaction,
  newId,
  record,
  statement,
  type Actor,
  type Context,
  type Log,
} from '../../kernel/index.ts';
import type { KeyUseLimits } from '../key-uses.ts';
import { wrappedPlace, type StoredKeyring } from '../keyring.ts';
import { openBytes, sealBytes } from '../seal.ts';
import { hasStale, resealColumn } from './reseal.ts';
import { sealedColumns, unknownColumns, type SealedColumn } from './sealed-columns.ts';

/** What rotation needs of an open Coffer. */
export interface RotationHost {
  readonly pool: Pool;
  readonly keys: StoredKeyring;
  readonly keyUseLimits: KeyUseLimits;
  readonly log: Log;
  contextFor(actor: Actor): Context;
}

export interface RotateOptions {
  /** Only this organization; default: all. */
  readonly organizationId?: string | undefined;
  /** Milliseconds until every process has surely heard of a new key: well above the second that caches may be stale. */
  readonly settleMs?: number;
  readonly columns?: readonly SealedColumn[];
}

export interface Rotation {
  readonly organizationId: string;
  /** Number of values that this run resealed. */
  readonly resealed: number;
  /** Number of project keys that this run rewrapped. */
  readonly rewrapped: number;
  /** Versions of keys that nothing uses any more. */
  readonly retired: number;
  /** Values that do not open, by place: their keys stay. */
  readonly unreadable: readonly string[];
  /** Whether every older key is retired. If not, run it again. */
  readonly isComplete: boolean;
}

const SETTLE_MS = 5_000;
/** The advisory lock of rotations. */
export const ROTATION_LOCK = 0x0c0f_fe23;

const RotationEvent = z.object({ organizationId: z.string(), version: z.int().describe("Of the organization's key") });
export const rotationStarted = defineEvent('keys.rotation_started', 'start-key-rotation', RotationEvent);
export const rotationFinished = defineEvent(
  'keys.rotation_finished',
  'finish-key-rotation',
  RotationEvent.extend({ resealed: z.int() }),
);

/**
 * Gives organizations and their projects new keys and reseals everything under them, online: new versions are
 * distributed to every process before any process seals with one, and old ones decrypt until nothing is sealed with
 * them. An interrupted run is continued by the next one; after a complete run, the next one begins a new rotation.
 *
 * @throws DomainError 400 `keys.rotating` if another process is rotating.
 */
export async function rotateKeys(host: RotationHost, options: RotateOptions = {}): Promise<Rotation[]> {
  const { settleMs = SETTLE_MS, columns = sealedColumns } = options;
  return withRotationLock(host.pool, async () => {
    const organizations = await organizationIds(host.pool, options.organizationId);
    for (const id of organizations) await stage(host, id);
    await sleep(settleMs);
    for (const id of organizations) await activate(host, id);
    await sleep(settleMs);
    const unknown = await unknownColumnsOf(host.pool, columns);
    if (unknown.length > 0)
      host.log.warn(
        { columns: unknown },
        'No key is retired: these columns may hold sealed values that rotation does not know',
      );
    const rotations: Rotation[] = [];
    for (const id of organizations) rotations.push(await finish(host, id, columns, unknown.length === 0));
    return rotations;
  });
}

/**
 * Destroys keys that were retired more than `graceMs` ago (default: a day), after checking again that nothing is sealed
 * with them. Returns their number.
 */
export async function destroyRetiredKeys(
  host: RotationHost,
  { graceMs = 86_400_000, columns = sealedColumns }: { graceMs?: number; columns?: readonly SealedColumn[] } = {},
): Promise<number> {
  const { rows } = await host.pool.query<{ organizationId: string }>(
    `select distinct organization_id as "organizationId" from data_keys
       where state = 'retired' and changed_at <= now() - make_interval(secs => $1)`,
    [graceMs / 1000],
  );
  if (rows.length === 0) return 0;
  return withRotationLock(host.pool, async () => {
    let destroyed = 0;
    const work = async (id: string) => {
      const { isComplete } = await finish(host, id, columns, (await unknownColumnsOf(host.pool, columns)).length === 0);
      if (isComplete) destroyed += await destroy(host, id, graceMs);
    };
    await ofEach(host, rows, work, 'The retired keys of an organization could not be destroyed');
    return destroyed;
  });
}

const USED = `
  select distinct organization_id as "organizationId" from (
    select distinct on (organization_id, project_id) organization_id, uses from data_keys
    where state = 'active' order by organization_id, project_id, version desc) newest
  where uses >= $1 order by 1`;

/** What fails for one organization, such as one with a key that cannot be opened, is logged, and keeps no other from its turn. */
const ofEach = (
  { log }: RotationHost,
  rows: readonly { organizationId: string }[],
  work: (organizationId: string) => Promise<void>,
  failure: string,
): Promise<void> =>
  eachAlone(
    rows,
    ({ organizationId }) => work(organizationId),
    (err, { organizationId }) => {
      if (isRotating(err)) throw err;
      log.error({ err, organizationId }, failure);
    },
  );

/** Rotates the keys of organizations of which one is near its maximum number of encryptions. */
export async function rotateUsedKeys(host: RotationHost, options: RotateOptions = {}): Promise<Rotation[]> {
  const { rows } = await host.pool.query<{ organizationId: string }>(USED, [host.keyUseLimits.rotateAt]);
  const rotations: Rotation[] = [];
  const work = async (organizationId: string) =>
    void rotations.push(...(await rotateKeys(host, { ...options, organizationId })));
  await ofEach(host, rows, work, 'The keys of an organization could not be rotated');
  return rotations;
}

async function organizationIds(pool: Pool, only: string | undefined): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from organizations where $1::uuid is null or id = $1 order by id',
    [only ?? null],
  );
  return rows.map(({ id }) => id);
}

const platform = (host: RotationHost, organizationId: string) => host.contextFor({ type: 'platform', organizationId });

interface Owner {
  projectId: string | null;
  newest: number;
  isUnfinished: boolean;
}

const OWNERS = statement(
  'data_keys.owners',
  `select project_id as "projectId", max(version)::integer as newest,
     (bool_or(state = 'staged') or count(*) filter (where state = 'active') > 1) as "isUnfinished"
   from data_keys where organization_id = $1 group by project_id order by project_id nulls first`,
);

const STAGE = statement(
  'data_keys.stage',
  `insert into data_keys (id, organization_id, project_id, version, wrapped, state, uses)
   select id, $1, project_id, version, wrapped, 'staged', 0 from unnest($2::uuid[], $3::uuid[], $4::integer[], $5::bytea[]) as k (id, project_id, version, wrapped)`,
);

/**
 * Creates new versions of all keys, distributed to all processes and not yet used; none if a rotation is unfinished.
 */
async function stage(host: RotationHost, organizationId: string): Promise<void> {
  await inTransaction(platform(host, organizationId), async (tx) => {
    const owners = await tx.sql<Owner>(OWNERS, [organizationId]);
    const organization = owners.find((owner) => owner.projectId === null);
    if (!organization || owners.some((owner) => owner.isUnfinished)) return;
    const wrapped: Buffer[] = [];
    for (const owner of owners)
      wrapped.push(await tx.keys.wrapNew(organizationId, owner.projectId ?? undefined, owner.newest + 1));
    await tx.sql(STAGE, [
      organizationId,
      owners.map(() => newId()),
      owners.map((owner) => owner.projectId),
      owners.map((owner) => owner.newest + 1),
      wrapped,
    ]);
    record(tx, rotationStarted, { organizationId, version: organization.newest + 1 });
    invalidate(tx, `keys:${organizationId}`);
  });
}

const ACTIVATE = statement(
  'data_keys.activate',
  `update data_keys set state = 'active', changed_at = now() where organization_id = $1 and state = 'staged' returning id`,
);

async function activate(host: RotationHost, organizationId: string): Promise<void> {
  await inTransaction(platform(host, organizationId), async (tx) => {
    const activated = await tx.sql(ACTIVATE, [organizationId]);
    if (activated.length > 0) invalidate(tx, `keys:${organizationId}`);
  });
}

/** Rewraps and reseals the rest under the newest keys, and then retires unused keys. */
async function finish(
  host: RotationHost,
  organizationId: string,
  columns: readonly SealedColumn[],
  mayRetire: boolean,
): Promise<Rotation> {
  const { pool, keys } = host;
  const rewrapped = await rewrapProjects(host, organizationId);
  let resealed = 0;
  const unreadable: string[] = [];
  const clean: (string | null)[] = [];
  const owners = await platform(host, organizationId).sql<Owner>(OWNERS, [organizationId]);
  for (const { projectId } of owners) {
    const owner = projectId ?? organizationId;
    const set = await keys.sealing(organizationId, projectId ?? undefined);
    const own = columns.filter((column) => column.ownerColumn === (projectId ? 'project_id' : 'organization_id'));
    for (const column of own) {
      const done = await resealColumn(pool, column, owner, () => keys.sealing(organizationId, projectId ?? undefined));
      resealed += done.rows;
      unreadable.push(...done.unreadable);
    }
    const stale = await Promise.all(own.map((column) => hasStale(pool, column, owner, set.newest.version)));
    const holdsKeys = projectId === null && (await hasStaleProjects(host, organizationId));
    if (!stale.includes(true) && !holdsKeys) clean.push(projectId);
  }
  for (const place of unreadable) host.log.error({ place }, 'A sealed value cannot be opened: its key is kept');
  const retired = mayRetire ? await retire(host, organizationId, clean, resealed) : 0;
  return {
    organizationId,
    resealed,
    rewrapped,
    retired,
    unreadable,
    isComplete: mayRetire && clean.length === owners.length,
  };
}

interface ProjectKey {
  id: string;
  projectId: string;
  version: number;
  wrapped: Buffer;
}

const STALE_PROJECTS = statement(
  'data_keys.stale',
  `select id, project_id as "projectId", version, wrapped from data_keys
   where organization_id = $1 and project_id is not null and substring(wrapped from 2 for 4) <> $2 order by id limit 500`,
);

const REWRAP = statement(
  'data_keys.rewrap',
  `update data_keys k set wrapped = g.after from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as g (id, before, after)
   where k.id = g.id and k.wrapped = g.before returning k.id`,
);

async function staleProjects(host: RotationHost, organizationId: string): Promise<ProjectKey[]> {
  const { newest } = await host.keys.organization(organizationId);
  const version = Buffer.alloc(4);
  version.writeUInt32BE(newest.version);
  return platform(host, organizationId).sql<ProjectKey>(STALE_PROJECTS, [organizationId, version]);
}

const hasStaleProjects = async (host: RotationHost, organizationId: string) =>
  (await staleProjects(host, organizationId)).length > 0;

async function rewrapProjects(host: RotationHost, organizationId: string): Promise<number> {
  const ctx = platform(host, organizationId);
  for (let rewrapped = 0; ;) {
    const keys = await host.keys.sealing(organizationId);
    const stale = await staleProjects(host, organizationId);
    if (stale.length === 0) return rewrapped;
    const after = stale.map(({ projectId, version, wrapped }) => {
      const place = wrappedPlace(projectId, version);
      return sealBytes(keys.newest, openBytes(keys, wrapped, place), place);
    });
    rewrapped += (await ctx.sql(REWRAP, [stale.map(({ id }) => id), stale.map(({ wrapped }) => wrapped), after]))
      .length;
  }
}

const RETIRE = statement(
  'data_keys.retire',
  `update data_keys k set state = 'retired', changed_at = now()
   where organization_id = $1 and state = 'active' and coalesce(project_id, organization_id) = any ($2::uuid[])
     and version < (select max(version) from data_keys n
       where n.organization_id = $1 and n.project_id is not distinct from k.project_id and n.state = 'active')
   returning id`,
);

async function retire(
  host: RotationHost,
  organizationId: string,
  clean: readonly (string | null)[],
  resealed: number,
): Promise<number> {
  return inTransaction(platform(host, organizationId), async (tx) => {
    const retired = await tx.sql(RETIRE, [organizationId, clean.map((projectId) => projectId ?? organizationId)]);
    if (retired.length === 0) return 0;
    const { version } = (await tx.keys.organization(organizationId)).newest;
    record(tx, rotationFinished, { organizationId, version, resealed });
    invalidate(tx, `keys:${organizationId}`);
    return retired.length;
  });
}

const DESTROY = statement(
  'data_keys.destroy',
  `delete from data_keys where organization_id = $1 and state = 'retired' and changed_at <= now() - make_interval(secs => $2) returning id`,
);

async function destroy(host: RotationHost, organizationId: string, graceMs: number): Promise<number> {
  return inTransaction(platform(host, organizationId), async (tx) => {
    const destroyed = await tx.sql(DESTROY, [organizationId, graceMs / 1000]);
    invalidate(tx, `keys:${organizationId}`);
    return destroyed.length;
  });
}

async function unknownColumnsOf(pool: Pool, known: readonly SealedColumn[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = current_schema() and table_type = 'BASE TABLE' and data_type = 'bytea' order by 1`,
  );
  return unknownColumns(
    rows.map(({ name }) => name),
    known,
  );
}

const ROTATING = 'keys.rotating';
const isRotating = (error: unknown): boolean => error instanceof DomainError && error.code === ROTATING;

/** One rotation at a time; the lock is released with its connection, also after a kill. */
async function withRotationLock<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      ROTATION_LOCK,
    ]);
    if (!rows[0]?.locked) throw conflict(ROTATING, 'Another process is rotating keys; wait until it has finished');
    try {
      return await work();
    } finally {
      await client.query('select pg_advisory_unlock($1)', [ROTATION_LOCK]);
    }
  } finally {
    client.release();
  }
}
