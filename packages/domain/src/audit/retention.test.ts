import { describe, expect, it } from 'vitest';
import { makeOrganization, makeProject, type TestCoffer } from '../testing/index.ts';
import { archiveSealed } from './archive/archive.ts';
import { dropExpired } from './retention.ts';
import { exported, whileUnsettled, writeEvents, type LogWorld } from './testing/log.ts';
import { logTests } from './testing/log-tests.ts';
import { verifyExport } from './verify.ts';

const DAY = 86_400_000;

let test: TestCoffer;
let log: LogWorld;
logTests((...opened) => ([test, log] = opened));

const ago = (days: number) => new Date(test.coffer.now().getTime() - days * DAY);

async function world() {
  const organization = await makeOrganization(test.coffer);
  const [short, lasting] = [
    await makeProject(test.coffer, organization.id, organization.admin.actor),
    await makeProject(test.coffer, organization.id, organization.admin.actor),
  ];
  await test.coffer.pool.query('update projects set audit_logs_retention_days = 30 where id = $1', [short.id]);
  return { organizationId: organization.id, short: short.id, lasting: lasting.id };
}

const count = async (organizationId: string): Promise<number> => {
  const { rows } = await test.coffer.pool.query<{ n: number }>(
    'select count(*)::int as n from audit_events where organization_id = $1',
    [organizationId],
  );
  return rows[0]!.n;
};

describe('dropExpired', () => {
  it('removes expired events of a project, and the export reports that instead of tampering', async () => {
    const { organizationId, short, lasting } = await world();
    for (const projectId of [short, lasting, undefined, short]) {
      await writeEvents(test.coffer, 2, { organizationId, projectId, at: ago(40) });
      await writeEvents(test.coffer, 1, { organizationId, projectId, at: ago(20) });
    }
    await log.sealAll();
    const before = await count(organizationId);
    expect(await dropExpired(log.deps)).toMatchObject({ events: 4 });
    expect(await count(organizationId)).toBe(before - 4);
    expect(await dropExpired(log.deps)).toMatchObject({ events: 0 });

    const report = await verifyExport(await exported(test.coffer, organizationId), { publicKey: log.publicKey });
    expect(report).toMatchObject({ valid: true, expired: 4, events: before - 4 });
  });

  it('goes on at other places where it fails at one', async () => {
    const [damaged, whole] = [await world(), await world()];
    for (const { organizationId, short: projectId } of [damaged, whole]) {
      await writeEvents(test.coffer, 2, { organizationId, projectId, at: ago(40) });
      await log.sealAll();
      // The newest block stays.
      await writeEvents(test.coffer, 1, { organizationId });
      await log.sealAll();
    }
    await archiveSealed(log.deps, { age: -1_000 });
    const damage = 'update audit_segments set content = $2 where organization_id = $1';
    await test.owner.query(damage, [damaged.organizationId, Buffer.from('no segment')]);
    await expect(dropExpired(log.deps)).rejects.toThrow('Unknown frame');
    await test.owner.query('delete from audit_segments where organization_id = $1', [damaged.organizationId]);
    // All others are done.
    expect(await dropExpired(log.deps)).toMatchObject({ events: 0 });
    expect(await exported(test.coffer, whole.organizationId)).toContainEqual(
      expect.stringContaining('"kind":"expiry"'),
    );
  });

  it('never removes unsealed events', async () => {
    const { organizationId, short } = await world();
    await log.sealAll();
    await whileUnsettled(test, async () => {
      const before = await count(organizationId);
      await writeEvents(test.coffer, 3, { organizationId, projectId: short, at: ago(40) });
      await log.sealer.sealNow();
      expect(await dropExpired(log.deps)).toMatchObject({ events: 0 });
      expect(await count(organizationId)).toBe(before + 3);
    });
    await log.sealAll();
    expect(await dropExpired(log.deps)).toMatchObject({ events: 3 });
  });

  it("uses the organization's setting for projects without one", async () => {
    const { organizationId, short, lasting } = await world();
    await test.coffer.pool.query('update organizations set audit_logs_retention_days = 90 where id = $1', [
      organizationId,
    ]);
    for (const projectId of [short, lasting, undefined]) {
      await writeEvents(test.coffer, 1, { organizationId, projectId, at: ago(100) });
      await writeEvents(test.coffer, 1, { organizationId, projectId, at: ago(60) });
    }
    await log.sealAll();
    expect(await dropExpired(log.deps)).toMatchObject({ events: 4 });
    expect(await verifyExport(await exported(test.coffer, organizationId), { publicKey: log.publicKey })).toMatchObject(
      { valid: true, expired: 4 },
    );
  });

  it('keeps everything without a retention', async () => {
    const { organizationId, lasting } = await world();
    await writeEvents(test.coffer, 2, { organizationId, projectId: lasting, at: ago(4000) });
    await log.sealAll();
    expect(await dropExpired(log.deps)).toMatchObject({ events: 0 });
  });

  it("removes the hashes of a block's events with the last of them, and the chain still verifies", async () => {
    const { organizationId, short } = await world();
    await log.sealAll();
    await writeEvents(test.coffer, 5, { organizationId, projectId: short, at: ago(50) });
    await log.sealAll();
    await dropExpired(log.deps);
    const lines = await exported(test.coffer, organizationId);
    expect(lines).toContain('{"expired":"all"}');
    expect(await verifyExport(lines, { publicKey: log.publicKey })).toMatchObject({ valid: true, expired: 5 });
  });

  it('finds events that were removed under cover of retention', async () => {
    const { organizationId, short, lasting } = await world();
    await writeEvents(test.coffer, 2, { organizationId, projectId: short, at: ago(40) });
    const [victim] = await writeEvents(test.coffer, 2, { organizationId, projectId: lasting, at: ago(40) });
    await log.sealAll();
    await dropExpired(log.deps);
    await test.owner.query('delete from audit_events where id = $1', [victim]);
    const report = await verifyExport(await exported(test.coffer, organizationId), { publicKey: log.publicKey });
    expect(report).toMatchObject({
      valid: false,
      fault: { reason: expect.stringContaining('no signed expiry block') as unknown },
    });
  });

  it('accounts for the events of a period by later expiry blocks', async () => {
    const { organizationId, short } = await world();
    await writeEvents(test.coffer, 2, { organizationId, projectId: short, at: ago(45) });
    await log.sealAll();
    await writeEvents(test.coffer, 2, { organizationId, at: ago(5) });
    await log.sealAll();
    await dropExpired(log.deps);
    const lines = await exported(test.coffer, organizationId, { startDate: ago(46), endDate: ago(44) });
    expect(lines.at(-2)).toMatch(/^\{"later":/);
    expect(await verifyExport(lines, { publicKey: log.publicKey })).toMatchObject({
      valid: true,
      expired: 2,
      blocks: 1,
    });
  });
});
