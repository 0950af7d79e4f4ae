// @long: runs programs
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCoffer, type Coffer } from '../../app/coffer.ts';
import { inTransaction, newId, statement, type Context } from '../../kernel/index.ts';
import {
  isLongSearch,
  makeOrganization,
  makeProject,
  SEARCH_SEED,
  testCoffer,
  type TestCoffer,
} from '../../testing/index.ts';
import { parseRootKey } from '../root-key.ts';
import { keyVersionOf, open, seal, type SealedLocation } from '../seal.ts';
import { destroyRetiredKeys, ROTATION_LOCK, rotateKeys } from './rotate.ts';
import { sealedColumns, unknownColumns } from './sealed-columns.ts';

const QUICKLY = { settleMs: 20 };

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer({ poolSize: 12 });
});
afterAll(() => test.close());

interface World {
  readonly organizationId: string;
  readonly projectId: string;
  readonly folderId: string;
  readonly ctx: Context;
}
let world: World;
beforeEach(async () => {
  const { coffer } = test;
  const { id: organizationId, admin } = await makeOrganization(coffer);
  const { id: projectId } = await makeProject(coffer, organizationId, admin.actor);
  const { rows } = await coffer.pool.query<{ id: string }>(
    'select f.id from folders f where f.project_id = $1 limit 1',
    [projectId],
  );
  world = {
    organizationId,
    projectId,
    folderId: rows[0]!.id,
    ctx: coffer.contextFor({ type: 'platform', organizationId }),
  };
});

const aadOf = (id: string, column: 'value' | 'comment', version: number): SealedLocation => ({
  column: `secrets.${column}`,
  owner: world.projectId,
  row: id,
  version,
});

const INSERT = statement(
  'test.secret',
  `insert into secrets (id, organization_id, project_id, folder_id, key, version, version_id, value, comment, actor)
   select id, $1, $2, $3, id::text, 1, gen_random_uuid(), value, comment, '{}' from unnest($4::uuid[], $5::bytea[], $6::bytea[]) as s (id, value, comment)`,
);
const ARCHIVE = statement(
  'test.archive',
  `insert into secret_versions (id, secret_id, version, organization_id, project_id, folder_id, key, value, comment, metadata, tag_ids, actor, secret_created_at, created_at, replaced_at)
   select version_id, id, version, organization_id, project_id, folder_id, key, value, comment, metadata, tag_ids, actor, created_at, created_at, now() from secrets where id = $1`,
);
const UPDATE = statement(
  'test.update',
  'update secrets set version = version + 1, value = $2, comment = null where id = $1 and version = $3 returning version',
);

async function writeSecrets(count: number): Promise<string[]> {
  const keys = await world.ctx.keys.sealing(world.organizationId, world.projectId);
  const ids = Array.from({ length: count }, newId);
  await world.ctx.sql(INSERT, [
    world.organizationId,
    world.projectId,
    world.folderId,
    ids,
    ids.map((id) => seal(keys, `value of ${id} in version 1`, aadOf(id, 'value', 1))),
    ids.map((id, index) => (index % 2 ? null : seal(keys, `comment of ${id}`, aadOf(id, 'comment', 1)))),
  ]);
  return ids;
}

/** As an application does it: the previous version moves to the history, the new one is sealed for its version. */
const changeSecret = (coffer: Coffer, id: string, { organizationId, projectId } = world): Promise<void> =>
  inTransaction(coffer.contextFor({ type: 'platform', organizationId }), async (tx) => {
    const [row] = await tx.sql<{ version: number }>(
      { name: 'test.lock', text: 'select version from secrets where id = $1 for update' },
      [id],
    );
    await tx.sql(ARCHIVE, [id]);
    const version = row!.version + 1;
    const keys = await tx.keys.sealing(organizationId, projectId);
    await tx.sql(UPDATE, [
      id,
      seal(keys, `value of ${id} in version ${version}`, {
        column: 'secrets.value',
        owner: projectId,
        row: id,
        version,
      }),
      row!.version,
    ]);
  });

