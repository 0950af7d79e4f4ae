import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openCoffer, type Coffer } from '../app/coffer.ts';
import { inTransaction, type Actor } from '../kernel/index.ts';
import { createProjectRow } from '../projects/project/create.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../testing/index.ts';
import { rotateUsedKeys } from './rotation/index.ts';
import { parseRootKey } from './root-key.ts';
import { keyVersionOf, open, seal } from './seal.ts';

const keyUseLimits = { block: 8, rotateAt: 64, limit: 256 };

let test: TestCoffer;
let organizationId: string;
let projectId: string;
let admin: Actor;
beforeAll(async () => {
  test = await testCoffer({ keyUseLimits });
});
afterAll(() => test.close());
beforeEach(async () => {
  const organization = await makeOrganization(test.coffer);
  organizationId = organization.id;
  admin = organization.admin.actor;
  projectId = (await makeProject(test.coffer, organizationId, admin)).id;
});

const place = { column: 'test.value', owner: 'o', row: 'r', version: 0 } as const;
const sealOnce = async (coffer: Coffer) => seal(await coffer.keys.sealing(organizationId, projectId), 'value', place);
const anotherProcess = () =>
  openCoffer({
    databaseUrl: test.servingUrl,
    rootKey: parseRootKey(test.rootKey),
    fetch: () => Promise.reject(new Error('none')),
    migrate: false,
    poolSize: 2,
    keyUseLimits,
  });
const counted = async (project: string | null = projectId): Promise<number[]> => {
  const { rows } = await test.coffer.pool.query<{ uses: number }>(
    'select uses::integer as uses from data_keys where organization_id = $1 and project_id is not distinct from $2 order by version',
    [organizationId, project],
  );
  return rows.map(({ uses }) => uses);
};

