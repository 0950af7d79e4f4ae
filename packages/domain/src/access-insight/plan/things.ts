import { portionsOfRows, statement, type Context } from '../../kernel/index.ts';

export interface Folder {
  readonly id: string;
  readonly environment: string;
  readonly path: string;
}

/** The fields of a secret that rules use. */
export interface SecretThing {
  readonly name: string;
  readonly tags: string[];
}

const FOLDERS = statement(
  'plan.folders',
  `select f.id, e.slug as environment, f.path from folders f join environments e on e.id = f.environment_id
   where f.organization_id = $1 and f.project_id = $2 and not f.is_reserved order by e.position, e.slug, f.path`,
);
const SECRETS = statement(
  'plan.secrets',
  `select s.id, s.folder_id as "folderId", s.key as name,
     case when s.tag_ids = '{}' then null else array(select t.slug from tags t where t.id = any(s.tag_ids)) end as tags
   from secrets s where s.organization_id = $1 and s.folder_id = any($2::uuid[]) and s.user_id is null and s.id > $3
   order by s.id limit $4`,
);

interface SecretRow {
  id: string;
  folderId: string;
  name: string;
  tags: string[] | null;
}

const FIRST = '00000000-0000-0000-0000-000000000000';
const CHUNK = 5_000;
/** The maximum number of stored secrets. */
const MAX_KEPT = 200_000;
const NO_TAGS: string[] = [];

/** The real folders and secrets of a project. */
export class Things {
  readonly environments: readonly string[];
  readonly folders: readonly Folder[];
  readonly #ctx: Context;
  readonly #organizationId: string;
  readonly #secrets = new Map<string, SecretThing[]>();
  #kept = 0;

  private constructor(ctx: Context, organizationId: string, folders: readonly Folder[]) {
    this.#ctx = ctx;
    this.#organizationId = organizationId;
    this.folders = folders;
    this.environments = [...new Set(folders.map(({ environment }) => environment))];
  }

  static async of(ctx: Context, organizationId: string, projectId: string | null): Promise<Things> {
    const folders = projectId === null ? [] : await ctx.sql<Folder>(FOLDERS, [organizationId, projectId]);
    return new Things(ctx, organizationId, folders);
  }

  /** The secrets of some folders, by the id of the folder. */
  async *secretsIn(folders: readonly Folder[]): AsyncGenerator<readonly [folder: Folder, secrets: SecretThing[]]> {
    for (const some of portionsOfRows(folders, CHUNK)) {
      const missing = some.filter(({ id }) => !this.#secrets.has(id));
      const loaded = await this.#load(missing.map(({ id }) => id));
      for (const folder of some) yield [folder, this.#secrets.get(folder.id) ?? loaded.get(folder.id) ?? []];
    }
  }

  async #load(folderIds: readonly string[]): Promise<Map<string, SecretThing[]>> {
    const loaded = new Map<string, SecretThing[]>(folderIds.map((id) => [id, []]));
    let count = 0;
    for (let after: string | undefined = FIRST; after !== undefined && folderIds.length > 0;) {
      const rows: SecretRow[] = await this.#ctx.sql<SecretRow>(SECRETS, [
        this.#organizationId,
        folderIds,
        after,
        CHUNK,
      ]);
      for (const { folderId, name, tags } of rows) loaded.get(folderId)!.push({ name, tags: tags ?? NO_TAGS });
      count += rows.length;
      after = rows.length < CHUNK ? undefined : rows.at(-1)!.id;
    }
    if (this.#kept + count <= MAX_KEPT) {
      this.#kept += count;
      for (const [id, secrets] of loaded) this.#secrets.set(id, secrets);
    }
    return loaded;
  }
}
