import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyVersionOf, sealedRowOf } from '../../crypto/index.ts';
import { rotateKeys } from '../../crypto/rotation/index.ts';
import type { Context } from '../../kernel/index.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { createDynamicSecret, getDynamicSecret } from './dynamic-secret.service.ts';
import { CreateDynamicSecret } from './dynamic-secret.ts';
import { createLease } from './lease/create.ts';
import { providers } from './registry.ts';
import { mergeInputs, openInputs, sealInputs } from './stored.ts';
import { examples } from './testing/examples.ts';

let test: TestCoffer;
let ctx: Context;
let organizationId: string;
let projectId: string;
const here = { projectSlug: '', environmentSlug: 'dev', path: '/' };
beforeAll(async () => {
  test = await testCoffer();
  const { id, admin } = await makeOrganization(test.coffer);
  const project = await makeProject(test.coffer, id, admin.actor);
  ctx = test.coffer.contextFor(admin.actor);
  [organizationId, projectId, here.projectSlug] = [id, project.id, project.slug];
});
afterAll(() => test.close());

const create = (name: string) =>
  createDynamicSecret(
    ctx,
    CreateDynamicSecret.parse({
      ...here,
      name,
      defaultTTL: '1h',
      provider: { type: 'totp', inputs: examples['totp']!.least },
    }),
  );
const rowOf = async (id: string) => {
  const { rows } = await test.coffer.pool.query<{ inputs: Buffer }>('select * from dynamic_secrets where id = $1', [
    id,
  ]);
  return { id, organizationId, projectId, inputs: rows[0]!.inputs };
};

it('is resealed when the keys of its project rotate, and opens as before', async () => {
  const { id } = await create('rotated');
  const before = await rowOf(id);
  await rotateKeys(test.coffer, { organizationId, settleMs: 20 });
  const after = await rowOf(id);
  expect([keyVersionOf(before.inputs), keyVersionOf(after.inputs)]).toEqual([1, 2]);
  const provider = providers.require('totp');
  expect(await openInputs(ctx, provider, after)).toEqual(examples['totp']!.least);
  const { data } = await createLease(ctx, { ...here, dynamicSecretName: 'rotated' });
  expect(data).toMatchObject({ TOTP: expect.stringMatching(/^\d{6}$/) });
});

it('does not open in another row, or for another project', async () => {
  const [one, other] = [await create('one'), await create('other')];
  const provider = providers.require('totp');
  const { inputs } = await rowOf(one.id);
  await expect(openInputs(ctx, provider, { ...(await rowOf(other.id)), inputs })).rejects.toThrow('does not open');
  await test.coffer.pool.query('update dynamic_secrets set inputs = $2 where id = $1', [other.id, inputs]);
  await expect(getDynamicSecret(ctx, { ...here, name: 'other' })).rejects.toThrow('does not open');
});

it('reads values of an earlier release, without newer fields', async () => {
  const provider = providers.require('sql-database');
  const { id } = await create('earlier');
  const row = await rowOf(id);
  const least = examples['sql-database']!.least;
  expect(await openInputs(ctx, provider, { ...row, inputs: await sealInputs(ctx, sealedRowOf(row), least) })).toEqual(
    least,
  );
});

it('keeps the inputs that an update omits', () => {
  const provider = providers.require('sql-database');
  const { least, full } = examples['sql-database']!;
  const before = provider.inputs.parse({ ...least, ...full });
  expect(mergeInputs(provider, before, {})).toEqual(before);
  for (const [field, value] of Object.entries(least))
    expect(mergeInputs(provider, before, { [field]: value })).toEqual({ ...before, [field]: value });
});
