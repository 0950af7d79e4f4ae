export * from './directory.ts';
export * from './filter.ts';
