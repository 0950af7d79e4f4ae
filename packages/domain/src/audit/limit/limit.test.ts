import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../kernel/index.ts';
import { makeOrganization, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { archiveSealed } from '../archive/archive.ts';
import { INSTANCE_LOG } from '../instance-log.ts';
import { archivedLog, blocksIn, exported, logWorld, writeEvents, type LogWorld } from '../testing/log.ts';
import { chunksOfFile, linesOf, verifyExport } from '../verify.ts';
import { DirectoryExports } from './export-directory.ts';
import { keepWithinLimit, releaseOldest, type SpaceDeps } from './release.ts';
import { auditBytes, AuditSpace, type AuditLimit } from './space.ts';

let test: TestCoffer;
let log: LogWorld;
let ctx: Context;
let directory: string;
beforeAll(async () => {
  test = await testCoffer();
  log = await logWorld(test);
  ctx = test.coffer.contextFor({ type: 'platform', organizationId: undefined });
  directory = mkdtempSync(join(tmpdir(), 'coffer-audit-'));
});
afterAll(async () => {
  await log.stop();
  await test.close();
  rmSync(directory, { recursive: true });
});

const said: string[] = [];
const say = (_: object, text: string) => void said.push(text);
const depsWith = (limit: AuditLimit): SpaceDeps => ({
  ...log.deps,
  log: { debug: say, info: say, warn: say, error: say },
  space: new AuditSpace({ pool: test.coffer.pool, now: test.coffer.now, log: log.deps.log, limit }),
});

const archivedWorld = () => archivedLog(test, log);

const linesIn = async (name: string): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of linesOf(chunksOfFile(join(directory, name)))) lines.push(line);
  return lines;
};

describe('at the limit', () => {
  it('the oldest segments are exported and removed; files and the rest are the whole log, and verify', async () => {
    const id = await archivedWorld();
    const before = blocksIn(await exported(test.coffer, id));
    const deps = depsWith({ maxBytes: 1e12, exports: new DirectoryExports(directory) });
    const target = (await auditBytes(test.coffer.pool)) - 1;
    const released = await releaseOldest(ctx, deps, new DirectoryExports(directory), target);
    expect(released.map(({ organizationId }) => organizationId)).toEqual([id]);
    expect(await auditBytes(test.coffer.pool)).toBeLessThanOrEqual(target);

    const [name] = readdirSync(directory);
    expect(readdirSync(directory)).toEqual([expect.stringMatching(`^audit-${id}-1-\\d+\\.jsonl\\.zst$`)]);
    expect(statSync(join(directory, name!)).mode & 0o777).toBe(0o600);
    const lines = await linesIn(name!);
    const [first, rest] = [blocksIn(lines), await exported(test.coffer, id)];
    // The event of the release may be sealed already.
    expect([...first, ...blocksIn(rest)].slice(0, before.length)).toEqual(before);
    for (const part of [lines, rest])
      expect(await verifyExport(part, { publicKey: log.publicKey })).toMatchObject({ valid: true, fault: null });

    await log.sealAll();
    const { rows } = await test.coffer.pool.query<{ data: object }>(
      `select data from audit_events where organization_id = $1 and type = 'audit_log.released'`,
      [id],
    );
    expect(rows).toEqual([
      { data: expect.objectContaining({ file: name, firstSequence: 1, lastSequence: first.length }) as object },
    ]);
  });

  it('the events of whoever has most are removed first, not the oldest of all', async () => {
    const quiet = await archivedWorld();
    const loud = await archivedWorld();
    await writeEvents(test.coffer, 400, { organizationId: loud });
    await log.sealAll();
    await writeEvents(test.coffer, 1, { organizationId: loud });
    await log.sealAll();
    await archiveSealed(log.deps, { age: -1_000, full: 100 });
    const before = await exported(test.coffer, quiet);
    const deps = depsWith({ maxBytes: 1e12 });
    const { rows } = await test.coffer.pool.query<{ id: string; bytes: number }>(
      'select organization_id as id, segment_bytes::float8 as bytes from audit_organization_volumes order by segment_bytes desc',
    );
    expect(rows[0]).toMatchObject({ id: loud });
    const target = (await auditBytes(test.coffer.pool)) - rows[0]!.bytes / 2;
    const released = await releaseOldest(ctx, deps, new DirectoryExports(directory), target);
    expect(new Set(released.map(({ organizationId }) => organizationId))).toEqual(new Set([loud]));
    expect(await exported(test.coffer, quiet)).toEqual(before);
  });

  it('nothing is removed if its file cannot be written', async () => {
    const id = await archivedWorld();
    const before = await exported(test.coffer, id);
    const deps = depsWith({ maxBytes: 1e12 });
    await expect(releaseOldest(ctx, deps, new DirectoryExports('/dev/null/none'), 0)).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(await exported(test.coffer, id)).toEqual(before);
  });

  it('everything is still there after a stop between the file and the removal, and the next attempt ends it', async () => {
    const id = await archivedWorld();
    const before = await exported(test.coffer, id);
    const deps = depsWith({ maxBytes: 1e12 });
    const target = (await auditBytes(test.coffer.pool)) - 1;
    // Refused by the database, after the file was written.
    const signingKey = generateKeyPairSync('ed25519').privateKey;
    await expect(
      releaseOldest(ctx, { ...deps, signingKey }, new DirectoryExports(directory), target),
    ).rejects.toMatchObject({
      code: '42501',
    });
    const files = () => readdirSync(directory).length;
    const written = files();
    expect(await exported(test.coffer, id)).toEqual(before);
    const [oldest] = await releaseOldest(ctx, deps, new DirectoryExports(directory), target);
    expect(files()).toBe(written);
    const first = await linesIn(`audit-${oldest!.organizationId}-${oldest!.first}-${oldest!.last}.jsonl.zst`);
    expect(await verifyExport(first, { publicKey: log.publicKey })).toMatchObject({ valid: true });
  });

  it('what is not compressed yet is, and what cannot be exported is left', async () => {
    const { id } = await makeOrganization(test.coffer);
    for (let n = 0; n < 2; n++) {
      await writeEvents(test.coffer, 3, { organizationId: id });
      await log.sealAll();
    }
    test.advance(1);
    await keepWithinLimit(ctx, depsWith({ maxBytes: 1, exports: new DirectoryExports(directory) }));
    expect(readdirSync(directory).filter((name) => name.includes(id))).toHaveLength(1);
    expect(said.join()).toContain('nothing of it can be exported yet');
    const { rows } = await test.coffer.pool.query('select segment_bytes::integer as bytes from audit_volume');
    expect(rows).toEqual([{ bytes: 0 }]);
  });

  it('the log is only compressed, where there is no directory', async () => {
    const { id } = await makeOrganization(test.coffer);
    for (let n = 0; n < 2; n++) {
      await writeEvents(test.coffer, 100, { organizationId: id });
      await log.sealAll();
    }
    const before = await exported(test.coffer, id);
    const bytes = await auditBytes(test.coffer.pool);
    test.advance(1);
    await keepWithinLimit(ctx, depsWith({ maxBytes: bytes }));
    expect(await auditBytes(test.coffer.pool)).toBeLessThan(bytes * 0.8);
    expect(await exported(test.coffer, id)).toEqual(before);
  });
});

