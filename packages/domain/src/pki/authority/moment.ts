import { instantBy, parseInstant } from '../../kernel/schema.ts';

/** A time as callers send it for certificates: as everywhere, or without a zone (UTC), or a day alone. */
export const moment = () =>
  instantBy(
    'Expected a time, for example 2026-01-31T12:00:00Z, 2026-01-31T12:00:00 (UTC) or 2026-01-31',
    parseInstant,
    (text) => parseInstant(`${text}Z`),
    (text) => parseInstant(`${text}T00:00:00Z`),
  );
