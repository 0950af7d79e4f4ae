import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction, type Context } from '../../kernel/index.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { lockNames, requireNamesLocked } from './lock.ts';

let test: TestCoffer;
let ctx: Context;
let project: { projectId: string };
let other: { projectId: string };
beforeAll(async () => {
  test = await testCoffer();
  const { id, admin } = await makeOrganization(test.coffer);
  ctx = test.coffer.contextFor(admin.actor);
  project = { projectId: (await makeProject(test.coffer, id, admin.actor)).id };
  other = { projectId: (await makeProject(test.coffer, id, admin.actor)).id };
});
afterAll(() => test.close());

describe('the names of a project', () => {
  it('cannot be checked without the lock, or with a shared one', async () => {
    await inTransaction(ctx, async (tx) => {
      const judges =
        (how: 'shared' | 'exclusive', of = project) =>
        () =>
          requireNamesLocked(tx, how, of);
      expect(judges('shared')).toThrow('without lockNames');
      await lockNames(tx, 'shared', project);
      expect(judges('shared')).not.toThrow();
      expect(judges('exclusive')).toThrow('without lockNames');
      await lockNames(tx, 'exclusive', project);
      await lockNames(tx, 'shared', project);
      expect(judges('exclusive')).not.toThrow();
      expect(judges('shared', other)).toThrow('without lockNames');
    });
    await inTransaction(ctx, async (tx) => {
      expect(() => requireNamesLocked(tx, 'shared', project)).toThrow('without lockNames');
    });
  });

  it.each([
    ['shared', 'shared', ['first holds', 'second holds', 'first ends']],
    ['shared', 'exclusive', ['first holds', 'first ends', 'second holds']],
    ['exclusive', 'shared', ['first holds', 'first ends', 'second holds']],
    ['exclusive', 'exclusive', ['first holds', 'first ends', 'second holds']],
  ] as const)('are held %s and %s: %s', async (first, second, expected) => {
    const seen: string[] = [];
    let begun: Promise<unknown> = Promise.resolve();
    await inTransaction(ctx, async (tx) => {
      await lockNames(tx, first, project);
      seen.push('first holds');
      begun = inTransaction(ctx, async (another) => {
        await lockNames(another, second, project);
        seen.push('second holds');
      });
      // Projects do not block each other.
      await inTransaction(ctx, (another) => lockNames(another, 'exclusive', other));
      if (expected[1] === 'second holds') await begun;
      seen.push('first ends');
    });
    await begun;
    expect(seen).toEqual(expected);
  });
});
