import { p } from '@mikro-orm/core';

/** The columns that keep a time window. */
export const windowColumns = {
  isTemporary: p.boolean().default(false),
  temporaryMode: p.text().$type<'relative'>().nullable(),
  temporaryRange: p.text().nullable(),
  temporaryAccessStartTime: p.datetime().nullable(),
  temporaryAccessEndTime: p.datetime().nullable(),
};