interface Stored {
  id: string;
  version: number;
  value: Buffer;
  comment: Buffer | null;
}

async function readAll(coffer: Coffer, { organizationId, projectId } = world): Promise<Stored[]> {
  const { rows } = await coffer.pool.query<Stored>(
    `select id, version, value, comment from secrets where project_id = $1
     union all select secret_id, version, value, null from secret_versions where project_id = $1`,
    [projectId],
  );
  const keys = await coffer.keys.project(organizationId, projectId);
  for (const { id, version, value } of rows) {
    expect(open(keys, value, { column: 'secrets.value', owner: projectId, row: id, version })).toBe(
      `value of ${id} in version ${version}`,
    );
  }
  return rows;
}

const versionsInUse = async (): Promise<number[]> =>
  [
    ...new Set(
      (await readAll(test.coffer)).flatMap(({ value, comment }) => [
        keyVersionOf(value),
        ...(comment ? [keyVersionOf(comment)] : []),
      ]),
    ),
  ].toSorted((a, b) => a - b);

async function dataKeys(): Promise<{ owner: string; version: number; state: string }[]> {
  const { rows } = await test.coffer.pool.query<{ owner: string; version: number; state: string }>(
    `select case when project_id is null then 'organization' else 'project' end as owner, version, state from data_keys
     where organization_id = $1 order by 1, 2`,
    [world.organizationId],
  );
  return rows;
}

const ROTATED = [
  { owner: 'organization', version: 1, state: 'retired' },
  { owner: 'organization', version: 2, state: 'active' },
  { owner: 'project', version: 1, state: 'retired' },
  { owner: 'project', version: 2, state: 'active' },
];

const rotate = (coffer = test.coffer, options = {}) =>
  rotateKeys(coffer, { organizationId: world.organizationId, ...QUICKLY, ...options });

