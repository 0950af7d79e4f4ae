export * from './bound.ts';
export * from './claims.ts';
export * from './key-sets.ts';
export * from './public-keys.ts';
export * from './static-keys.ts';
export * from './verify.ts';
