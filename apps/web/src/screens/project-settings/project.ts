import type { Outputs } from '@coffer/client';

export type Project = Outputs['projects']['get']['project'];

/** The fields of a form that differ from what is stored. */
export const changed = <Fields extends object>(fields: Fields, stored: Fields): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== stored[name as keyof Fields]),
  ) as Partial<Fields>;
