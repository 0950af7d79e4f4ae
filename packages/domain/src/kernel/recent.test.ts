import { expect, it } from 'vitest';
import { isRecent } from './recent.ts';

it('a minute ends after a minute, or once the clock was set back', () => {
  const since = 1_000_000;
  const times = [since, since + 59_999, since + 60_000, since - 1, since - 3_600_000];
  expect(times.map((now) => isRecent(since, 60_000, now))).toEqual([true, true, false, false, false]);
});
