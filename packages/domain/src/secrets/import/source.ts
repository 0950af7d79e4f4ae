import { statement, type Transaction } from '../../kernel/index.ts';

const MOVE = statement(
  'secret_imports.move_source',
  `update secret_imports i set import_path = $4 || substr(import_path, length($3) + 1), updated_at = $5
   where i.project_id = $1 and i.import_environment_id = (select id from environments where project_id = $1 and slug = $2)
     and (import_path = $3 or starts_with(import_path, $3 || '/'))`,
);

/** Imports follow a folder to its new path, after its own row. Neither path is the root. */
export async function moveImportSources(
  tx: Transaction,
  { projectId }: { projectId: string },
  { environment, from, to }: { environment: string; from: string; to: string },
): Promise<void> {
  await tx.sql(MOVE, [projectId, environment, from, to, tx.now()]);
}