describe('the uses of a data key', () => {
  it('are reserved in the database by blocks, before the first of each', async () => {
    expect(await counted()).toEqual([0]);
    const counts: number[] = [];
    for (let used = 1; used <= 20; used++) {
      await sealOnce(test.coffer);
      counts.push((await counted())[0]!);
      expect(counts.at(-1)).toBeGreaterThanOrEqual(used);
      expect(counts.at(-1)! - used).toBeLessThanOrEqual(keyUseLimits.block * 1.5);
    }
    expect(new Set(counts).size).toBeLessThanOrEqual(4);
  });

  it('are never counted too low by parallel processes, nor after crashes', async () => {
    let used = 0;
    for (let round = 0; round < 3; round++) {
      const processes = await Promise.all([anotherProcess(), anotherProcess()]);
      await Promise.all(
        [...processes, test.coffer].map(async (coffer, index) => {
          for (let i = 0; i < 2 + index * 3; i++) await sealOnce(coffer);
        }),
      );
      used += 2 + 5 + 8;
      const [uses] = await counted();
      expect(uses).toBeGreaterThanOrEqual(used);
      // Nothing is given back: a crash looks the same to the count.
      await Promise.all(processes.map((coffer) => coffer.close()));
      expect(await counted()).toEqual([uses]);
    }
  });

  it('stay counted when the transaction that used the key is rolled back', async () => {
    const ctx = test.coffer.contextFor(admin);
    const failing = inTransaction(ctx, async (tx) => {
      seal(await tx.keys.sealing(organizationId, projectId), 'value', place);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await counted()).toEqual([keyUseLimits.block]);
  });

  it('are counted for a key that the same transaction has created', async () => {
    const made = await inTransaction(test.coffer.contextFor(admin), async (tx) => {
      const row = await createProjectRow(tx, {
        organizationId,
        name: 'New',
        slug: 'new',
        type: 'secret-manager',
        description: null,
        hasDeleteProtection: false,
        withEnvironments: false,
      });
      seal(await tx.keys.sealing(organizationId, row.id), 'value', place);
      return row.id;
    });
    expect(await counted(made)).toEqual([keyUseLimits.block]);
    expect(await counted(null)).toEqual([keyUseLimits.block]);
  });

  it('end at the limit, for all processes together, while stored values still open', async () => {
    const other = await anotherProcess();
    onTestFinished(() => other.close());
    const sealed: Buffer[] = [];
    const refusals: unknown[] = [];
    for (let i = 0; i < keyUseLimits.limit + 10; i++)
      await sealOnce(i % 2 ? other : test.coffer).then(
        (value) => sealed.push(value),
        (error: unknown) => refusals.push(error),
      );
    expect(sealed).toHaveLength(keyUseLimits.limit);
    expect(await counted()).toEqual([keyUseLimits.limit]);
    for (const refusal of refusals) expect(refusal).toMatchObject({ kind: 'unavailable', code: 'keys.exhausted' });
    expect(open(await test.coffer.keys.project(organizationId, projectId), sealed[0]!, place)).toBe('value');
  });

  it('are rejected beyond the reservation, if too much is encrypted between two reservations', async () => {
    const keys = await test.coffer.keys.sealing(organizationId, projectId);
    for (let i = 0; i < keyUseLimits.block; i++) seal(keys, 'value', place);
    expect(() => seal(keys, 'value', place)).toThrow('Too many encryptions at once');
    await sealOnce(test.coffer);
  });

  it('are reserved by their number for whoever says how many, also while others encrypt', async () => {
    const many = 110;
    const [first, second] = await Promise.all(
      [1, 2].map(() => test.coffer.keys.sealing(organizationId, projectId, many)),
    );
    for (let i = 0; i < many; i++) for (const keys of [first!, second!]) seal(keys, 'value', place);
    const [uses] = await counted();
    expect(uses).toBeGreaterThanOrEqual(2 * many);
    await expect(test.coffer.keys.sealing(organizationId, projectId, many)).rejects.toMatchObject({
      code: 'keys.exhausted',
    });
    expect(await counted()).toEqual([uses]);
    await sealOnce(test.coffer);
  });
});

describe('rotateUsedKeys', () => {
  it('triggers a rotation long before the limit, and only for such keys', async () => {
    // What the tests before have left.
    await rotateUsedKeys(test.coffer, { settleMs: 0 });
    for (let i = 0; i < 40; i++) await sealOnce(test.coffer);
    expect(await rotateUsedKeys(test.coffer, { settleMs: 0 })).toEqual([]);
    for (let i = 0; i < 30; i++) await sealOnce(test.coffer);
    expect(await rotateUsedKeys(test.coffer, { settleMs: 0 })).toMatchObject([{ organizationId, isComplete: true }]);
    expect(keyVersionOf(await sealOnce(test.coffer))).toBe(2);
    expect(await counted()).toEqual([expect.any(Number), keyUseLimits.block]);
    expect(await rotateUsedKeys(test.coffer, { settleMs: 0 })).toEqual([]);
  });

  it('goes on where the keys of an organization cannot be opened', async () => {
    await rotateUsedKeys(test.coffer, { settleMs: 0 });
    const damaged = organizationId;
    for (let i = 0; i < 70; i++) await sealOnce(test.coffer);
    await test.owner.query(
      `update data_keys set wrapped = overlay(wrapped placing decode('00000000', 'hex') from length(wrapped) - 3)
       where organization_id = $1 and project_id is not null`,
      [damaged],
    );
    const other = await makeOrganization(test.coffer);
    organizationId = other.id;
    projectId = (await makeProject(test.coffer, organizationId, other.admin.actor)).id;
    for (let i = 0; i < 70; i++) await sealOnce(test.coffer);
    await expect(rotateUsedKeys(test.coffer, { settleMs: 0 })).rejects.toThrow('does not open');
    expect(keyVersionOf(await sealOnce(test.coffer))).toBe(2);
    expect(damaged < organizationId).toBe(true);
    await test.owner.query('delete from data_keys where organization_id = $1 and project_id is not null', [damaged]);
    expect(await rotateUsedKeys(test.coffer, { settleMs: 0 })).toEqual([]);
  });
});
