import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeOrganization, makeProject, type TestCoffer } from '../../testing/index.ts';
import { exportLines } from '../export.ts';
import { dropExpired } from '../retention.ts';
import { exported, writeEvents, type LogWorld } from '../testing/log.ts';
import { logTests } from '../testing/log-tests.ts';
import { verifyExport } from '../verify.ts';
import { archiveSealed, mayArchive, type Archived } from './archive.ts';
import { HEAD, SEGMENT_BYTES, segmentBytes } from './segment.ts';

let test: TestCoffer;
let log: LogWorld;
logTests((...opened) => ([test, log] = opened));

const archive = (): Promise<Archived> => archiveSealed(log.deps, { age: -1_000 });

async function countOf(
  organizationId: string,
): Promise<{ rows: number; blocks: number; segments: number; archived: number }> {
  const { rows } = await test.coffer.pool.query(
    `select (select count(*) from audit_events where organization_id = $1)::integer as rows,
       (select count(*) from audit_blocks where organization_id = $1)::integer as blocks,
       (select count(*) from audit_segments where organization_id = $1)::integer as segments,
       (select coalesce(sum(events), 0) from audit_segments where organization_id = $1)::integer as archived`,
    [organizationId],
  );
  return rows[0] as Awaited<ReturnType<typeof countOf>>;
}

/** An organization whose log has one sealed block for each number of events. */
async function sealedWorld(...blocks: readonly number[]): Promise<string> {
  const { id } = await makeOrganization(test.coffer);
  await log.sealAll();
  for (const events of blocks) {
    await writeEvents(test.coffer, events, { organizationId: id });
    await log.sealAll();
  }
  return id;
}