describe('rotateKeys', () => {
  it('knows every sealed column of the schema', async () => {
    const { rows } = await test.coffer.pool.query<{ name: string }>(
      `select table_name || '.' || column_name as name
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = current_schema() and table_type = 'BASE TABLE' and data_type = 'bytea'`,
    );
    expect(
      unknownColumns(
        rows.map(({ name }) => name),
        sealedColumns,
      ),
    ).toEqual([]);
    for (const column of sealedColumns)
      expect(rows.map(({ name }) => name)).toContain(`${column.table}.${column.column}`);
  });

  it('reseals everything under new keys, including history, and retires the old ones', async () => {
    const ids = await writeSecrets(250);
    for (const id of ids.slice(0, 5)) await changeSecret(test.coffer, id);
    const [rotation] = await rotate();
    expect(rotation).toMatchObject({
      resealed: 250 + 122 + 5 + 3,
      rewrapped: 2,
      retired: 2,
      unreadable: [],
      isComplete: true,
    });
    expect(await versionsInUse()).toEqual([2]);
    expect(await dataKeys()).toEqual(ROTATED);
  });

  it('seals what belongs to the organization too', async () => {
    const { organizationId, ctx } = world;
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      'select id from identity_auth_methods where organization_id = $1',
      [organizationId],
    );
    const place: SealedLocation = {
      column: 'identity_auth_methods.sealed',
      owner: organizationId,
      row: rows[0]!.id,
      version: 0,
    };
    const sealed = seal(await ctx.keys.sealing(organizationId), '{"bindPassword":"x"}', place);
    await test.coffer.pool.query('update identity_auth_methods set sealed = $2 where id = $1', [place.row, sealed]);
    expect((await rotate())[0]).toMatchObject({ resealed: 1, isComplete: true });
    const after = await test.coffer.pool.query<{ sealed: Buffer }>(
      'select sealed from identity_auth_methods where id = $1',
      [place.row],
    );
    expect(keyVersionOf(after.rows[0]!.sealed)).toBe(2);
    expect(open(await ctx.keys.organization(organizationId), after.rows[0]!.sealed, place)).toBe(
      '{"bindPassword":"x"}',
    );
  });

  it('fails no read and loses no write, here and in another process, while it runs', { timeout: 300_000 }, async () => {
    const other = await openCoffer({
      databaseUrl: test.databaseUrl,
      rootKey: parseRootKey(test.rootKey),
      fetch: () => Promise.reject(new Error('no network')),
      migrate: false,
    });
    try {
      const ids = await writeSecrets(600);
      let isRunning = true;
      let [reads, writes] = [0, 0];
      const reader = async (coffer: Coffer) => {
        for (; isRunning; reads++) await readAll(coffer);
      };
      const writer = async (coffer: Coffer, from: number) => {
        for (; isRunning; writes++) await changeSecret(coffer, ids[(from + writes * 7) % ids.length]!);
      };
      const load = [reader(test.coffer), reader(other), writer(test.coffer, 0), writer(other, 200), writer(other, 400)];
      const [rotation] = await rotate(test.coffer, { settleMs: 1_500 });
      isRunning = false;
      await Promise.all(load);
      expect(rotation).toMatchObject({ unreadable: [], isComplete: true });
      expect(reads).toBeGreaterThan(2);
      expect(writes).toBeGreaterThan(10);
      expect(await versionsInUse()).toEqual([2]);
    } finally {
      await other.close();
    }
  });

  /** A third of the points in `npm test`, all of them in `pnpm search crypto/rotation`. */
  const POINTS = isLongSearch ? 1 : 3;

  it('is continued after a kill, at every point, without creating further keys', async () => {
    await writeSecrets(150);
    for (let statements = 1 + (SEARCH_SEED % POINTS); ; statements += POINTS) {
      const killed = killedAfter(test.coffer, statements);
      const isDone = await rotate(killed).then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe('killed');
          return false;
        },
      );
      await readAll(test.coffer);
      if (isDone) break;
    }
    expect(await versionsInUse()).toEqual([2]);
    expect(await dataKeys()).toEqual(ROTATED);
  });

  it('starts again after a complete one', async () => {
    await writeSecrets(3);
    await rotate();
    await rotate();
    expect(await versionsInUse()).toEqual([3]);
    expect((await dataKeys()).filter(({ state }) => state === 'active')).toEqual([
      { owner: 'organization', version: 3, state: 'active' },
      { owner: 'project', version: 3, state: 'active' },
    ]);
  });

  it('is refused while another process rotates', async () => {
    const other = await test.owner.connect();
    try {
      await other.query('select pg_advisory_lock($1)', [ROTATION_LOCK]);
      await expect(rotate()).rejects.toMatchObject({ code: 'keys.rotating' });
    } finally {
      other.release(true);
    }
    // The lock went with its connection.
    await expect.poll(() => rotate().then(([rotation]) => rotation?.isComplete, String)).toBe(true);
  });

  it('keeps the key of a value that does not open, and reports its location', async () => {
    const [id] = await writeSecrets(3);
    await test.coffer.pool.query(
      'update secrets set value = set_byte(value, 30, get_byte(value, 30) # 1) where id = $1',
      [id],
    );
    const [rotation] = await rotate();
    expect(rotation).toMatchObject({ unreadable: [`secrets.value of ${id} (version 1)`], isComplete: false });
    expect(await dataKeys()).toContainEqual({ owner: 'project', version: 1, state: 'active' });
    await test.coffer.pool.query('delete from secrets where id = $1', [id]);
    expect((await rotate())[0]).toMatchObject({ unreadable: [], isComplete: true });
    expect(await dataKeys()).toEqual(ROTATED);
  });

  it('retires nothing while the schema has unknown sealed columns', async () => {
    await writeSecrets(3);
    const [rotation] = await rotate(test.coffer, {
      columns: sealedColumns.filter(({ column }) => column !== 'comment'),
    });
    expect(rotation).toMatchObject({ retired: 0, isComplete: false });
    await rotate();
    expect(await dataKeys()).toEqual(ROTATED);
  });

  it('permits the creation of projects at any time', async () => {
    const { id: other } = await makeProject(test.coffer, world.organizationId, {
      type: 'platform',
      organizationId: world.organizationId,
    });
    // Between the steps, and in the midst of them.
    const during: string[] = [];
    let isRunning = true;
    const rotation = rotate(test.coffer, { settleMs: 100 }).finally(() => (isRunning = false));
    while (isRunning) {
      const actor = { type: 'platform', organizationId: world.organizationId } as const;
      during.push((await makeProject(test.coffer, world.organizationId, actor)).id);
    }
    await rotation;
    test.coffer.invalidate([`keys:${world.organizationId}`]);
    for (const id of [other, ...during])
      await expect(test.coffer.keys.project(world.organizationId, id)).resolves.toBeDefined();
  });
});

