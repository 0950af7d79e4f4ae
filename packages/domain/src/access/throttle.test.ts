import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction, newId, type Context } from '../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { Attempt, countFailure, resetAttempts, type AttemptClient, type AttemptPolicies } from './throttle.ts';

const constant = { threshold: 3, delaySeconds: 300, resetSeconds: 30 };
const policies: AttemptPolicies = {
  client: { threshold: 3, delaySeconds: 2, maxDelaySeconds: 20, resetSeconds: 600 },
  strangers: { threshold: 6, delaySeconds: 60, resetSeconds: 600 },
  spraying: { of: 'test', threshold: 9, delaySeconds: 60, resetSeconds: 600 },
};

let test: TestCoffer;
let ctx: Context;
beforeAll(async () => {
  test = await testCoffer({ clock: 'standing' });
  ctx = test.coffer.contextFor({ type: 'anonymous' });
});
afterAll(() => test.close());

const subjectOf = () => `user:${newId()}@example.com`;
const strange = (): AttemptClient => ({ known: `device:${newId()}`, unknown: newId() });
const attemptOf = (subject: string, client: AttemptClient) => new Attempt(ctx, subject, client, policies);

/** The delay of an attempt in seconds; 0 if it is allowed. */
async function waitOf(subject: string, client: AttemptClient): Promise<number> {
  return attemptOf(subject, client)
    .requireAllowed()
    .then(
      () => 0,
      (error: { kind: string; code: string; retryAfter: number }) => {
        expect([error.kind, error.code]).toEqual(['rate_limited', 'auth.throttled']);
        return error.retryAfter;
      },
    );
}
async function fail(subject: string, client: AttemptClient, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    const attempt = attemptOf(subject, client);
    await attempt.requireAllowed();
    await attempt.countFailure();
  }
}
async function succeed(subject: string, client: AttemptClient): Promise<void> {
  const attempt = attemptOf(subject, client);
  await attempt.requireAllowed();
  await inTransaction(ctx, (tx) => attempt.succeed(tx));
}

describe('the attempts of one client', () => {
  it('never have to wait for a trickle of failures, since counts fall evenly', async () => {
    const [subject, client] = [subjectOf(), { ...strange(), isKnown: true }];
    // Three in ten minutes: one each 200 seconds falls away.
    for (let i = 0; i < 20; i++) {
      await fail(subject, client);
      expect(await waitOf(subject, client)).toBe(0);
      test.advance(i % 2 === 0 ? 150_000 : 250_000);
    }
    // More of them add up.
    let waited = 0;
    for (let i = 0; i < 12 && waited === 0; i++) {
      await fail(subject, client);
      waited = await waitOf(subject, client);
      test.advance(100_000);
    }
    expect(waited).toBe(2);
  });

  it('have to wait from the threshold on, twice as long after each further failure, up to the maximum', async () => {
    const [subject, client] = [subjectOf(), strange()];
    await fail(subject, client, 2);
    expect(await waitOf(subject, client)).toBe(0);
    for (const delay of [2, 4, 8, 16, 20, 20]) {
      await fail(subject, client);
      expect(await waitOf(subject, client)).toBe(delay);
      test.advance(delay * 1000);
      expect(await waitOf(subject, client)).toBe(0);
      // Guesses of a single client are not to reach the threshold of all.
      await inTransaction(ctx, (tx) =>
        tx.sql({ name: 'test.strangers', text: 'delete from lockouts where subject = $1' }, [subject]),
      );
    }
    test.advance(600_000);
    await fail(subject, client, 2);
    expect(await waitOf(subject, client)).toBe(0);
  });

  it('do not delay another client', async () => {
    const [subject, client] = [subjectOf(), strange()];
    await fail(subject, client, 3);
    expect(await waitOf(subject, strange())).toBe(0);
    expect(await waitOf(subjectOf(), client)).toBe(0);
  });

  it('start afresh after a success', async () => {
    const [subject, client] = [subjectOf(), strange()];
    await fail(subject, client, 2);
    await succeed(subject, client);
    await fail(subject, client, 2);
    expect(await waitOf(subject, client)).toBe(0);
  });

  it('do not succeed where failures overtook them', async () => {
    const [subject, client] = [subjectOf(), strange()];
    const attempt = attemptOf(subject, client);
    await attempt.requireAllowed();
    await fail(subject, client, 3);
    await expect(inTransaction(ctx, (tx) => attempt.succeed(tx))).rejects.toMatchObject({ code: 'auth.throttled' });
    expect(await waitOf(subject, client)).toBe(2);
  });
});

