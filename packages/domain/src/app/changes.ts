import { defineChange } from '../secrets/approval/index.ts';
import { changeSecrets, changeSecretsAsRead } from '../secrets/batch/index.ts';
import { deleteFolder } from '../secrets/tree/remove.ts';
import { copyFolders, relocateFolders } from '../secrets/tree/transfer.ts';
import { updateFolder, updateFolders } from '../secrets/tree/update.ts';
import { Restore, restoreTree, rollBackToSnapshot } from '../secrets/history/index.ts';
import { createSecretImport, deleteSecretImport, updateSecretImport } from '../secrets/import/index.ts';
import {
  createSecret,
  createSecrets,
  deleteSecret,
  deleteSecrets,
  duplicateSecrets,
  moveSecrets,
  tagSecret,
  updateSecret,
  updateSecrets,
  type TagSecret,
} from '../secrets/secret/index.ts';

/** A request compares the versions on which it is based, which may be later ones than the caller had read. */
const changeSecretsLater = defineChange('secrets.change', changeSecrets);

/** The operations that can be submitted to change policies: `submitChange` executes or requests one. */
export const changes = {
  createSecret: defineChange('secret.create', createSecret),
  createSecrets: defineChange('secrets.create', createSecrets),
  updateSecret: defineChange('secret.update', updateSecret),
  updateSecrets: defineChange('secrets.update', updateSecrets),
  deleteSecret: defineChange('secret.delete', deleteSecret),
  deleteSecrets: defineChange('secrets.delete', deleteSecrets),
  changeSecrets: { ...changeSecretsLater, run: changeSecretsAsRead },
  moveSecrets: defineChange('secrets.move', moveSecrets),
  duplicateSecrets: defineChange('secrets.duplicate', duplicateSecrets),
  tagSecret: defineChange('secret.tag', (ctx, { attach, ...input }: TagSecret & { readonly attach: boolean }) =>
    tagSecret(ctx, input, attach),
  ),
  updateFolder: defineChange('folder.update', updateFolder),
  updateFolders: defineChange('folders.update', updateFolders),
  deleteFolder: defineChange('folder.delete', deleteFolder),
  copyFolders: defineChange('folders.copy', copyFolders),
  relocateFolders: defineChange('folders.move', relocateFolders),
  createSecretImport: defineChange('secret_import.create', createSecretImport),
  updateSecretImport: defineChange('secret_import.update', updateSecretImport),
  deleteSecretImport: defineChange('secret_import.delete', deleteSecretImport),
  // Parsed again, because times are stored as text.
  restoreTree: defineChange('tree.restore', (ctx, input: Restore) => restoreTree(ctx, Restore.parse(input))),
  rollBackToSnapshot: defineChange('snapshot.restore', rollBackToSnapshot),
};