describe('archiving', () => {
  it('keeps every line of an export, and of a part of it', async () => {
    const id = await sealedWorld(3, 1, 5, 2);
    const before = await exported(test.coffer, id);
    const had = await countOf(id);
    await archive();
    const now = await countOf(id);
    expect(now).toMatchObject({ blocks: 1, segments: 1, rows: 2, archived: had.rows - 2 });
    expect(await exported(test.coffer, id)).toEqual(before);
    expect(await verifyExport(before, { publicKey: log.publicKey })).toMatchObject({ valid: true });
  });

  it('has every event once, however many processes archive at the same time', async () => {
    const id = await sealedWorld(4, 4, 4, 4);
    const before = await exported(test.coffer, id);
    await Promise.all([1, 2, 3].map(() => archiveSealed(log.deps, { age: -1_000, full: 5 })));
    await archive();
    expect(await exported(test.coffer, id)).toEqual(before);
    expect((await countOf(id)).rows).toBe(4);
  });

  it('does nothing where it is stopped in the middle', async () => {
    const id = await sealedWorld(3, 3, 3);
    const [before, had] = [await exported(test.coffer, id), await countOf(id)];
    const stopped = Object.create(test.coffer.pool, {
      query: { value: test.coffer.pool.query.bind(test.coffer.pool) },
      connect: {
        value: async () => {
          const client = await test.coffer.pool.connect();
          return new Proxy(client, {
            get: (target, name) =>
              name === 'query'
                ? (query: string | { text: string }, ...values: []) =>
                    query === 'commit'
                      ? target.query('select pg_terminate_backend(pg_backend_pid())')
                      : target.query(query as string, ...values)
                : (Reflect.get(target, name) as unknown),
          });
        },
      },
    }) as typeof test.coffer.pool;
    await archiveSealed({ ...log.deps, pool: stopped, log: quiet([]) }, { age: -1_000 });
    expect(await countOf(id)).toEqual(had);
    expect(await exported(test.coffer, id)).toEqual(before);
  });

  it('takes part in an export that is being read', async () => {
    const id = await sealedWorld(...Array.from({ length: 60 }, () => 1));
    const before = await exported(test.coffer, id);
    const lines: string[] = [];
    for await (const line of exportLines(test.coffer.pool, id)) {
      if (lines.push(line) === 5) await archiveSealed(log.deps, { age: -1_000, full: 20 });
    }
    expect(lines).toEqual(before);
  });

  it('limits segments by the bytes of their events; one that is larger alone is a segment of its own', async () => {
    const { id } = await makeOrganization(test.coffer);
    // As an earlier release wrote and sealed them: in no more than a block or two, whose bytes are unknown.
    const name = randomBytes(500).toString('hex').repeat(400);
    await writeEvents(test.coffer, 30, { organizationId: id, data: { name } });
    await writeEvents(test.coffer, 1, { organizationId: id, data: { name: name.repeat(12) } });
    await log.sealAll();
    await test.owner.query(
      'update audit_blocks set bytes = null where organization_id = $1 and sequence in (select sequence from audit_blocks where organization_id = $1 limit 2)',
      [id],
    );
    await writeEvents(test.coffer, 1, { organizationId: id });
    await log.sealAll();
    const before = await exported(test.coffer, id);
    await archive();
    expect(await exported(test.coffer, id)).toEqual(before);
    const { rows } = await test.coffer.pool.query<{ events: number; content: Buffer }>(
      'select events, content from audit_segments where organization_id = $1 order by first_sequence',
      [id],
    );
    const sizes = rows.map(({ content }) => segmentBytes(content.subarray(0, HEAD), content.length));
    expect(sizes).toEqual(rows.map(({ content }) => zstdDecompressSync(content).length));
    expect(sizes.length).toBeGreaterThan(3);
    const large = rows.filter((_, index) => sizes[index]! > SEGMENT_BYTES * 1.001);
    expect(large.map(({ events }) => events)).toEqual([1]);
  });

  it('reads segments of an earlier release, which do not say how large they are', async () => {
    const id = await sealedWorld(3, 3, 1);
    const before = await exported(test.coffer, id);
    await archive();
    const { rows } = await test.owner.query<{ content: Buffer }>(
      'select content from audit_segments where organization_id = $1',
      [id],
    );
    const former = await promisify(zstdCompress)(zstdDecompressSync(rows[0]!.content));
    expect(segmentBytes(former.subarray(0, HEAD), former.length)).toBe(former.length * 12);
    await test.owner.query('update audit_segments set content = $2 where organization_id = $1', [id, former]);
    expect(await exported(test.coffer, id)).toEqual(before);
    await writeEvents(test.coffer, 1, { organizationId: id });
    await log.sealAll();
    await archive();
    expect((await exported(test.coffer, id)).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    expect(await countOf(id)).toMatchObject({ segments: 1 });
  });

  it('leaves events that are not what was sealed as they are, and says so', async () => {
    const id = await sealedWorld(2, 2, 1);
    await test.owner.query(
      `update audit_events set data = '{"name":"forged"}' where id = (select min(id::text)::uuid from audit_events where organization_id = $1 and type = 'thing.happened')`,
      [id],
    );
    const had = await countOf(id);
    const said: string[] = [];
    await archiveSealed({ ...log.deps, log: quiet(said) }, { age: -1_000 });
    expect(await countOf(id)).toEqual(had);
    expect(said.join()).toContain('could not be archived');
  });

  it('waits for a block to be old enough, and never takes the newest', async () => {
    const id = await sealedWorld(2, 2);
    const had = await countOf(id);
    await archiveSealed(log.deps);
    expect(await countOf(id)).toEqual(had);
    test.advance(3_600_000);
    await archiveSealed(log.deps);
    expect((await countOf(id)).blocks).toBe(1);
  });

  it('begins a day after the release was installed, unless the instance began with it', async () => {
    const { signingKey } = log;
    expect(await mayArchive(test.coffer.pool, signingKey)).toBe(true);
    const installed = (text: string) =>
      test.owner.query(
        `update schema_migrations set ran_at = now() - $1::interval where name = '0058-audit-segments'`,
        [text],
      );
    await test.owner.query(
      `update schema_migrations set ran_at = now() - interval '1 year' where name <> '0058-audit-segments'`,
    );
    await installed('23 hours');
    expect(await mayArchive(test.coffer.pool, signingKey)).toBe(false);
    await installed('25 hours');
    expect(await mayArchive(test.coffer.pool, signingKey)).toBe(true);
  });
});

describe('retention', () => {
  const DAY = 86_400_000;
  const ago = (days: number) => new Date(test.coffer.now().getTime() - days * DAY);

  it('removes the same events from segments as from rows, and the export accounts for them', async () => {
    const { id: organizationId, admin } = await makeOrganization(test.coffer);
    const [short, lasting] = [
      (await makeProject(test.coffer, organizationId, admin.actor)).id,
      (await makeProject(test.coffer, organizationId, admin.actor)).id,
    ];
    await test.coffer.pool.query('update projects set audit_logs_retention_days = 30 where id = $1', [short]);
    for (const projectId of [short, lasting, undefined, short]) {
      await writeEvents(test.coffer, 2, { organizationId, projectId, at: ago(100) });
      await writeEvents(test.coffer, 1, { organizationId, projectId, at: ago(20) });
      await log.sealAll();
    }
    await writeEvents(test.coffer, 1, { organizationId });
    await log.sealAll();
    await archive();
    const { archived } = await countOf(organizationId);
    expect(await dropExpired(log.deps)).toMatchObject({ events: 4 });
    await test.coffer.pool.query('update organizations set audit_logs_retention_days = 90 where id = $1', [
      organizationId,
    ]);
    expect(await dropExpired(log.deps)).toMatchObject({ events: 4 });
    expect(await dropExpired(log.deps)).toMatchObject({ events: 0 });
    expect((await countOf(organizationId)).archived).toBe(archived - 8);
    const lines = await exported(test.coffer, organizationId);
    expect(lines.filter((line) => line.includes(`"createdAt":"${ago(100).toISOString().slice(0, 10)}`))).toEqual([]);
    expect(await verifyExport(lines, { publicKey: log.publicKey })).toMatchObject({ valid: true, expired: 8 });
  });
});

const quiet = (said: string[]) => {
  const say = (_: object, text: string) => void said.push(text);
  return { debug: say, info: say, warn: say, error: say };
};
