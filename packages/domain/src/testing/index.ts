export * from './database.ts';
export * from './test-coffer.ts';
export * from './world.ts';
