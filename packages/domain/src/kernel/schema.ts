// The part of the kernel for schemas, without Node and the database, so that it runs in browsers.
// `scripts/boundaries.mjs` checks that for all modules that `schemas.ts` exports.

export * from './address.ts';
export { DEFAULT_SETTINGS, SHORTEST_PASSWORD } from './context.ts';
export * from './duration.ts';
export * from './errors.ts';
export * from './event.ts';
export * from './instant.ts';
export * from './named-schema.ts';
export * from './node-crypto.ts';
export * from './page.ts';
export * from './permission.ts';
export * from './url.ts';
export * from './left-elsewhere.ts';
export * from './refusal.ts';
export * from './scalars.ts';
export * from './template.ts';
