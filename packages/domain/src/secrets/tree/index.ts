export { deleteFolder } from './remove.ts';
export * from './restore.ts';
export { updateFolder, updateFolders } from './update.ts';
