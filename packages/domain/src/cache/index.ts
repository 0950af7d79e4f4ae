export * from './cache-bus.ts';
export * from './tagged-cache.ts';
