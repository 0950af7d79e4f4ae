import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { dropEmptyPartitions, ensurePartitions } from './partitions.ts';
import { anOrganization, writeEvents } from './testing/log.ts';

let test: TestCoffer;
beforeEach(async () => {
  test = await testCoffer();
});
afterEach(() => test.close());

const NOW = new Date('2031-12-15T12:00:00.000Z');

async function partitionOf(id: string): Promise<string | undefined> {
  const { rows } = await test.coffer.pool.query<{ name: string }>(
    'select tableoid::regclass::text as name from audit_events where id = $1',
    [id],
  );
  return rows[0]?.name;
}

describe('ensurePartitions', () => {
  it('creates this month and the next two, once', async () => {
    const { pool } = test.coffer;
    expect(await ensurePartitions(pool, NOW)).toEqual([
      'audit_events_2031_12',
      'audit_events_2032_01',
      'audit_events_2032_02',
    ]);
    expect(await ensurePartitions(pool, NOW)).toEqual([]);
    const [december, february] = await Promise.all(
      [NOW, new Date('2032-02-29T23:59:59.999Z')].map((at) =>
        writeEvents(test.coffer, 1, { organizationId: anOrganization(), at }),
      ),
    );
    expect(await partitionOf(december![0]!)).toBe('audit_events_2031_12');
    expect(await partitionOf(february![0]!)).toBe('audit_events_2032_02');
  });

  it('is safe beside other processes', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => ensurePartitions(test.coffer.pool, NOW)));
    expect(made.flat().toSorted()).toEqual(['audit_events_2031_12', 'audit_events_2032_01', 'audit_events_2032_02']);
  });

  it('moves rows of the default partition to the right one', async () => {
    const late = await writeEvents(test.coffer, 3, {
      organizationId: anOrganization(),
      at: new Date('2031-10-31T23:59:59.999Z'),
    });
    const current = await writeEvents(test.coffer, 2, { organizationId: anOrganization(), at: NOW });
    expect(await partitionOf(late[0]!)).toBe('audit_events_default');
    expect(await ensurePartitions(test.coffer.pool, NOW)).toContain('audit_events_2031_10');
    expect(await partitionOf(late[2]!)).toBe('audit_events_2031_10');
    expect(await partitionOf(current[0]!)).toBe('audit_events_2031_12');
  });

  it('yields to reads and writes, and works after them', async () => {
    const busy = new Client({ connectionString: test.databaseUrl });
    await busy.connect();
    await busy.query('begin');
    await busy.query('select count(*) from audit_events');
    const work = ensurePartitions(test.coffer.pool, NOW);
    const writes = [];
    for (let i = 0; i < 20; i++)
      writes.push(await writeEvents(test.coffer, 1, { organizationId: anOrganization(), at: NOW }));
    await busy.query('commit');
    await busy.end();
    expect(await work).toHaveLength(3);
    expect(writes).toHaveLength(20);
  });
});

describe('dropEmptyPartitions', () => {
  it('drops old empty partitions, and no other', async () => {
    const { pool } = test.coffer;
    const at = new Date('2031-08-01T00:00:00.000Z');
    await ensurePartitions(pool, new Date('2031-07-15T00:00:00.000Z'));
    await writeEvents(test.coffer, 1, { organizationId: anOrganization(), at });
    await ensurePartitions(pool, NOW);
    expect(await dropEmptyPartitions(pool, NOW)).toEqual(['audit_events_2031_07', 'audit_events_2031_09']);
    expect(await dropEmptyPartitions(pool, NOW)).toEqual([]);
  });
});
