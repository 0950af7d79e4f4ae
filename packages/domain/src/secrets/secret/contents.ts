import { projectPermissions, type PlacingPermissions } from '../../access/index.ts';
import { statement, type Fields, type Statement, type Transaction } from '../../kernel/index.ts';
import { secretPermissions } from './secret.ts';

/** The contents of a folder include those of the folder into which replication copies its imports. */
const FOLDERS = `(select f.id, case when f.is_reserved then f.parent_id else f.id end as holder_id
  from folders f where f.id = any($1::uuid[])
  union select f.id, f.parent_id from folders f where f.parent_id = any($1::uuid[]) and f.is_reserved) f`;
/** One folder at a time, by the index on what is in it. */
const inFolders = (columns: string, table: string): string =>
  `${FOLDERS} cross join lateral (select ${columns} from ${table} where folder_id = f.id offset 0) x`;
const FOLDER_ID = 'f.holder_id as "folderId"';
const SLUGS = `array(select slug from tags where tags.id = any(x.tag_ids))`;

const dynamicPermissions = projectPermissions('dynamic-secrets');
const importPermissions = projectPermissions('secret-imports');
const rotationPermissions = projectPermissions('secret-rotation');
const syncPermissions = projectPermissions('secret-syncs');

/** A kind of resource in folders. */
export interface KindInFolders extends PlacingPermissions {
  /** All of some folders, as rules see them. */
  readonly found: Statement;
}

/**
 * The contents of folders, with the fields that rules use. Copies of replication are secrets of the importing folder. What a
 * rotation is about to create is there already: nobody is asked once more when it writes.
 */
export const KINDS: readonly KindInFolders[] = [
  {
    ...secretPermissions,
    found: statement(
      'rename.secrets',
      `select ${FOLDER_ID}, json_build_object('secretName', x.key, 'secretTags', ${SLUGS}) as fields
       from ${inFolders('key, tag_ids, user_id', 'secrets')} where x.user_id is null
       union all select folder_id, json_build_object('secretName', planned.value, 'secretTags', '{}'::text[])
       from secret_rotations, jsonb_each_text(secrets_mapping) planned
       where folder_id = any($1::uuid[]) and last_rotated_at is null`,
    ),
  },
  {
    create: dynamicPermissions['create-root-credential'],
    edit: dynamicPermissions['edit-root-credential'],
    delete: dynamicPermissions['delete-root-credential'],
    found: statement(
      'rename.dynamic_secrets',
      `select ${FOLDER_ID}, json_build_object('metadata', x.metadata) as fields
       from ${inFolders('metadata', 'dynamic_secrets')}`,
    ),
  },
  {
    ...importPermissions,
    found: statement(
      'rename.imports',
      `select distinct folder_id as "folderId", '{}'::jsonb as fields from secret_imports
       where folder_id = any($1::uuid[]) and not is_reserved`,
    ),
  },
  {
    ...rotationPermissions,
    found: statement(
      'rename.rotations',
      `select distinct folder_id as "folderId", '{}'::jsonb as fields from secret_rotations where folder_id = any($1::uuid[])`,
    ),
  },
  {
    // Those without a name are integrations, whose rules name no place.
    ...syncPermissions,
    found: statement(
      'rename.syncs',
      `select distinct folder_id as "folderId", '{}'::jsonb as fields from secret_syncs
       where folder_id = any($1::uuid[]) and name is not null`,
    ),
  },
];

export interface Thing {
  readonly folderId: string;
  /** In addition to the location. */
  readonly fields: Fields;
}

/** The contents of some folders, read once for each kind. */
export class Contents {
  readonly #tx: Transaction;
  readonly #folderIds: readonly string[];
  readonly #all: ReadonlySet<KindInFolders>;
  readonly #known = new Map<KindInFolders, readonly Thing[]>();

  /** Of the kinds in `all`, the first reading reads all folders. */
  constructor(tx: Transaction, folderIds: readonly string[], all: readonly KindInFolders[]) {
    this.#tx = tx;
    this.#folderIds = folderIds;
    this.#all = new Set(all);
  }

  /** The contents of one kind in some of the folders. */
  async of(kind: KindInFolders, folderIds: ReadonlyMap<string, unknown>): Promise<readonly Thing[]> {
    if (folderIds.size === 0) return [];
    if (!this.#all.has(kind)) return this.#read(kind, [...folderIds.keys()]);
    const known = this.#known.get(kind) ?? (await this.#read(kind, this.#folderIds));
    this.#known.set(kind, known);
    return known.filter(({ folderId }) => folderIds.has(folderId));
  }

  #read(kind: KindInFolders, folderIds: readonly string[]): Promise<readonly Thing[]> {
    return this.#tx.sql<Thing>(kind.found, [folderIds]);
  }
}
