import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../kernel/index.ts';
import { endInOrganization, endOfSession, livingAt, type SessionTimes } from './lifetime.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2030, 0, 1);

const times = (created: number, used: number, expires: number): SessionTimes => ({
  createdAt: new Date(created).toISOString(),
  lastUsedAt: new Date(used).toISOString(),
  expiresAt: new Date(expires).toISOString(),
});
const settings = (absolute: number, idle: number) =>
  ({ sessionSeconds: absolute / 1000, sessionIdleSeconds: idle / 1000 }) as Settings;

describe('the end of a session', () => {
  it('is the absolute one with use, and the idle one without', () => {
    const limits = settings(240 * HOUR, 24 * HOUR);
    expect(endOfSession(times(START, START, START + 240 * HOUR), limits)).toBe(START + 24 * HOUR);
    expect(endOfSession(times(START, START + 239 * HOUR, START + 240 * HOUR), limits)).toBe(START + 240 * HOUR);
  });

  it('comes earlier for an open session if a setting is shortened, and not later if it is extended', () => {
    const stored = times(START, START + HOUR, START + 240 * HOUR);
    expect(endOfSession(stored, settings(2 * HOUR, 24 * HOUR))).toBe(START + 2 * HOUR);
    expect(endOfSession(stored, settings(9999 * HOUR, 9999 * HOUR))).toBe(START + 240 * HOUR);
  });

  it('comes earlier in an organization that limits the tokens of its users', () => {
    const stored = times(START, START, START + 240 * HOUR);
    const limits = settings(240 * HOUR, 24 * HOUR);
    expect(endInOrganization(stored, '8h', limits)).toBe(START + 8 * HOUR);
    expect(endInOrganization(stored, '30d', limits)).toBe(START + 24 * HOUR);
    expect(endInOrganization(stored, null, limits)).toBe(START + 24 * HOUR);
  });

  it('is the same as a condition on stored sessions', () => {
    const hours = fc.integer({ min: 0, max: 50 });
    fc.assert(
      fc.property(hours, hours, hours, hours, hours, hours, (created, used, expires, absolute, idle, at) => {
        const stored = times(START + created * HOUR, START + used * HOUR, START + expires * HOUR);
        const limits = settings(absolute * HOUR, idle * HOUR);
        const now = new Date(START + at * HOUR);
        const { expiresAt, createdAt, lastUsedAt } = livingAt(now, limits);
        const isLiving =
          new Date(stored.expiresAt) > expiresAt.$gt &&
          new Date(stored.createdAt) > createdAt.$gt &&
          new Date(stored.lastUsedAt) > lastUsedAt.$gt;
        expect(isLiving).toBe(endOfSession(stored, limits) > now.getTime());
      }),
    );
  });
});
