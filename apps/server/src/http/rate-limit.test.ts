import type { FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';
import { Limits, RateLimit } from './rate-limit.ts';

const reply = { headers: () => reply } as unknown as FastifyReply;
const limited = expect.objectContaining({ kind: 'rate_limited', retryAfter: expect.any(Number) as number });

describe('RateLimit', () => {
  it('lets as many through in a minute as it says, for each caller', () => {
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

  it('limits nothing at 0', () => {
    const limit = new RateLimit(0);
    expect(Array.from({ length: 1000 }, () => limit.take('a')).every((wait) => wait === undefined)).toBe(true);
    expect(limit.waitOf('a')).toBeUndefined();
  });
});

describe('Limits', () => {
  it('counts tokens apart, wherever they come from', () => {
    const limits = new Limits({ calls: 1, logins: 0 });
    limits.count('token-1', '10.0.0.1', reply);
    limits.count('token-2', '10.0.0.1', reply);
    expect(() => limits.count('token-1', '10.0.0.2', reply)).toThrow(limited);
  });

  it('counts a service token as one, whatever its client appends to it', () => {
    const limits = new Limits({ calls: 1, logins: 0 });
    limits.count('st.id.secret.one', '10.0.0.1', reply);
    expect(() => limits.count('st.id.secret.two', '10.0.0.1', reply)).toThrow(limited);
    limits.count('st.id.other', '10.0.0.1', reply);
  });

  it('counts invented tokens for the address that they come from', () => {
    const limits = new Limits({ calls: 3, logins: 0 });
    for (let i = 0; i < 3; i++) {
      limits.count(`invented-${i}`, '10.0.0.1', reply);
      limits.countRefused('10.0.0.1');
    }
    expect(() => limits.count('invented-4', '10.0.0.1', reply)).toThrow(limited);
    limits.count('invented-4', '10.0.0.2', reply);
  });

  it('takes a /64 of IPv6 as one address', () => {
    const limits = new Limits({ calls: 0, logins: 1 });
    limits.countLogin('2001:db8::1', reply);
    expect(() => limits.countLogin('2001:db8::ffff:2', reply)).toThrow(limited);
    limits.countLogin('2001:db8:0:1::1', reply);
  });
});
