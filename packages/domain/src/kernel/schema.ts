// The part of the kernel that schemas are made of: nothing of it needs Node or the database, so that schemas run in browsers.
// `scripts/boundaries.mjs` holds modules that `schemas.ts` exports to it.

export * from './address.ts';
export { DEFAULT_SETTINGS, SHORTEST_PASSWORD } from './context.ts';
export * from './duration.ts';
export * from './errors.ts';
export * from './event.ts';
export * from './instant.ts';
export * from './node-crypto.ts';
export * from './page.ts';
export * from './permission.ts';
export * from './redacted-url.ts';
export * from './refusal.ts';
export * from './scalars.ts';
export * from './template.ts';
