import { abilityIn, requireMayRemove } from '../../access/index.ts';
import { statement, type Fields, type Transaction } from '../../kernel/index.ts';
import { importPermissions } from './import.ts';

const ELSEWHERE = statement(
  'secret_imports.elsewhere',
  `select distinct e.slug as environment, f.path as "secretPath" from secret_imports i join folders f on f.id = i.folder_id
   join environments e on e.id = f.environment_id
   where i.import_environment_id = $1 and f.environment_id <> $1 and not i.is_reserved`,
);

/**
 * Imports from an environment end with it, in any folder. Call it before the environment is deleted: its row and the names of the
 * project are locked.
 *
 * @throws DomainError 403 if a rule forbids the caller to delete one of those in other environments.
 */
export async function requireMayEndImportsFrom(
  tx: Transaction,
  { id, projectId }: { readonly id: string; readonly projectId: string },
): Promise<void> {
  const places = await tx.sql<Fields>(ELSEWHERE, [id]);
  await requireMayRemove(await abilityIn(tx, projectId), importPermissions.delete, projectId, places);
}
