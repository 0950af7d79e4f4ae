import { defineCommand } from '../../../table/command.ts';
import { folderFlags, namedFolderFlags } from './flags.ts';

export const foldersCommand = defineCommand({
  name: 'folders',
  summary: 'list, create and delete folders',
  commands: [
    defineCommand({
      name: 'get',
      summary: 'list the folders in a folder',
      flags: folderFlags,
      load: async () => (await import('./folders.ts')).listFolders,
    }),
    defineCommand({
      name: 'create',
      summary: 'create a folder',
      flags: namedFolderFlags,
      load: async () => (await import('./folders.ts')).createFolder,
    }),
    defineCommand({
      name: 'delete',
      summary: 'delete a folder with all that is in it',
      flags: namedFolderFlags,
      load: async () => (await import('./folders.ts')).deleteFolder,
    }),
  ],
});
