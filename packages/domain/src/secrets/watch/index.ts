export { commitsAfter, type Change, type Commit as SecretsCommit, type Side } from './commits.ts';
export { noteDeparture } from './departed.ts';
export * from './folder-pattern.ts';
export * from './state.ts';
export { watchSecrets, type WatchOptions } from './stream.ts';
export * from './watch.ts';
