import { z } from 'zod';
import { instant } from '../../kernel/index.ts';

/** A time as callers send it: with a zone or without (UTC), or a day alone. */
export const moment = () =>
  z
    .union([instant(), z.iso.datetime({ offset: true, local: true }).transform(inUtc), z.iso.date().transform(inUtc)], {
      error: 'Expected an ISO 8601 time, such as 2026-01-31T12:00:00Z',
    })
    .meta({ override: { type: 'string', format: 'date-time', anyOf: undefined } });

function inUtc(given: string): Date {
  const hasZone = /Z$|[+-]\d\d:\d\d$/.test(given) || !given.includes('T');
  return new Date(hasZone ? given : `${given}Z`);
}
