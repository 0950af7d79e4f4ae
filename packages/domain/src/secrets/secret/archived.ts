import { recordStatement, type Transaction } from '../../kernel/index.ts';

/** The version of a secret that a commit replaces or deletes; of a copy, none does. */
interface Replaced {
  readonly id: string;
  readonly commitId: string | null;
}

/** A folder in which a commit has replaced or deleted shared secrets. */
export interface Archived {
  readonly folderId: string;
  readonly commitId: string | null;
}

interface Removed extends Archived {
  /** Whether a rotation writes the values of one of them. */
  readonly isRotated: boolean;
  /** Whether one of them had personal values, which may have been removed in the same statement. */
  readonly isOverridden: boolean;
}

const REPLACED = 'json_to_recordset($1::json) as r (id uuid, "commitId" uuid)';

const SAME = [
  ...['version', 'organization_id', 'project_id', 'folder_id', 'user_id', 'key', 'value', 'comment', 'metadata'],
  ...['encrypted_metadata', 'legacy_metadata', 'tag_ids', 'skip_multiline_encoding', 'reminder_note'],
  ...['reminder_repeat_days', 'reminder_recipients', 'actor', 'commit_id'],
];

/** The SQL that stores the versions of the secrets `s`, which commits `s."commitId"` replace or delete at $2. */
function storingVersions(isDeleted: boolean): string {
  const columns: Record<string, string> = {
    id: 's.version_id',
    secret_id: 's.id',
    is_deleted: String(isDeleted),
    secret_created_at: 's.created_at',
    created_at: 's.updated_at',
    replaced_at: '$2::timestamptz',
    replaced_commit_id: 'case when s.user_id is null then s."commitId" end',
  };
  for (const column of SAME) columns[column] = `s.${column}`;
  return `insert into secret_versions (${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')}`;
}

const valuesOf = (records: readonly Replaced[]) => [JSON.stringify(records)];

const ARCHIVE = recordStatement<Replaced>(
  'secret_versions.archive',
  `with kept as (${storingVersions(false)} from (select s.*, r."commitId" from ${REPLACED} join secrets s on s.id = r.id) s
     returning folder_id, user_id, replaced_commit_id)
   select distinct folder_id as "folderId", replaced_commit_id as "commitId" from kept where user_id is null`,
  valuesOf,
);

const REMOVE = recordStatement<Replaced>(
  'secrets.remove',
  `with gone as (delete from secrets s using ${REPLACED} where s.id = r.id returning s.*, r."commitId"),
     kept as (${storingVersions(true)} from gone s)
   select s.folder_id as "folderId", s."commitId", bool_or(s.rotation_id is not null) as "isRotated",
     bool_or(exists (select from secrets p where p.folder_id = s.folder_id and p.key = s.key and p.user_id is not null)) as "isOverridden"
   from gone s where s.user_id is null group by s.folder_id, s."commitId"`,
  valuesOf,
);

/** Stores the current versions of secrets before they are replaced. */
export const archiveReplaced = (tx: Transaction, ids: readonly string[], commitId: string | null) =>
  write<Archived>(tx, ARCHIVE, ids, commitId);

/** Deletes secrets, whose last versions are stored. */
export const removeArchived = (tx: Transaction, ids: readonly string[], commitId: string | null) =>
  write<Removed>(tx, REMOVE, ids, commitId);

/** What a statement returns of this commit: in a shared transaction there are those of others. */
async function write<Row extends Archived>(
  tx: Transaction,
  statement: typeof ARCHIVE,
  ids: readonly string[],
  commitId: string | null,
): Promise<Row[]> {
  const replaced = ids.map((id): Replaced => ({ id, commitId }));
  return (await tx.write<Row>(statement, replaced, [tx.now()])).filter((one) => one.commitId === commitId);
}