describe('the attempts of many clients', () => {
  it('delay all unknown ones, and no known one', async () => {
    const [subject, owner] = [subjectOf(), strange()];
    await succeed(subject, owner);
    for (let i = 0; i < 6; i++) await fail(subject, strange());
    expect(await waitOf(subject, strange())).toBe(60);
    expect(await waitOf(subject, { ...strange(), isKnown: true })).toBe(0);
    expect(await waitOf(subject, { ...owner, unknown: 'elsewhere' })).toBe(0);
    await succeed(subject, owner);
    expect(await waitOf(subject, strange())).toBe(60);
  });

  it('take turns, known ones apart from them: a full line of others is not theirs', async () => {
    const [subject, owner] = [subjectOf(), strange()];
    await succeed(subject, owner);
    let end = () => undefined as void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const check = (client: AttemptClient) => attemptOf(subject, client).inTurn(() => ended);
    let refused = 0;
    const refuse = (error: unknown) => {
      refused++;
      throw error;
    };
    const others = Promise.allSettled(Array.from({ length: 120 }, () => check(strange()).catch(refuse)));
    expect(await attemptOf(subject, owner).inTurn(() => Promise.resolve('checked'))).toBe('checked');
    await expect.poll(() => check(strange()).catch(({ code }: { code: string }) => code)).toBe('auth.busy');
    await expect.poll(() => refused).toBe(16);
    end();
    const statuses = (await others).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'fulfilled')).toHaveLength(104);
  });

  it('in a line are delayed by failures that came before their turn', async () => {
    const subject = subjectOf();
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => {
        const attempt = attemptOf(subject, { known: 'one', unknown: 'one' });
        return attempt
          .inTurn(() => attempt.countFailure())
          .then(
            () => 'checked',
            ({ code }: { code: string }) => code,
          );
      }),
    );
    // Those that are under way when the threshold is reached.
    expect(outcomes.filter((outcome) => outcome === 'checked').length).toBeLessThanOrEqual(6);
    expect(outcomes).toContain('auth.throttled');
  });

  it('do not count for known ones, which are delayed only by their own', async () => {
    const [subject, owner] = [subjectOf(), strange()];
    await succeed(subject, owner);
    await fail(subject, owner, 3);
    expect([await waitOf(subject, owner), await waitOf(subject, strange())]).toEqual([2, 0]);
  });

  it('are remembered for a year, for the one subject, until it is reset', async () => {
    const [subject, owner] = [subjectOf(), strange()];
    await succeed(subject, owner);
    for (let i = 0; i < 6; i++) await fail(subject, strange());
    await inTransaction(ctx, (tx) => resetAttempts(tx, subject));
    expect(await waitOf(subject, strange())).toBe(0);
    for (let i = 0; i < 6; i++) await fail(subject, strange());
    expect(await waitOf(subject, owner)).toBe(60);
    const other = subjectOf();
    await succeed(other, owner);
    test.advance(366 * 86_400_000);
    for (let i = 0; i < 6; i++) await fail(other, strange());
    expect(await waitOf(other, owner)).toBe(60);
  });

  it('of one unknown address at many subjects delay it everywhere', async () => {
    const { unknown } = strange();
    for (let i = 0; i < 9; i++) await fail(subjectOf(), { ...strange(), unknown });
    const [subject, owner] = [subjectOf(), strange()];
    expect(await waitOf(subject, { ...strange(), unknown })).toBe(60);
    await succeed(subject, owner);
    expect(await waitOf(subject, { ...owner, unknown })).toBe(0);
  });

  it('of one unknown address at subjects of another kind delay it nowhere else', async () => {
    const { unknown } = strange();
    for (let i = 0; i < 9; i++) await fail(subjectOf(), { ...strange(), unknown });
    const ask = (others: AttemptPolicies) =>
      new Attempt(ctx, subjectOf(), { ...strange(), unknown }, others).requireAllowed();
    await expect(ask({ spraying: policies.spraying! })).rejects.toMatchObject({ code: 'auth.throttled' });
    await ask({ ...policies, spraying: { ...policies.spraying!, of: 'another' } });
    await ask({ client: constant, strangers: constant });
  });

  it('are not counted where there is no policy for them', async () => {
    const [subject, client] = [subjectOf(), strange()];
    const attempt = () => new Attempt(ctx, subject, client, { spraying: policies.spraying! });
    for (let i = 0; i < 8; i++) await attempt().countFailure();
    await attempt().requireAllowed();
    expect(await waitOf(subject, client)).toBe(0);
    await fail(subject, client, 1);
    await expect(attempt().requireAllowed()).rejects.toMatchObject({ code: 'auth.throttled' });
  });
});

describe('counting failures', () => {
  const failures = async (subject: string) => {
    const { rows } = await test.coffer.pool.query<{ failures: number; is_locked: boolean }>(
      'select failures, locked_until > $2 as is_locked from lockouts where subject = $1',
      [subject, ctx.now()],
    );
    return rows[0];
  };
  const count = (subject: string, times = 1) =>
    Promise.all(Array.from({ length: times }, () => countFailure(ctx, subject, constant)));

  it('counts every one of many parallel guesses, and adds nothing during the delay', async () => {
    const subject = subjectOf();
    await count(subject, 2);
    expect(await failures(subject)).toEqual({ failures: 2, is_locked: null });
    await count(subject, 20);
    expect(await failures(subject)).toEqual({ failures: 3, is_locked: true });
  });

  it('start again after a constant delay, and if failures are further apart than the reset time', async () => {
    const subject = subjectOf();
    await count(subject, 3);
    test.advance(300_000);
    await count(subject, 2);
    expect(await failures(subject)).toEqual({ failures: 2, is_locked: null });
    test.advance(30_000);
    await count(subject);
    expect(await failures(subject)).toEqual({ failures: 1, is_locked: null });
  });

  it('deletes invented subjects as new failures come', async () => {
    const made = Array.from({ length: 4 }, subjectOf);
    for (const subject of made) await count(subject);
    test.advance(3 * 86_400_000);
    const subject = subjectOf();
    for (let i = 0; i < 60; i++) await countFailure(ctx, subject, { ...constant, threshold: 100 });
    const { rows } = await test.coffer.pool.query('select subject from lockouts');
    expect(rows).toEqual([{ subject }]);
  });
});
