import { abilityIn, denied } from '../../access/index.ts';
import { statement, type Transaction } from '../../kernel/index.ts';
import { rightsToAll, type FoundFolder } from '../folder/index.ts';
import { secretPermissions } from '../secret/index.ts';
import { importPermissions } from './import.ts';

const ANY = statement(
  'secret_imports.any',
  'select from secret_imports where folder_id = $1 and not is_reserved limit 1',
);

/**
 * A new import is the last one of its folder, and overrides the values of the others for all readers, also by what is written to its
 * source later. So beside others it takes a right that covers this: to edit the imports of the folder, which includes their order, or
 * to create any secret there, which overrides what is imported. The imports are locked.
 *
 * @throws DomainError 403.
 */
export async function requireMayOverride(tx: Transaction, folder: FoundFolder): Promise<void> {
  const { id, projectId, environmentSlug: environment, path: secretPath } = folder;
  const place = { environment, secretPath };
  const ability = await abilityIn(tx, projectId);
  if (ability.can(importPermissions.edit, place)) return;
  if (rightsToAll(ability).can(secretPermissions.create, place)) return;
  if ((await tx.sql(ANY, [id])).length === 0) return;
  const message =
    'A new import overrides the other imports of this folder: that takes the permission secret-imports: edit, or secrets: create for every name';
  throw denied(ability, importPermissions.edit, { projectId, ...place }, { message });
}
