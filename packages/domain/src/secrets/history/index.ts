export { getCommit, listCommits } from './commits.ts';
export * from './history.ts';
export { rollbackPermissions } from './permission.ts';
export { compareTrees, readTree } from './read.ts';
export { restoreEnvironmentIn, restoreTree } from './restore.ts';
export { countSnapshots, getSnapshot, listSnapshots, rollBackToSnapshot } from './snapshot.ts';
