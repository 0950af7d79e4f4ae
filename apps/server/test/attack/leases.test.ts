import { jobs, startWorker } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DynamicSecretAtWork, dynamicPlace, type DynamicPlace } from '../harness/dynamic-secret.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let place: DynamicPlace;
beforeAll(async () => {
  test = await testServer();
  place = await dynamicPlace(test);
});
afterAll(() => test.close());

const leaser = async () => {
  const rules = [{ subject: 'dynamic-secrets', action: ['lease'] }];
  const { call } = await test.identity({ projectId: place.projectId, rules });
  return new DynamicSecretAtWork(test, place, 'shared', call);
};

describe('attack: ending the leases of others, and leaving logins behind', () => {
  it('with the permission to lease, the leases of another team cannot be read, renewed, revoked or forced', async () => {
    const owner = new DynamicSecretAtWork(test, place, 'shared');
    await owner.create('totp', { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' });
    const [victim, attacker] = [await leaser(), await leaser()];
    const { lease } = (await victim.lease()).body;
    expect(await attacker.leases()).toEqual([]);
    for (const answer of [
      await attacker.getLease(lease.id),
      await attacker.renew(lease.id),
      await attacker.revoke(lease.id),
      await attacker.revoke(lease.id, { isForced: true }),
      await attacker.delete({ isForced: true }),
    ])
      expect(answer.status).toBe(403);
    expect((await victim.getLease(lease.id)).body.lease).toMatchObject({ status: null, version: 1 });
    // Nor can the own lease be deleted by force while its login exists.
    expect((await victim.revoke(lease.id, { isForced: true })).status).toBe(403);
    expect((await victim.revoke(lease.id)).status).toBe(200);
  });

  it('by other calls of the organization that do not end, no lease outlives its end', async () => {
    const owner = new DynamicSecretAtWork(test, place, 'beside-calls');
    await owner.create('totp', { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' });
    const { promise, resolve } = Promise.withResolvers<void>();
    const calls = Array.from({ length: 16 }, () => test.coffer.targets.owners.run(test.organizationId, () => promise));
    expect((await owner.lease({ ttl: '1s' })).status).toBe(200);
    const worker = await startWorker(test.coffer, jobs, { pollInterval: 100 });
    onTestFinished(async () => {
      resolve();
      await Promise.all(calls);
      await worker.stop();
    });
    await expect.poll(() => owner.leases()).toEqual([]);
  });
});
