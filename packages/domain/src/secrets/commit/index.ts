export * from './commit.ts';
export * from './revision.ts';
export * from './secret-actor.ts';
export * from './writer.ts';
