import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byClass, limitInForce, RATE_LIMIT_CLASSES, UpdateRateLimits } from './rate-limit.ts';

const operator = { callLimit: 1_200, loginLimit: 60 };
const nothing = byClass(() => null);

describe('the rate limit in force', () => {
  it("is the operator's without a stored one", () => {
    for (const stored of [undefined, nothing]) {
      expect(limitInForce('readRateLimit', stored, operator)).toBe(1_200);
      expect(limitInForce('authRateLimit', stored, operator)).toBe(60);
    }
  });

  it('is the stored one of its class, and 0 disables it', () => {
    expect(limitInForce('readRateLimit', { ...nothing, readRateLimit: 7 }, operator)).toBe(7);
    expect(limitInForce('writeRateLimit', { ...nothing, readRateLimit: 7 }, operator)).toBe(1_200);
    expect(limitInForce('readRateLimit', { ...nothing, readRateLimit: 0 }, operator)).toBe(0);
  });

  it('is never off for refused logins, whatever is stored', () => {
    const limit = fc.option(fc.nat(12_000));
    fc.assert(
      fc.property(fc.record(byClass(() => limit)), (stored) => {
        fc.pre(UpdateRateLimits.safeParse(stored).success);
        expect(limitInForce('authRateLimit', stored, operator)).toBeGreaterThan(0);
      }),
    );
    expect(limitInForce('authRateLimit', { ...nothing, authRateLimit: 0 }, operator)).toBe(60);
  });

  it('accepts whole numbers within limits for every class', () => {
    for (const name of RATE_LIMIT_CLASSES)
      for (const wrong of [-1, 1.5, 1_000_001, '60', undefined])
        expect(UpdateRateLimits.safeParse({ ...nothing, [name]: wrong }).success).toBe(false);
    expect(UpdateRateLimits.safeParse({ ...nothing, authRateLimit: 10_001 }).success).toBe(false);
  });
});
