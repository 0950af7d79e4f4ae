export * from './event-row.ts';
export * from './group-commit.ts';
