import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction, newId, type Context } from '../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { clearFailures, recordFailure, requireNotLocked, type LockoutPolicy } from './lockout.ts';

const policy: LockoutPolicy = { threshold: 3, durationSeconds: 300, resetSeconds: 30 };

let test: TestCoffer;
let ctx: Context;
beforeAll(async () => {
  test = await testCoffer();
  ctx = test.coffer.contextFor({ type: 'anonymous' });
});
afterAll(() => test.close());

const subjectOf = () => `user:${newId()}@example.com`;
const fail = (subject: string, times = 1) =>
  Promise.all(Array.from({ length: times }, () => recordFailure(ctx, subject, policy)));
const isLocked = (subject: string) =>
  requireNotLocked(ctx, subject).then(
    () => false,
    () => true,
  );
const succeed = (subject: string) => inTransaction(ctx, (tx) => clearFailures(tx, subject));

describe('lockout', () => {
  it('locks at the threshold, for its duration', async () => {
    const subject = subjectOf();
    expect(await fail(subject)).toEqual([{ failures: 1, lockedUntil: null }]);
    await fail(subject);
    expect(await isLocked(subject)).toBe(false);
    await fail(subject);
    expect(await isLocked(subject)).toBe(true);
    test.advance(299_000);
    expect(await isLocked(subject)).toBe(true);
    test.advance(1_000);
    expect(await isLocked(subject)).toBe(false);
    expect(await fail(subject)).toEqual([{ failures: 1, lockedUntil: null }]);
  });

  it('counts every one of many parallel guesses, and adds nothing while locked', async () => {
    const subject = subjectOf();
    await fail(subject, 2);
    const results = await fail(subject, 20);
    expect(results.every(({ failures, lockedUntil }) => failures === 3 && lockedUntil !== null)).toBe(true);
    expect(new Set(results.map(({ lockedUntil }) => lockedUntil!.getTime())).size).toBe(1);
  });

  it('does not add up failures that lie further apart than the reset time', async () => {
    const subject = subjectOf();
    await fail(subject, 2);
    test.advance(30_000);
    expect(await fail(subject)).toEqual([{ failures: 1, lockedUntil: null }]);
  });

  it('starts afresh after a success', async () => {
    const subject = subjectOf();
    await fail(subject, 2);
    await succeed(subject);
    expect(await fail(subject)).toEqual([{ failures: 1, lockedUntil: null }]);
  });

  it('lets no success count that was overtaken by the lock', async () => {
    const subject = subjectOf();
    await requireNotLocked(ctx, subject);
    await fail(subject, 3);
    await expect(succeed(subject)).rejects.toMatchObject({ kind: 'unauthenticated', code: 'auth.locked' });
    expect(await isLocked(subject)).toBe(true);
  });

  it('forgets made-up subjects as new failures come', async () => {
    const made = Array.from({ length: 4 }, subjectOf);
    for (const subject of made) await fail(subject);
    test.advance(3 * 86_400_000);
    const subject = subjectOf();
    for (let i = 0; i < 20; i++) await recordFailure(ctx, subject, { ...policy, threshold: 100 });
    const { rows } = await test.coffer.pool.query('select subject from lockouts');
    expect(rows).toEqual([{ subject }]);
  });

  it('starts the count of a subject afresh that was itself forgotten', async () => {
    const subject = subjectOf();
    await fail(subject, 3);
    test.advance(3 * 86_400_000);
    expect(await fail(subject)).toEqual([{ failures: 1, lockedUntil: null }]);
  });
});
