import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction, type DomainError } from '../../kernel/index.ts';
import { makeUser, runs, searchTime, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { UserEntity } from '../user/index.ts';
import { openSession } from './open-session.ts';
import { refreshToken } from './refresh.ts';

const GRACE_MS = 10_000;

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer({ clock: 'standing' });
});
afterAll(() => test.close());

const nobody = () => test.coffer.contextFor({ type: 'anonymous' });

async function firstToken(): Promise<string> {
  const { id } = await makeUser(test.coffer);
  return inTransaction(nobody(), async (tx) => {
    const user = await tx.em.findOneOrFail(UserEntity, { id });
    return (await openSession(tx, user)).refreshToken;
  });
}

/** The next token; `undefined` if the session has ended. */
const refresh = (token: string): Promise<string | undefined> =>
  refreshToken(nobody(), token).then(
    (refreshed) => refreshed.refreshToken,
    (error: DomainError) => {
      expect(error.code).toBe('auth.stale_session');
      return undefined;
    },
  );

const kindOf = (answered: string | undefined, tokens: readonly string[]) => {
  if (answered === undefined) return 'over';
  if (answered === tokens.at(-1)) return 'again';
  return tokens.includes(answered) ? 'earlier' : 'new';
};

describe('the refresh tokens of a session', () => {
  it('are valid for one refresh, and for ten more seconds unless the next was used', async () => {
    const first = await firstToken();
    const second = await refresh(first);
    expect(await refresh(first)).toBe(second);
    test.advance(GRACE_MS - 1);
    expect(await refresh(first)).toBe(second);
    test.advance(1);
    expect(await refresh(first)).toBeUndefined();
    expect(await refresh(second!)).toBeUndefined();
  });

  it('are used by two concurrently without ending the session', async () => {
    const first = await firstToken();
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(first)));
    expect(new Set(answers).size).toBe(1);
    expect(await refresh(answers[0]!)).toBeDefined();
  });

  it(
    'end all together if an old one is presented, in any history of uses and waits',
    async () => {
      const step = fc.record({ back: fc.nat(3), wait: fc.constantFrom(0, 0, 1_000, GRACE_MS - 1, GRACE_MS) });
      const history = fc.array(step, { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          const tokens = [await firstToken()];
          let sinceRotation = Infinity;
          let isOver = false;
          for (const { back, wait } of steps) {
            test.advance(wait);
            sinceRotation += wait;
            const at = Math.max(tokens.length - 1 - back, 0);
            const answered = await refresh(tokens[at]!);
            const isLast = at === tokens.length - 1;
            const isGraced = at === tokens.length - 2 && sinceRotation < GRACE_MS;
            const expected = isOver || (!isLast && !isGraced) ? 'over' : isLast ? 'new' : 'again';
            expect(kindOf(answered, tokens)).toBe(expected);
            if (expected === 'over') isOver = true;
            if (expected !== 'new') continue;
            tokens.push(answered!);
            sinceRotation = 0;
          }
        }),
        { numRuns: runs(60, 2_000) },
      );
    },
    searchTime(300_000),
  );
});
