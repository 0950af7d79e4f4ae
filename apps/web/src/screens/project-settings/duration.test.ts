import { describe, expect, it } from 'vitest';
import { durationText, secondsIn } from './duration.ts';

describe('a duration in a setting', () => {
  it.each([
    ['', 0],
    ['45s', 45],
    ['90m', 5_400],
    ['8h', 28_800],
    ['30d', 2_592_000],
  ])('%s is %s seconds, both ways', (text, seconds) => {
    expect([secondsIn(text), durationText(seconds)]).toEqual([seconds, text]);
  });

  it.each(['8', 'h', '-1h', '1.5h', '1w', '8h!'])('%s is none', (text) => {
    expect(secondsIn(text)).toBeUndefined();
  });

  it('is shown in the largest unit without a rest', () => {
    expect([durationText(86_400), durationText(3_660), durationText(61)]).toEqual(['1d', '61m', '61s']);
  });
});