describe('destroyRetiredKeys', () => {
  it('destroys keys that were retired long enough ago, and none in use', async () => {
    const [id] = await writeSecrets(2);
    const before = (await readAll(test.coffer)).find((row) => row.id === id)!;
    await rotate();
    expect(await destroyRetiredKeys(test.coffer)).toBe(0);
    // A very late writer: its value is resealed before its key is destroyed.
    await test.coffer.pool.query('update secrets set value = $2 where id = $1', [id, before.value]);
    expect(await destroyRetiredKeys(test.coffer, { graceMs: 0 })).toBeGreaterThanOrEqual(2);
    expect((await dataKeys()).map(({ version }) => version)).toEqual([2, 2]);
    test.coffer.invalidate([`keys:${world.organizationId}`]);
    expect(await versionsInUse()).toEqual([2]);
  });
});

describe('a ciphertext in the database', () => {
  it('opens only where it was sealed: swaps between rows, columns, versions or projects are detected', async () => {
    const ids = await writeSecrets(6);
    for (const id of ids.slice(0, 3)) await changeSecret(test.coffer, id);
    const { id: otherProject } = await makeProject(test.coffer, world.organizationId, {
      type: 'platform',
      organizationId: world.organizationId,
    });
    const keys = await test.coffer.keys.project(world.organizationId, world.projectId);
    const foreign = await test.coffer.keys.project(world.organizationId, otherProject);
    const rows = await readAll(test.coffer);
    const all = rows.flatMap(({ id, version, value, comment }) => [
      { place: aadOf(id, 'value', version), sealed: value },
      ...(comment ? [{ place: aadOf(id, 'comment', 1), sealed: comment }] : []),
    ]);
    fc.assert(
      fc.property(fc.nat(all.length - 1), fc.nat(all.length - 1), (from, to) => {
        fc.pre(from !== to);
        expect(() => open(keys, all[from]!.sealed, all[to]!.place)).toThrow('does not open');
        expect(() => open(foreign, all[from]!.sealed, { ...all[from]!.place, owner: otherProject })).toThrow(
          'does not open',
        );
      }),
      { numRuns: 500 },
    );
  });
});

/** The same Coffer, whose connection breaks after so many statements. */
function killedAfter(coffer: Coffer, statements: number): Coffer {
  let left = statements;
  const count = () => {
    if (left-- <= 0) throw new Error('killed');
  };
  const pool = new Proxy(coffer.pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === 'query') {
        return (...args: Parameters<typeof target.query>) => {
          count();
          return target.query(...args);
        };
      }
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return new Proxy(coffer, {
    get(target, name) {
      if (name === 'pool') return pool;
      if (name === 'contextFor') {
        return (...args: Parameters<typeof target.contextFor>) => {
          count();
          return target.contextFor(...args);
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
