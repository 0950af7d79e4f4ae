export * from './directory-url.ts';
export * from './directory.ts';
export * from './filter.ts';
