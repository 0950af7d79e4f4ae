import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expiryOf, secondsUntil, type TokenSettings } from './expiry.ts';

const TEN_YEARS = 315_360_000;
const seconds = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: TEN_YEARS }));
const settings = fc.record<TokenSettings>({
  accessTokenTTL: seconds,
  accessTokenMaxTTL: seconds,
  accessTokenNumUsesLimit: fc.nat(),
  accessTokenPeriod: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: seconds }),
});
const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const later = fc
  .tuple(instant, fc.nat(TEN_YEARS * 1000))
  .map(([created, ms]) => [created, new Date(created.getTime() + ms)] as const);
const end = (date: Date | null) => date?.getTime() ?? Infinity;
const orNever = (ttl: number) => (ttl === 0 ? Infinity : ttl * 1000);

describe('expiryOf', () => {
  it('is the sooner of TTL from now and max TTL from creation, 0 meaning never', () => {
    fc.assert(
      fc.property(settings, later, ({ accessTokenPeriod: _, ...rest }, [created, now]) => {
        const expected = Math.min(
          now.getTime() + orNever(rest.accessTokenTTL),
          created.getTime() + orNever(rest.accessTokenMaxTTL),
        );
        expect(end(expiryOf({ ...rest, accessTokenPeriod: 0 }, created, now))).toBe(expected);
      }),
    );
  });

  it('is one period from now for a periodic token, whatever its other settings', () => {
    fc.assert(
      fc.property(settings, later, fc.integer({ min: 1, max: TEN_YEARS }), (given, [created, now], period) => {
        expect(end(expiryOf({ ...given, accessTokenPeriod: period }, created, now))).toBe(
          now.getTime() + period * 1000,
        );
      }),
    );
  });

  it('is never before the moment of issue, and never decreases by waiting', () => {
    fc.assert(
      fc.property(settings, later, (given, [created, now]) => {
        expect(end(expiryOf(given, created, created))).toBeGreaterThan(created.getTime());
        expect(end(expiryOf(given, created, now))).toBeGreaterThanOrEqual(end(expiryOf(given, created, created)));
      }),
    );
  });
});

describe('secondsUntil', () => {
  it('is never longer than the actual lifetime, except for the last second', () => {
    fc.assert(
      fc.property(instant, fc.nat(TEN_YEARS * 1000), (now, ms) => {
        const promised = secondsUntil(new Date(now.getTime() + ms), now);
        expect(promised * 1000).toBeLessThanOrEqual(Math.max(ms, 1000));
        expect(promised).toBeGreaterThan(0);
        expect((promised + 1) * 1000).toBeGreaterThan(ms);
      }),
    );
    expect(secondsUntil(null, new Date())).toBe(0);
  });
});
