import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEASES, dynamicPlace, DynamicSecretAtWork, type DynamicPlace } from '../../harness/dynamic-secret.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const LIMIT = 3;
let test: TestServer;
let place: DynamicPlace;
beforeAll(async () => {
  test = await testServer({ clock: 'standing', settings: { maxLeases: LIMIT } });
  place = await dynamicPlace(test);
});
afterAll(() => test.close());

const MINUTE = 60_000;
let made = 0;
async function create(more: object = {}): Promise<DynamicSecretAtWork> {
  const one = new DynamicSecretAtWork(test, place, `codes-${made++}`);
  const answer = await one.create('totp', { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP', digits: 8 }, more);
  expect(answer.status).toBe(200);
  return one;
}
const livesFor = ({ createdAt, expireAt }: { createdAt: string; expireAt: string }) =>
  (new Date(expireAt).getTime() - new Date(createdAt).getTime()) / MINUTE;

describe('a lease', () => {
  it('is created, listed, read, renewed and revoked in the published shape', async () => {
    const one = await create();
    const answer = (await one.lease({ ttl: '10m' })).body;
    const { dynamicSecret } = (await one.get()).body;
    expect(answer).toEqual({
      lease: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        version: 1,
        externalEntityId: expect.any(String),
        expireAt: expect.stringMatching(/Z$/),
        status: null,
        statusDetails: null,
        dynamicSecretId: dynamicSecret.id,
        createdBy: { type: 'identity', id: test.adminIdentity.id },
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
      dynamicSecret: (({ inputs: _, ...rest }) => rest)(dynamicSecret),
      data: { TOTP: expect.stringMatching(/^\d{8}$/), TIME_REMAINING: expect.any(Number) },
    });
    const { lease } = answer;
    expect(livesFor(lease)).toBe(10);
    expect(await one.leases()).toEqual([lease]);
    expect((await one.getLease(lease.id)).body).toEqual({ lease: { ...lease, dynamicSecret: answer.dynamicSecret } });
    const renewed = (await one.renew(lease.id, { ttl: '5m' })).body.lease;
    expect(renewed).toEqual({ ...lease, version: 2, expireAt: renewed.expireAt, updatedAt: expect.any(String) });
    expect(livesFor(renewed)).toBe(15);
    expect((await one.revoke(lease.id)).body).toEqual({ lease: renewed });
    for (const gone of [one.getLease(lease.id), one.renew(lease.id), one.revoke(lease.id)])
      expect(await gone).toMatchObject({ status: 404, body: { message: 'There is no such lease' } });
  });

  it('has the ID that its caller gives it, which no other lease has', async () => {
    const one = await create();
    const leaseId = randomUUID();
    expect((await one.lease({ leaseId: leaseId.toUpperCase() })).body.lease.id).toBe(leaseId);
    const again = await one.lease({ leaseId });
    expect([again.status, again.body.message]).toEqual([400, 'A lease with this ID already exists']);
    expect((await one.lease({ leaseId: 'first' })).status).toBe(422);
    expect(await one.leases()).toHaveLength(1);
  });

  it('has the default TTL without ttl', async () => {
    const one = await create({ defaultTTL: '45m' });
    const { lease } = (await one.lease()).body;
    expect(livesFor(lease)).toBe(45);
    expect(livesFor((await one.renew(lease.id)).body.lease)).toBe(90);
  });

  it('is renewed from its expiry, and within the maxTTL from its creation', async () => {
    const one = await create({ defaultTTL: '10m', maxTTL: '1h' });
    const { lease } = (await one.lease()).body;
    test.advance(9 * MINUTE);
    expect(livesFor((await one.renew(lease.id, { ttl: '20m' })).body.lease)).toBe(30);
    expect(await one.renew(lease.id, { ttl: '31m' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('maximum TTL') },
    });
    expect(livesFor((await one.renew(lease.id, { ttl: '30m' })).body.lease)).toBe(60);
    expect((await one.renew(lease.id, { ttl: '1m' })).status).toBe(400);
  });

  it('is renewed for the rest of the maxTTL by default, and keeps its expiry if there is none', async () => {
    const one = await create({ defaultTTL: '40m', maxTTL: '1h' });
    const { lease } = (await one.lease()).body;
    expect(livesFor((await one.renew(lease.id)).body.lease)).toBe(60);
    expect(await one.renew(lease.id, { ttl: '1m' })).toMatchObject({ status: 400 });
    const again = await one.renew(lease.id);
    expect([again.status, livesFor(again.body.lease)]).toEqual([200, 60]);
  });

  it('cannot be renewed after its expiry, whether or not it was reaped', async () => {
    const one = await create({ defaultTTL: '10m' });
    const { lease } = (await one.lease()).body;
    test.advance(10 * MINUTE);
    expect(await one.renew(lease.id)).toMatchObject({
      status: 400,
      body: { message: 'The lease has ended: create a new one' },
    });
    await one.reap(lease.id);
    expect((await one.renew(lease.id)).status).toBe(404);
  });

  it('cannot be renewed beyond the maximum date', async () => {
    const one = await create();
    const { lease } = (await one.lease({ ttl: '10y' })).body;
    const answers = [];
    for (let i = 0; i < 12; i++) answers.push((await one.renew(lease.id, { ttl: '10y' })).status);
    expect(answers).toEqual([...Array(9).fill(200), 400, 400, 400]);
  });

  it('belongs to the folder of its dynamic secret, and to no other', async () => {
    const one = await create();
    const { lease } = (await one.lease()).body;
    const elsewhere = [
      { ...place.here, environmentSlug: 'prod' },
      { ...place.here, path: '/nowhere' },
      (await dynamicPlace(test)).here,
    ];
    for (const here of elsewhere) {
      const query = new URLSearchParams(here).toString();
      for (const answer of [
        test.admin('GET', `${LEASES}/${lease.id}?${query}`),
        test.admin('POST', `${LEASES}/${lease.id}/renew`, here),
        test.admin('DELETE', `${LEASES}/${lease.id}`, here),
      ])
        expect(await answer).toMatchObject({ status: 404, body: { message: 'There is no such lease' } });
    }
    expect((await one.getLease('no-id')).status).toBe(404);
  });

  it.each([
    [{ ttl: '1s' }, 200],
    [{ ttl: '10y' }, 200],
    [{ ttl: '999ms' }, 422],
    [{ ttl: '11y' }, 422],
    [{ ttl: '' }, 422],
    [{ ttl: 60 }, 422],
    [{ dynamicSecretName: 'nothing' }, 404],
    [{ dynamicSecretName: '' }, 422],
    [{ config: { namespace: 'a' } }, 200],
    [{ config: 'x' }, 422],
  ])('is created with %j: %i', async (more, status) => {
    expect((await (await create()).lease(more)).status).toBe(status);
  });

  it.each([
    [{ ttl: '59s' }, 422],
    [{ ttl: '1m' }, 200],
    [{ ttl: '10y' }, 200],
    [{ ttl: '3651d' }, 200],
    [{ ttl: '3653d' }, 422],
    [{ ttl: null }, 422],
  ])('is renewed with %j: %i', async (more, status) => {
    const one = await create();
    const { lease } = (await one.lease()).body;
    expect((await one.renew(lease.id, more)).status).toBe(status);
  });

  it('is limited to the maxTTL of its dynamic secret', async () => {
    const one = await create({ defaultTTL: '10m', maxTTL: '1h' });
    expect((await one.lease({ ttl: '61m' })).status).toBe(400);
    expect(livesFor((await one.lease({ ttl: '1h' })).body.lease)).toBe(60);
  });

  it('is a lease of Kubernetes if requested so', async () => {
    const one = await create();
    const answer = await test.admin('POST', `${LEASES}/kubernetes`, { ...place.here, dynamicSecretName: one.name });
    expect([answer.status, answer.body.message]).toEqual([400, `The provider of ${one.name} is totp, not kubernetes`]);
  });

  it('is in the audit log from its request until its deletion, without its data', async () => {
    const one = await create();
    const { lease, data } = (await one.lease()).body;
    await one.getLease(lease.id);
    await one.leases();
    await one.renew(lease.id);
    await one.revoke(lease.id, { isForced: true });
    const { rows } = await test.coffer.pool.query<{ published: string; data: Record<string, unknown> }>(
      `select published, data from audit_events where project_id = $1 and data->>'dynamicSecretName' = $2 order by created_at, id`,
      [place.projectId, one.name],
    );
    expect(rows.map(({ published }) => published)).toEqual([
      'create-dynamic-secret',
      'request-dynamic-secret-lease',
      'create-dynamic-secret-lease',
      'get-dynamic-secret-lease',
      'list-dynamic-secret-leases',
      'renew-dynamic-secret-lease',
      'delete-dynamic-secret-lease',
    ]);
    expect(rows.at(-1)!.data).toMatchObject({ leaseId: lease.id, isForced: true, isRevoked: true });
    expect(JSON.stringify(rows)).not.toContain(data.TOTP);
  });
});

describe('the leases of one dynamic secret', () => {
  it("are limited by the operator's maximum, also for concurrent requests", async () => {
    const one = await create();
    const answers = await Promise.all(Array.from({ length: 10 }, () => one.lease()));
    const refused = answers.filter(({ status }) => status !== 200);
    expect([answers.length - refused.length, await one.leases()]).toEqual([
      LIMIT,
      expect.objectContaining({ length: LIMIT }),
    ]);
    expect(refused[0]).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('which is the maximum') },
    });
    expect((await one.revoke((await one.leases())[0]!.id)).status).toBe(200);
    expect((await one.lease()).status).toBe(200);
  });
});
