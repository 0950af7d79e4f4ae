export { deleteFolder } from './remove.ts';
export * from './restore.ts';
export { copyFolders, relocateFolders } from './transfer.ts';
export { readFolderUses } from './uses.ts';
export { updateFolder, updateFolders } from './update.ts';
