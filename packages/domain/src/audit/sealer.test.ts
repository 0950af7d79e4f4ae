import { describe, expect, it } from 'vitest';
import type { TestCoffer } from '../testing/index.ts';
import { ensurePartitions } from './partitions.ts';
import { startSealer } from './sealer.ts';
import { anOrganization, exported, whileUnsettled, writeEvents, type LogWorld } from './testing/log.ts';
import { logTests } from './testing/log-tests.ts';
import { verifyExport } from './verify.ts';

let test: TestCoffer;
let log: LogWorld;
logTests((...opened) => ([test, log] = opened));

const idsIn = (lines: readonly string[]): string[] =>
  lines
    .filter((line) => line.startsWith('{"event":'))
    .map((line) => (JSON.parse(line) as { event: { id: string } }).event.id);

describe('the sealer', () => {
  it('chains the events of each organization apart, in their order', async () => {
    const [one, other] = [anOrganization(), anOrganization()];
    const first = await writeEvents(test.coffer, 3, { organizationId: one });
    const foreign = await writeEvents(test.coffer, 2, { organizationId: other });
    await log.sealAll();
    const second = await writeEvents(test.coffer, 2, { organizationId: one });
    await log.sealAll();
    const lines = await exported(test.coffer, one);
    expect(idsIn(lines)).toEqual([...first, ...second]);
    expect(idsIn(await exported(test.coffer, other))).toEqual(foreign);
    const report = await verifyExport(lines, { publicKey: log.publicKey });
    expect(report).toMatchObject({ valid: true, fault: null, blocks: 2, events: 5, expired: 0, keyGiven: true });
    expect(report.last?.sequence).toBe(2);
  });

  it('seals automatically within moments', async () => {
    const organizationId = anOrganization();
    const ids = await writeEvents(test.coffer, 1, { organizationId });
    await expect.poll(async () => idsIn(await exported(test.coffer, organizationId))).toEqual(ids);
  });

  it('skips nothing that commits late, and waits for it', async () => {
    const organizationId = anOrganization();
    await whileUnsettled(test, async (slow) => {
      const early = await writeEvents(test.coffer, 2, { organizationId });
      await log.sealer.sealNow();
      expect(idsIn(await exported(test.coffer, organizationId))).toEqual([]);
      const { rows } = await slow.query<{ id: string }>(
        `insert into audit_events (id, organization_id, type, published, actor_type, actor, user_agent_type, data, created_at)
         values (gen_random_uuid(), $1, 'thing.happened', 'happen-thing', 'platform', '{}', 'other', '{"name": "late"}', now()) returning id`,
        [organizationId],
      );
      await slow.query('commit');
      await log.sealAll();
      expect(idsIn(await exported(test.coffer, organizationId))).toEqual([rows[0]!.id, ...early]);
    });
  });

  it('continues within a transaction of more events than its batch', async () => {
    const organizationId = anOrganization();
    const ids = await writeEvents(test.coffer, 2_500, { organizationId });
    await log.sealAll();
    const lines = await exported(test.coffer, organizationId);
    expect(idsIn(lines).toSorted()).toEqual(ids.toSorted());
    expect(await verifyExport(lines, { publicKey: log.publicKey })).toMatchObject({ valid: true, events: 2_500 });
  });

  it('seals every event once, also in several concurrent processes', async () => {
    const organizationId = anOrganization();
    const others = Array.from({ length: 3 }, () => startSealer(log.deps));
    const written: string[] = [];
    for (let round = 0; round < 10; round++) {
      const [ids] = await Promise.all([
        writeEvents(test.coffer, 5, { organizationId }),
        ...others.map((sealer) => sealer.sealNow()),
      ]);
      written.push(...ids);
    }
    await Promise.all(others.map((sealer) => sealer.stop()));
    await log.sealAll();
    const lines = await exported(test.coffer, organizationId);
    expect(idsIn(lines).toSorted()).toEqual(written.toSorted());
    expect(await verifyExport(lines, { publicKey: log.publicKey })).toMatchObject({ valid: true, events: 50 });
  });

  it('preserves any text', async () => {
    const organizationId = anOrganization();
    const data = { quote: '"\\', lines: 'a\nb\r\u2028c', unicode: 'é😀', number: 1.5, deep: [{ b: 1, a: null }] };
    await writeEvents(test.coffer, 1, { organizationId, data });
    await log.sealAll();
    const lines = await exported(test.coffer, organizationId);
    expect(await verifyExport(lines, { publicKey: log.publicKey })).toMatchObject({ valid: true });
    expect((JSON.parse(lines.at(-2)!) as { event: { data: object } }).event.data).toMatchObject(data);
  });
});

describe('after a restore into another cluster, where transaction IDs start again', () => {
  it('seals each event once: unsealed ones from the dump, and new ones', async () => {
    const { pool } = test.coffer;
    const organizationId = anOrganization();
    const sealed = await writeEvents(test.coffer, 3, { organizationId });
    await log.sealAll();
    await whileUnsettled(test, async (open) => {
      const waiting = await writeEvents(test.coffer, 2, { organizationId });
      // The state after a restore: rows with transaction IDs of another cluster, all beyond those of this one.
      await test.owner.query(`update audit_events set txid = (txid::text::bigint + 5000000000)::text::xid8`);
      await pool.query(
        `update audit_cursor set cluster = 'elsewhere', next_txid = (next_txid::text::bigint + 5000000000)::text::xid8`,
      );
      const early = await writeEvents(test.coffer, 2, { organizationId });
      await open.query('commit');
      await log.sealAll();
      const later = await writeEvents(test.coffer, 2, { organizationId });
      await log.sealAll();
      const lines = await exported(test.coffer, organizationId);
      expect(idsIn(lines)).toEqual([...sealed, ...waiting, ...early, ...later]);
      expect(await verifyExport(lines, { publicKey: log.publicKey })).toMatchObject({ valid: true, events: 9 });
      const { rows } = await pool.query<{ epoch: number; cluster: string }>('select epoch, cluster from audit_cursor');
      expect(rows).toEqual([{ epoch: 1, cluster: expect.stringMatching(/^\d+$/) as unknown }]);
    });
  });

  it('continues in the new epoch in later partitions', async () => {
    const organizationId = anOrganization();
    expect(await ensurePartitions(test.coffer.pool, test.coffer.now())).toHaveLength(3);
    const ids = await writeEvents(test.coffer, 2, { organizationId });
    await log.sealAll();
    expect(idsIn(await exported(test.coffer, organizationId))).toEqual(ids);
  });
});
