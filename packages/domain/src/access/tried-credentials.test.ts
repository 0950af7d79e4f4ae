import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId, type Context } from '../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { tryCredentials } from './tried-credentials.ts';

let test: TestCoffer;
let ctx: Context;
beforeAll(async () => {
  test = await testCoffer({ clock: 'standing' });
  ctx = test.coffer.contextFor({ type: 'anonymous' });
});
afterAll(() => test.close());

it('a guess for which too many others wait is on the log', async () => {
  const at = { organizationId: newId(), what: 'test', target: 'ldap://ldap.example.com' };
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let refused = 0;
  const attempts = Array.from({ length: 120 }, () =>
    tryCredentials(ctx, at, () => held).catch(({ code }: { code: string }) => {
      refused++;
      return code;
    }),
  );
  await expect.poll(() => refused).toBe(16);
  release();
  expect(new Set(await Promise.all(attempts))).toEqual(new Set([undefined, 'auth.busy']));
  test.advance(61_000);
  await test.coffer.refusals.sweep();
  const { rows } = await test.coffer.pool.query(
    `select sum((data ->> 'count')::int)::int as total from audit_events
     where type = 'remote.credentials_refused' and organization_id = $1`,
    [at.organizationId],
  );
  expect(rows).toEqual([{ total: 16 }]);
});
