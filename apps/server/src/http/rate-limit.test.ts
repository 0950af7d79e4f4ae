import { setTimeout as sleep } from 'node:timers/promises';
import { bearerToken, byClass, type RateLimitClass } from '@coffer/domain';
import type { FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { LimitNews, Peers } from './peers.ts';
import { Limits, RateLimit } from './rate-limit.ts';

const reply = { headers: () => reply } as unknown as FastifyReply;
const limited = expect.objectContaining({ kind: 'rate_limited', retryAfter: expect.any(Number) as number });

describe('RateLimit', () => {
  it('allows its limit of requests per minute for each caller', () => {
    let now = 1000;
    const limit = new RateLimit(2, () => now);
    expect([limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([undefined, undefined, undefined]);
    now += 10_000;
    expect(limit.take('a')).toBe(50);
    expect([limit.waitOf('a'), limit.waitOf('b')]).toEqual([50, undefined]);
    now += 50_000;
    expect(limit.waitOf('a')).toBeUndefined();
    expect(limit.take('a')).toBeUndefined();
  });

  it('lasts no longer than a minute after the clock was set back', () => {
    let now = 10_000_000;
    const limit = new RateLimit(1, () => now);
    expect([limit.take('a'), limit.take('a')]).toEqual([undefined, 60]);
    now -= 3_600_000;
    expect([limit.waitOf('a'), limit.take('a'), limit.take('a')]).toEqual([undefined, undefined, 60]);
  });

  it('limits nothing at 0', () => {
    const limit = new RateLimit(0);
    expect(Array.from({ length: 1000 }, () => limit.take('a')).every((wait) => wait === undefined)).toBe(true);
    expect(limit.waitOf('a')).toBeUndefined();
  });

  it('remembers a limited number of callers, and replaces the oldest', () => {
    const limit = new RateLimit(1, Date.now, 3);
    for (const caller of ['a', 'b', 'c', 'd']) limit.take(caller);
    expect([limit.size, limit.take('b') !== undefined, limit.take('a')]).toEqual([3, true, undefined]);
  });
});

describe('Limits', () => {
  it('counts callers with verified tokens separately, from any address', () => {
    const limits = new Limits({ calls: 1, logins: 0 });
    for (const n of [1, 2]) limits.verified(bearerToken(`token-${n}`), `caller-${n}`);
    limits.count('readRateLimit', bearerToken('token-1'), '10.0.0.1', reply);
    limits.count('readRateLimit', bearerToken('token-2'), '10.0.0.1', reply);
    expect(() => limits.count('readRateLimit', bearerToken('token-1'), '10.0.0.2', reply)).toThrow(limited);
    expect(limits.callerOf(bearerToken('token-1'), '10.0.0.1')).toBe(
      limits.callerOf(bearerToken('token-1'), '10.0.0.2'),
    );
  });

  it('counts all tokens of a caller together', () => {
    const limits = new Limits({ calls: 2, logins: 0 });
    for (const token of ['token-1', 'token-2', 'token-3']) limits.verified(bearerToken(token), 'caller');
    limits.count('readRateLimit', bearerToken('token-1'), '10.0.0.1', reply);
    limits.count('readRateLimit', bearerToken('token-2'), '10.0.0.2', reply);
    expect(() => limits.count('readRateLimit', bearerToken('token-3'), '10.0.0.3', reply)).toThrow(limited);
  });

  it('counts unverified tokens, including invented ones, by address', () => {
    const limits = new Limits({ calls: 3, logins: 0 });
    for (let i = 0; i < 3; i++) limits.count('readRateLimit', bearerToken(`invented-${i}`), '10.0.0.1', reply);
    expect(() => limits.count('readRateLimit', bearerToken('invented-4'), '10.0.0.1', reply)).toThrow(limited);
    expect(() => limits.count('readRateLimit', undefined, '10.0.0.1', reply)).toThrow(limited);
    limits.count('readRateLimit', bearerToken('invented-4'), '10.0.0.2', reply);
  });

  it('counts a service token once, with any suffix of its client', () => {
    const limits = new Limits({ calls: 1, logins: 0 });
    limits.verified(bearerToken('st.id.secret.one'), 'creator');
    limits.count('readRateLimit', bearerToken('st.id.secret.one'), '10.0.0.1', reply);
    expect(() => limits.count('readRateLimit', bearerToken('st.id.secret.two'), '10.0.0.1', reply)).toThrow(limited);
    limits.count('readRateLimit', bearerToken('st.id.other'), '10.0.0.1', reply);
  });

  it('has unknown tokens of an address that sends rejected ones verified first, also without a limit of calls', () => {
    const limits = new Limits({ calls: 0, logins: 0, refusedTokens: 3 });
    const refusal = (token: string | undefined, address: string, name: RateLimitClass = 'readRateLimit') =>
      limits.refusalOfUnknown(name, token === undefined ? undefined : bearerToken(token), address)?.(reply);
    limits.verified(bearerToken('good'), 'caller');
    for (let i = 0; i < 3; i++) limits.refusedToken(bearerToken(`invented-${i}`), '2001:db8::1');
    expect(refusal('invented-4', '2001:db8::ffff')).toEqual(limited);
    expect(refusal('good', '2001:db8::1')).toBeUndefined();
    expect(refusal(undefined, '2001:db8::1')).toBeUndefined();
    expect(refusal('invented-4', '2001:db8:0:1::1')).toBeUndefined();
    expect(refusal('invented-4', '2001:db8::1', 'authRateLimit')).toBeUndefined();
    limits.refusedToken(bearerToken('good'), '2001:db8::1');
    expect(refusal('good', '2001:db8::1')).toEqual(limited);
  });

  it('limits refused logins of an address at each subject, and at all together', () => {
    const limits = new Limits({ calls: 0, logins: 2 });
    const refused = (subject: string, address = '10.0.0.1') => limits.refusedLogin(subject, address, reply)?.kind;
    expect([refused('a'), refused('a'), refused('a')]).toEqual([undefined, undefined, 'rate_limited']);
    expect([refused('b'), refused('a', '10.0.0.2')]).toEqual([undefined, undefined]);
    for (let i = 0; i < 16; i++) expect(refused(`c${i}`)).toBeUndefined();
    expect([refused('d'), refused('d', '10.0.0.2')]).toEqual(['rate_limited', undefined]);
  });

  it('takes a /64 of IPv6 as one address', () => {
    const limits = new Limits({ calls: 0, logins: 1 });
    limits.countStrictly('sign-up', '2001:db8::1', reply);
    expect(() => limits.countStrictly('sign-up', '2001:db8::ffff:2', reply)).toThrow(limited);
    limits.countStrictly('sign-up', '2001:db8:0:1::1', reply);
    limits.countStrictly('reset', '2001:db8::1', reply);
  });

  it("counts classes with a stored limit separately, and the others together by the operator's limit", () => {
    const limits = new Limits({ calls: 2, logins: 0 });
    limits.apply({ ...byClass(() => null), secretsRateLimit: 1, publicEndpointLimit: 0 });
    const count = (name: RateLimitClass) => limits.count(name, undefined, '10.0.0.1', reply);
    count('secretsRateLimit');
    expect(() => count('secretsRateLimit')).toThrow(limited);
    for (const name of ['readRateLimit', 'writeRateLimit'] as const) count(name);
    expect(() => count('inviteUserRateLimit')).toThrow(limited);
    for (let i = 0; i < 5; i++) count('publicEndpointLimit');
  });

  it.each([null, 7, 0])('counts no login as a call, where the stored limit of logins is %s', (authRateLimit) => {
    const limits = new Limits({ calls: 1, logins: 2 });
    limits.apply({ ...byClass(() => null), authRateLimit });
    const count = (name: RateLimitClass) => limits.count(name, undefined, '10.0.0.1', reply);
    count('readRateLimit');
    expect(() => count('readRateLimit')).toThrow(limited);
    for (let i = 0; i < 20; i++) expect(() => count('authRateLimit')).not.toThrow();
  });

  it('counts no login as a call before limits are read', () => {
    const limits = new Limits({ calls: 1, logins: 2 });
    const count = (name: RateLimitClass) => limits.count(name, undefined, '10.0.0.1', reply);
    for (const name of [...Array<RateLimitClass>(5).fill('authRateLimit'), 'readRateLimit'] as const)
      expect(() => count(name)).not.toThrow();
    expect(() => count('readRateLimit')).toThrow(limited);
  });

  it('applies changed limits to what was counted before', () => {
    const limits = new Limits({ calls: 0, logins: 0 });
    const count = () => limits.count('readRateLimit', undefined, '10.0.0.1', reply);
    limits.apply({ ...byClass(() => null), readRateLimit: 5 });
    count();
    limits.apply({ ...byClass(() => null), readRateLimit: 1 });
    expect(count).toThrow(limited);
    limits.apply(byClass(() => null));
    count();
  });

  it("applies the stored limit of rejected logins, and the operator's for 0 and none", () => {
    const limits = new Limits({ calls: 0, logins: 2 });
    let subject = 0;
    const allowed = (stored: number | null) => {
      limits.apply({ ...byClass(() => 0), authRateLimit: stored });
      const [name, address] = [`subject ${++subject}`, `10.0.0.${subject}`];
      for (let i = 0; ; i++) if (limits.refusedLogin(name, address, reply)) return i;
    };
    expect([allowed(5), allowed(1), allowed(0), allowed(null)]).toEqual([5, 1, 2, 2]);
  });
});

describe('processes that serve one port', () => {
  /** As the primary passes news on. */
  function processes(count: number): Peers[] {
    const receivers: ((news: LimitNews) => void)[] = [];
    return Array.from({ length: count }, () => ({
      processes: count,
      shareLimits(receive) {
        receivers.push(receive);
        return (news) => receivers.filter((one) => one !== receive).forEach((one) => one(structuredClone(news)));
      },
      shareMetrics: () => () => Promise.resolve([]),
    }));
  }
  const passed = () => sleep(40);

  it('count refused logins, refused tokens and calls together, each of them once', async () => {
    const [a, b] = processes(2).map((peers) => new Limits({ calls: 3, logins: 3, refusedTokens: 3, peers })) as [
      Limits,
      Limits,
    ];
    for (const limits of [a, b, a]) {
      expect(limits.refusedLogin('somebody', '10.0.0.1', reply)).toBeUndefined();
      limits.refusedToken(bearerToken(`guess-${Math.random()}`), '10.0.0.1');
      limits.count('readRateLimit', undefined, '10.0.0.2', reply);
    }
    await passed();
    for (const limits of [a, b]) {
      expect(limits.refusedLogin('somebody', '10.0.0.1', reply)).toEqual(limited);
      expect(limits.refusalOfUnknown('readRateLimit', bearerToken('guess'), '10.0.0.1')?.(reply)).toEqual(limited);
      expect(() => limits.count('readRateLimit', undefined, '10.0.0.2', reply)).toThrow(limited);
    }
    expect(b.refusedLogin('somebody else', '10.0.0.1', reply)).toBeUndefined();
  });

  it('know verified tokens of each other: guesses behind the same address do not throttle their callers', async () => {
    const [a, b] = processes(2).map((peers) => new Limits({ calls: 0, logins: 0, refusedTokens: 1, peers })) as [
      Limits,
      Limits,
    ];
    a.verified(bearerToken('token'), 'caller');
    a.refusedToken(bearerToken('guess'), '10.0.0.1');
    await passed();
    expect(b.callerOf(bearerToken('token'), '10.0.0.1')).toBe('caller');
    const refusal = (token: string) => b.refusalOfUnknown('readRateLimit', bearerToken(token), '10.0.0.1')?.(reply);
    expect([refusal('token'), refusal('another')]).toEqual([undefined, limited]);
  });
});
