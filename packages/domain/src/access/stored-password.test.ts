import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remoteError } from '../family/index.ts';
import { newId, type Context } from '../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { useStored, type StoredPassword } from './stored-password.ts';

const MONTH = 30 * 86_400_000;

let test: TestCoffer;
let ctx: Context;
beforeAll(async () => {
  test = await testCoffer({ clock: 'standing' });
  ctx = test.coffer.contextFor({ type: 'anonymous' });
});
afterAll(() => test.close());

const place = () => ({ organizationId: newId(), what: 'test', target: 'ldap://ldap.example.com' });
const stored = (at: ReturnType<typeof place>, password = 'right'): StoredPassword => ({
  ...at,
  ...{ holderId: newId(), account: 'cn=reader', password },
});
const right = (accepted: () => Promise<void>) => accepted();
const wrong = () => Promise.reject(remoteError('rejected', 'The account was refused'));

/** Ten passwords that are refused there. */
async function guess(at: ReturnType<typeof place>): Promise<void> {
  for (let n = 0; n < 10; n++)
    await expect(useStored(ctx, stored(at, `guess ${n}`), wrong)).rejects.toMatchObject({ code: 'remote.rejected' });
  await expect(useStored(ctx, stored(at), right)).rejects.toMatchObject({ code: 'auth.throttled' });
}

describe('a stored password', () => {
  it('that is used is delayed by no guesses, however long ago it was accepted first', async () => {
    const at = place();
    const used = stored(at);
    for (let month = 0; month < 13; month++) {
      await useStored(ctx, used, right);
      test.advance(MONTH);
    }
    await guess(at);
    await expect(useStored(ctx, used, right)).resolves.toBeUndefined();
  });

  it('has nobody wait for a turn once it was accepted', async () => {
    const at = place();
    const used = stored(at);
    const all = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    let begun = 0;
    const use = () =>
      useStored(ctx, used, async (accepted) => {
        const isFirst = begun++ === 0;
        await (isFirst ? first.promise : all.promise);
        await accepted();
        return isFirst;
      });
    const uses = Array.from({ length: 12 }, use);
    await expect.poll(() => begun).toBe(4);
    first.resolve();
    await expect.poll(() => begun).toBe(12);
    all.resolve();
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
  });
});
