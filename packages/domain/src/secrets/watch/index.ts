export { commitsAfter, type Change, type Commit as SecretsCommit, type Side } from './commits.ts';
export { noteDeletion } from './deleted-environment.ts';
export * from './folder-pattern.ts';
export * from './state.ts';
export { watchSecrets, type WatchOptions } from './stream.ts';
export * from './watch.ts';
