import { describe, expect, it } from 'vitest';
import { nextRotation } from './schedule.ts';

const at = (text: string) => new Date(`${text}Z`);
const schedule = { isAutoRotationEnabled: true, rotationInterval: 30, rotateAt: 2 * 60 + 30 };

describe('nextRotation', () => {
  it('is the given number of days later, at the time of day in UTC', () => {
    expect(nextRotation(at('2026-03-01T23:59:00'), schedule)).toEqual(at('2026-03-31T02:30:00'));
    expect(nextRotation(at('2026-03-01T00:00:00'), schedule)).toEqual(at('2026-03-31T02:30:00'));
  });

  it('is on the next day at the earliest', () => {
    expect(nextRotation(at('2026-03-01T23:59:00'), { ...schedule, rotationInterval: 1 })).toEqual(
      at('2026-03-02T02:30:00'),
    );
  });

  it('is never without automatic rotation', () => {
    expect(nextRotation(at('2026-03-01T00:00:00'), { ...schedule, isAutoRotationEnabled: false })).toBeNull();
  });
});
