export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './errors.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './options.ts';
export { startEmbeddedPostgres } from './start.ts';
