import { expect, it } from 'vitest';
import { dueBy } from './run.ts';

const createdAt = '2026-03-01T00:00:00.000Z';
const inCenturies = new Date('2226-03-01T00:00:00.000Z');
const soon = new Date('2026-03-01T01:00:00.000Z');

it('a pending order is looked at again within a day and a moment, whatever its authority wishes', () => {
  expect(dueBy({ status: 'pending', createdAt }, soon)).toEqual(soon);
  expect(dueBy({ status: 'pending', createdAt }, inCenturies)).toEqual(new Date('2026-03-02T00:00:00.001Z'));
});
