import { statement, type Transaction } from '../../kernel/index.ts';

const NOTE = statement(
  'departed_environments.note',
  `insert into departed_environments (environment_id, organization_id, project_id, root_folder_id, slug)
   select e.id, e.organization_id, e.project_id, f.id, e.slug from environments e
   join folders f on f.environment_id = e.id and f.parent_id is null where e.id = $1`,
);

/** Keeps where the secrets of an environment were that is about to be deleted, for those who are told of it afterwards. */
export async function noteDeparture(tx: Transaction, environmentId: string): Promise<void> {
  await tx.sql(NOTE, [environmentId]);
}
