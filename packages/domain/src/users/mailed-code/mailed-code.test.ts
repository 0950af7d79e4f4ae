import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction, newId } from '../../kernel/index.ts';
import { makeUser, runs, searchTime, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { defineMailedCode } from './mailed-code.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const codes = defineMailedCode({
  table: 'password_resets',
  ownerColumn: 'user_id',
  prefixes: { code: 'cfk_', token: 'cft_' },
  path: '/page',
});

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer({ clock: 'standing' });
});
afterAll(() => test.close());

const inTx = <T>(work: Parameters<typeof inTransaction<T>>[1]) =>
  inTransaction(test.coffer.contextFor({ type: 'anonymous' }), work);
const newOwner = async () => (await makeUser(test.coffer)).id;
const ask = (owner: string, id = newId(), askedAt = test.coffer.now()) => ({ id, owner, askedAt });
const make = (owner: string) => inTx((tx) => codes.make(tx, ask(owner)));
const send = (asked: ReturnType<typeof ask>) => inTx((tx) => codes.makeToSend(tx, asked));
const exchange = (owner: string, code: string) => inTx((tx) => codes.exchange(tx, owner, code));
const use = (owner: string, token: string) => inTx((tx) => codes.use(tx, owner, token));

describe('a mailed code', () => {
  it('is exchanged once for a token that is used once', async () => {
    const owner = await newOwner();
    const code = await make(owner);
    const token = await exchange(owner, code);
    expect(await exchange(owner, code)).toBeUndefined();
    expect(await use(owner, token!)).toBeDefined();
    expect(await use(owner, token!)).toBeUndefined();
  });

  it('is not a token, and a token is not a code', async () => {
    const owner = await newOwner();
    const code = await make(owner);
    expect(await use(owner, code)).toBeUndefined();
    const token = await exchange(owner, code);
    expect(await exchange(owner, token!)).toBeUndefined();
  });

  it('is good for its owner alone', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const code = await make(owner);
    expect(await exchange(other, code)).toBeUndefined();
    const token = await exchange(owner, code);
    expect(await use(other, token!)).toBeUndefined();
    expect(await use(owner, token!)).toBeDefined();
  });

  it('is good for an hour, and its token for fifteen minutes', async () => {
    const owner = await newOwner();
    const late = await make(owner);
    test.advance(HOUR);
    expect(await exchange(owner, late)).toBeUndefined();
    const code = await make(owner);
    test.advance(HOUR - 1);
    const token = await exchange(owner, code);
    test.advance(15 * MINUTE);
    expect(await use(owner, token!)).toBeUndefined();
  });

  it('is sent three times per hour, never instead of a newer one, and not too late', async () => {
    const owner = await newOwner();
    const asked = [0, 1, 2, 3].map(() => ask(owner));
    for (const one of asked.slice(0, 3)) {
      expect(await send(one)).toBeDefined();
      test.advance(1);
    }
    expect(await send(ask(owner))).toBeUndefined();
    expect(await send(asked[0]!)).toBeUndefined();
    expect(await send(ask(owner, newId(), new Date(test.coffer.now().getTime() - HOUR)))).toBeUndefined();
    test.advance(HOUR);
    expect(await send(ask(owner))).toBeDefined();
  });

  it('is valid only if it is the last one of its owner, in any history', { timeout: searchTime(300_000) }, async () => {
    const step = fc.oneof(
      fc.constant({ kind: 'make' as const }),
      fc.record({ kind: fc.constantFrom('exchange' as const, 'use' as const), which: fc.nat(5) }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(MINUTE, 15 * MINUTE, HOUR - 1, HOUR) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const owner = await newOwner();
        const made: { text: string; kind: 'exchange' | 'use'; ends: number }[] = [];
        // The valid credential: the newest code, or its token.
        let good: (typeof made)[number] | undefined;
        for (const one of steps) {
          const now = test.coffer.now().getTime();
          if (one.kind === 'wait') test.advance(one.ms);
          else if (one.kind === 'make') {
            good = { text: await make(owner), kind: 'exchange', ends: now + HOUR };
            made.push(good);
          } else {
            const tried = made[one.which % Math.max(made.length, 1)];
            if (!tried) continue;
            const isGood = tried === good && good.kind === one.kind && now < good.ends;
            const answer = await (one.kind === 'use' ? use : exchange)(owner, tried.text);
            if ((answer !== undefined) !== isGood) throw new Error(`${one.kind} was answered with ${answer}`);
            if (!isGood) continue;
            good = one.kind === 'use' ? undefined : { text: answer!, kind: 'use', ends: now + 15 * MINUTE };
            if (good) made.push(good);
          }
        }
      }),
      { numRuns: runs(60, 2_000) },
    );
  });
});
