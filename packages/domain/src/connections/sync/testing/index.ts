export type * from './example.ts';
export * from './examples.ts';
export * from './github.ts';
export * from './vault.ts';
export * from './local-target.ts';
