import { migration } from './migration.ts';

/**
 * How often each data key has encrypted, in blocks that processes reserve. What was encrypted before was not counted, and an
 * earlier release beside this one counts nothing: its keys begin with 2^26, more than they can have been used.
 */
export const m0037KeyUses = migration(
  '0037-key-uses',
  'alter table data_keys add column uses bigint not null default 67108864;',
);
