export * from './database.ts';
export * from './people.ts';
export * from './naive-rules.ts';
export * from './test-coffer.ts';
export * from './world.ts';
