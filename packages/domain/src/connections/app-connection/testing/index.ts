export type * from './example.ts';
export * from './examples.ts';
export * from './stored.ts';
