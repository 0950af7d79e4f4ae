import { expect, it } from 'vitest';
import { shareOf } from './share.ts';

it('gives each process its part of a limit, at least one, and no limit where there is none', () => {
  expect([shareOf(32, 2), shareOf(32, 3), shareOf(1, 4), shareOf(0, 4)]).toEqual([16, 10, 1, 0]);
});
