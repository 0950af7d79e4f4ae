import { projectPermissions } from '../../access/index.ts';
import { statement, type Permission, type Transaction } from '../../kernel/index.ts';
import type { PlaceMove } from '../folder/index.ts';
import type { Thing } from './contents.ts';
import { requireLastingOnAll, WRITING } from './keeps-writing.ts';

/**
 * What goes on by itself in some folders, with the fields that rules use: replications, rotations with a schedule and the
 * secrets that they write, and syncs that follow changes.
 */
const GOING_ON = statement(
  'rename.going_on',
  `select 'secret-imports' as subject, folder_id as "folderId", '{}'::json as fields from secret_imports
   where folder_id = any($1::uuid[]) and replicated_by is not null
   union all
   select 'secret-rotation', folder_id, '{}' from secret_rotations
   where folder_id = any($1::uuid[]) and is_auto_rotation_enabled
   union all
   select 'secret-syncs', folder_id, '{}' from secret_syncs
   where folder_id = any($1::uuid[]) and name is not null and is_active and is_auto_sync_enabled
   union all
   select 'secrets', r.folder_id, json_build_object('secretName', written.value, 'secretTags',
     array(select slug from tags where tags.id = any(s.tag_ids)))
   from secret_rotations r cross join lateral jsonb_each_text(r.secrets_mapping) written
   left join lateral (select tag_ids from secrets
     where folder_id = r.folder_id and key = written.value and rotation_id = r.id limit 1) s on true
   where r.folder_id = any($1::uuid[]) and r.is_auto_rotation_enabled`,
);

/** One of these rights is enough: those that are asked where it is set up. */
const SET_UP_BY: Readonly<Record<string, readonly [Permission, ...Permission[]]>> = {
  'secret-imports': [projectPermissions('secret-imports').create],
  'secret-rotation': [projectPermissions('secret-rotation').create],
  'secret-syncs': [projectPermissions('secret-syncs').create],
  secrets: WRITING,
};

/**
 * Checks that the caller may set up without an end, under the new names of some folders, what goes on by itself in them: nobody
 * asks for that right when it runs there. The error names no folder. The tree and the names of the project are locked.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export async function requireMayGoOn(
  tx: Transaction,
  projectId: string,
  folders: ReadonlyMap<string, PlaceMove>,
): Promise<void> {
  const all = await tx.sql<Thing & { subject: string }>(GOING_ON, [[...folders.keys()]]);
  for (const [subject, things] of Map.groupBy(all, (one) => one.subject)) {
    const rights = SET_UP_BY[subject]!;
    const places = things.map(({ folderId, fields }) => ({ ...fields, ...folders.get(folderId)!.to }));
    await requireLastingOnAll(tx, projectId, rights, places);
  }
}
