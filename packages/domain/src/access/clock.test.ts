import { expect, it } from 'vitest';
import { makeIdentity, makeOrganization, makeProject, testCoffer } from '../testing/index.ts';
import { requireHoldingsWithin } from './index.ts';

it('a comparison with present rights does not depend on how often the clock is read', async () => {
  let reads = 0;
  const test = await testCoffer({ now: () => new Date(Date.UTC(2030, 0, 1) + ++reads) });
  const { id: organizationId, admin } = await makeOrganization(test.coffer);
  const project = await makeProject(test.coffer, organizationId, admin.actor);
  const place = { organizationId, projectId: project.id };
  const strong = await makeIdentity(test.coffer, { ...place, projectRole: 'admin' });
  const weak = await makeIdentity(test.coffer, { ...place, projectRole: 'no-access' });
  const asked = (until: 'now' | number) =>
    requireHoldingsWithin(test.coffer.contextFor(weak.actor), organizationId, strong.id, until);
  await expect(asked('now')).rejects.toMatchObject({
    code: 'permission.boundary',
    message: expect.stringContaining('do not hold') as string,
  });
  await expect(asked(Infinity)).rejects.toMatchObject({ code: 'permission.boundary' });
  await test.close();
});
