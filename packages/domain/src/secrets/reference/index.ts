export type { Hop } from './resolve.ts';
export { environmentRenamed, folderMoved, type FolderMove } from './retarget.ts';
