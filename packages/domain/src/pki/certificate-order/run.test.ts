import { expect, it } from 'vitest';
import { dueBy } from './run.ts';

const createdAt = '2026-03-01T00:00:00.000Z';
const inCenturies = new Date('2226-03-01T00:00:00.000Z');
const soon = new Date('2026-03-01T01:00:00.000Z');

it('a pending order is looked at again within a day and a moment, whatever its authority wishes', () => {
  expect(dueBy({ status: 'pending', createdAt }, soon)).toEqual(soon);
  for (const wished of [inCenturies, new Date(NaN)])
    expect(dueBy({ status: 'pending', createdAt }, wished)).toEqual(new Date('2026-03-02T00:00:00.001Z'));
});
