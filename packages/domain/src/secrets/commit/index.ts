export * from './commit.ts';
export * from './revision.ts';
export * from './writer.ts';
