export * from './cache-bus.ts';
export * from './tagged-cache.ts';
export * from './watches.ts';
