export * from './example.ts';
export * from './examples.ts';
export * from './github.ts';
export * from './open.ts';
export * from './vault.ts';
