export * from './options.ts';
export * from './principals.ts';
