import { statement, type Transaction } from '../../kernel/index.ts';

const NOTE = statement(
  'deleted_environments.note',
  `insert into deleted_environments (environment_id, organization_id, project_id, root_folder_id, slug, name, deleted_at,
     revision, imports)
   select e.id, e.organization_id, e.project_id, f.id, e.slug, e.name, $2, coalesce(r.revision, 0),
     (select coalesce(jsonb_agg(jsonb_build_object('folderId', i.folder_id, 'holderId', holder.environment_id,
          'environmentId', i.import_environment_id, 'path', i.import_path, 'sourceId', source.id, 'id', i.id,
          'position', i.position, 'previousId', previous.id, 'nextId', next.id) order by i.folder_id, i.position), '[]')
      from secret_imports i join folders holder on holder.id = i.folder_id
      left join folders source on source.environment_id = i.import_environment_id and source.path = i.import_path
      left join lateral (select p.id from secret_imports p where p.folder_id = i.folder_id and p.position < i.position
        and not p.is_reserved order by p.position desc limit 1) previous on true
      left join lateral (select n.id from secret_imports n where n.folder_id = i.folder_id and n.position > i.position
        and not n.is_reserved order by n.position limit 1) next on true
      where i.project_id = e.project_id and (holder.environment_id = e.id or i.import_environment_id = e.id)
        and not i.is_replication and not i.is_reserved)
   from environments e join folders f on f.environment_id = e.id and f.parent_id is null
   left join project_revisions r on r.project_id = e.project_id where e.id = $1`,
);

/**
 * Stores an environment that is about to be deleted: to notify followers afterwards, and to restore it. Its folders are
 * locked.
 */
export async function noteDeletion(tx: Transaction, environmentId: string): Promise<void> {
  await tx.sql(NOTE, [environmentId, tx.now()]);
}