describe('the size of the log', () => {
  it('is that of its events, before and after they are sealed, and of the segments of each organization', async () => {
    const { id } = await makeOrganization(test.coffer);
    await log.sealAll();
    const before = await auditBytes(test.coffer.pool);
    const data = { name: randomBytes(100_000).toString('hex') };
    await writeEvents(test.coffer, 5, { organizationId: id, data });
    expect(await auditBytes(test.coffer.pool)).toBeGreaterThan(before + 1_000_000);
    await log.sealAll();
    expect(await auditBytes(test.coffer.pool)).toBeGreaterThan(before + 1_000_000);
    await writeEvents(test.coffer, 1, { organizationId: id });
    await log.sealAll();
    await archiveSealed(log.deps, { age: -1_000 });
    const { rows } = await test.coffer.pool.query(
      `select (select segment_bytes from audit_volume) = (select sum(segment_bytes) from audit_organization_volumes) as "isSum",
         not exists (select from audit_organization_volumes v where v.segment_bytes <> coalesce((
           select sum(audit_segment_bytes(s.terms, s.content)) from audit_segments s where s.organization_id = v.organization_id), 0)) as "isRight"`,
    );
    expect(rows).toEqual([{ isSum: true, isRight: true }]);
  });
});

describe('before the limit', () => {
  const warnings = async () => {
    const { rows } = await test.coffer.pool.query(
      `select 1 from audit_events where organization_id = $1 and type = 'audit_log.nearly_full'`,
      [INSTANCE_LOG],
    );
    return rows.length;
  };

  it('a warning is logged and recorded, once a day', async () => {
    const bytes = await auditBytes(test.coffer.pool);
    await keepWithinLimit(ctx, depsWith({ maxBytes: bytes * 2 }));
    const had = await warnings();
    test.advance(86_400_000);
    const near = depsWith({ maxBytes: bytes * 1.1 });
    for (let n = 0; n < 2; n++) await keepWithinLimit(ctx, near);
    expect(await warnings()).toBe(had + 1);
    expect(said.filter((text) => text.includes('80 % of its limit'))).toHaveLength(had + 1);
    test.advance(86_400_000);
    await keepWithinLimit(ctx, near);
    expect(await warnings()).toBe(had + 2);
  });
});
