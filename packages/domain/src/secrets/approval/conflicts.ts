import { DomainError, statement, type Context } from '../../kernel/index.ts';
import type { Conflict } from './approval.ts';
import type { RequestRow } from './row.ts';

/**
 * The changes of a request whose resource has changed since; a name may be taken by a resource that is changed in the
 * same request. Replicated changes are in reserved folders, and are requested again.
 */
const FIND = statement(
  'secret_approval_changes.conflicts',
  `select c.id as "changeId", c.op, c.thing_id as "secretId",
     case when c.op = 'create' then 'taken' when t.id is null then 'gone' else 'changed' end as reason
   from secret_approval_changes c
   left join lateral (
     select s.id, s.version from secrets s where c.kind = 'secret' and s.id = c.thing_id and s.user_id is null
     union all
     select f.id, f.version from folders f where c.kind = 'folder' and f.id = c.thing_id
     union all
     select i.id, i.version from secret_imports i where c.kind = 'import' and i.id = c.thing_id
   ) t on true
   where c.request_id = $1 and case when c.op <> 'create' then t.version is distinct from c.base_version
     else c.kind = 'secret' and not $3::boolean and exists (select 1 from environments e
       join folders f on f.environment_id = e.id and f.path = c.path
       join secrets s on s.folder_id = f.id and s.key = c.name and s.user_id is null
       where e.project_id = $2 and e.slug = c.environment and not exists (select 1 from secret_approval_changes o
         where o.request_id = c.request_id and o.thing_id = s.id)) end
   order by c.position`,
);

/** What of a request has changed since it was made. */
export const conflictsOf = (ctx: Context, row: RequestRow): Promise<Conflict[]> =>
  ctx.sql<Conflict>(FIND, [row.id, row.projectId, row.isReplicated]);

/** The operation would now change something else than was approved. */
export class MergeConflict extends DomainError {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(
      'conflict',
      'secret_approval.conflict',
      'The secrets have changed since this request was made. Nothing was merged. Close and reopen the request to update it',
      { details: { conflicts } },
    );
    this.conflicts = conflicts;
  }
}
