import { abilityIn, filterInTurns, organizationOf } from '../../access/index.ts';
import {
  badRequest,
  conflict,
  portionsOf,
  SMALL_ANSWER,
  statement,
  WorkBudget,
  type Context,
  type Permission,
} from '../../kernel/index.ts';
import { fieldsOf, sharedColumns, valueUpTo, type ListedRow, type SecretRow } from './row.ts';
import { targetKey, type Origin, type Target } from './reference/reference.ts';
import type { SecretPlace } from './secret.ts';
import { readValues } from './values.ts';

/** How many imports of imports are followed. */
const MAX_IMPORT_DEPTH = 10;

interface ImportRow {
  folderId: string;
  /** It is in the folder where the search begins. */
  isOwn: boolean;
  /** Where the secrets are: of a replication, the folder of its copies. */
  sourceFolderId: string | null;
  environment: string;
  environmentId: string;
  environmentName: string;
  path: string;
  /** The folder at the path. */
  shownFolderId: string | null;
  isCopied: boolean;
}

/**
 * All imports that can be reached from a folder, in one query: the imports of each folder on the way, lowest position
 * first. The depth is bounded, and `union` ends cycles. A replication is represented by the row behind it, which leads
 * to the copies, with the location of the originals.
 */
const REACHABLE = statement(
  'secret_imports.reachable',
  `with recursive reach (folder_id, depth) as (
     select f.id, 0 from environments e join folders f on f.environment_id = e.id and f.path = $4 and not f.is_reserved
     where e.organization_id = $1 and e.project_id = $2 and e.slug = $3
     union
     select f.id, reach.depth + 1 from reach
     join secret_imports i on i.folder_id = reach.folder_id and i.replicated_by is null
     join folders f on f.environment_id = i.import_environment_id and f.path = i.import_path and f.is_reserved = i.is_reserved
     where reach.depth < ${MAX_IMPORT_DEPTH}
   )
   select i.folder_id as "folderId", reached.is_own as "isOwn", f.id as "sourceFolderId", e.slug as environment,
     e.id as "environmentId", e.name as "environmentName", coalesce(r.import_path, i.import_path) as path,
     o.id as "shownFolderId", i.is_reserved as "isCopied"
   from (select folder_id, bool_or(depth = 0) as is_own from reach group by folder_id) as reached
   join secret_imports i on i.folder_id = reached.folder_id and i.replicated_by is null
   left join secret_imports r on r.id = i.replicates
   join environments e on e.id = coalesce(r.import_environment_id, i.import_environment_id)
   left join folders f on f.environment_id = i.import_environment_id and f.path = i.import_path and f.is_reserved = i.is_reserved
   left join folders o on o.environment_id = e.id and o.path = coalesce(r.import_path, i.import_path) and not o.is_reserved
   order by i.folder_id, i.position`,
);

const FOLDER = statement(
  'secret_imports.folder',
  `select f.id, e.id as "environmentId" from environments e join folders f on f.environment_id = e.id and f.path = $4 and not f.is_reserved
   where e.organization_id = $1 and e.project_id = $2 and e.slug = $3`,
);

const SECRETS_OF = statement(
  'secret_imports.secrets',
  `select ${sharedColumns(valueUpTo(4))} from secrets s join folders f on f.id = s.folder_id join environments e on e.id = f.environment_id
   where s.organization_id = $1 and s.folder_id = any($2::uuid[]) and s.user_id is null
     and ($3::text[] is null or s.key = any($3::text[]))
   order by s.key`,
);

/**
 * Maximum number of imported secrets in one list, which may import one source many times: about the maximum size of a
 * response. Secrets that others of the same name override count, too, so that it is known before a list is built.
 */
const MAX_IMPORTED = 50_000;
const ANY_NUMBER = Number.MAX_SAFE_INTEGER;

interface ImportLimits {
  readonly names?: readonly string[] | null;
  readonly maxBytes: number;
  readonly maxRows?: number;
}

export interface Imported<Row = SecretRow> {
  readonly environment: string;
  readonly environmentInfo: { readonly id: string; readonly name: string; readonly slug: string };
  readonly secretPath: string;
  readonly folderId: string | null;
  readonly rows: Row[];
}

/**
 * The secrets of each import of a folder, in the order of its imports: the source's own secrets, and its imports for
 * names that it does not have itself (there the higher position wins). Secrets that the reader may not see are omitted,
 * also if they hide deeper ones. Where the values of all have more than `maxBytes`, they are absent.
 *
 * @throws DomainError 400 if there are too many for one list.
 */
export async function importedRows(
  ctx: Context,
  place: SecretPlace,
  isVisible: (row: ListedRow) => boolean,
  { names = null, maxBytes, maxRows = MAX_IMPORTED }: ImportLimits,
): Promise<Imported<ListedRow>[]> {
  const where = [organizationOf(ctx), place.projectId, place.environment, place.secretPath];
  const imports = await ctx.sql<ImportRow>(REACHABLE, where);
  const own = imports.filter(({ isOwn }) => isOwn);
  if (own.length === 0) return [];
  const rows = await filterInTurns(await secretsReached(ctx, imports, { names, maxBytes }), isVisible);
  const contents = new Contents(imports, rows, own[0]!.folderId);
  let count = 0;
  for (const { sourceFolderId: source } of own) {
    if (source !== null) count += await contents.sizeOf(source);
    if (count > maxRows)
      throw badRequest(
        'secret_import.too_many',
        `The imports of this folder contain more than ${maxRows} secrets: list the folders that it imports, or import fewer`,
      );
  }
  const imported: Imported<ListedRow>[] = [];
  for (const { sourceFolderId: source, ...one } of own)
    imported.push({
      environment: one.environment,
      environmentInfo: { id: one.environmentId, name: one.environmentName, slug: one.environment },
      secretPath: one.path,
      folderId: one.shownFolderId,
      rows: source === null ? [] : [...(await contents.of(source)).values()],
    });
  return imported;
}

/** The same for some names; with their values, if these are few or small. */
const importedSecrets = (
  ctx: Context,
  place: SecretPlace,
  isVisible: (row: ListedRow) => boolean,
  names: readonly string[],
): Promise<Imported<ListedRow>[]> =>
  importedRows(ctx, place, isVisible, { names, maxBytes: SMALL_ANSWER, maxRows: ANY_NUMBER });

interface Wanted {
  /** Folders besides the sources of the imports. */
  readonly more?: readonly string[];
  readonly names?: readonly string[] | null;
  readonly maxBytes: number;
}

/** The own secrets of all folders of some imports, and of more; copies know their originals. */
async function secretsReached(
  ctx: Context,
  imports: readonly ImportRow[],
  { more = [], names = null, maxBytes }: Wanted,
): Promise<ListedRow[]> {
  const sources = [...new Set([...imports.flatMap((one) => one.sourceFolderId ?? []), ...more])];
  const rows = await ctx.sql<ListedRow>(SECRETS_OF, [organizationOf(ctx), sources, names, maxBytes]);
  const copied = new Map(imports.filter((one) => one.isCopied).map((one) => [one.sourceFolderId, one]));
  if (copied.size === 0) return rows;
  return rows.map((row) => {
    const source = copied.get(row.folderId);
    return source ? { ...row, copyOf: { environment: source.environment, path: source.path } } : row;
  });
}

type Content = ReadonlyMap<string, ListedRow>;

/** The cost of a row in a map, as of `WorkBudget`. */
const ROW_COST = 0.2;

/** The visible secrets in each folder by name: its own secrets take precedence over imports. */
class Contents {
  readonly #ownOf: ReadonlyMap<string, readonly ListedRow[]>;
  readonly #highestFirst: ReadonlyMap<string, readonly ImportRow[]>;
  readonly #start: string | undefined;
  /** For each folder, the folders whose own secrets it contains, lowest precedence first. */
  readonly #partsOf = new Map<string, readonly string[]>();
  /** By these folders: several may import the same ones. */
  readonly #known = new Map<string, Content>();
  readonly #pace = new WorkBudget();

  /** `start`: the listed folder, whose own secrets are not part of its imports. */
  constructor(imports: readonly ImportRow[], rows: readonly ListedRow[], start?: string) {
    this.#ownOf = Map.groupBy(rows, (row) => row.folderId);
    this.#highestFirst = Map.groupBy(imports.toReversed(), (one) => one.folderId);
    this.#start = start;
  }

  /** Maximum number of secrets of a folder: also counts those that others of the same name override. */
  async sizeOf(folderId: string): Promise<number> {
    const parts = await this.#parts(folderId);
    return parts.reduce((sum, id) => sum + this.#ownOf.get(id)!.length, 0);
  }

  async of(folderId: string): Promise<Content> {
    const parts = await this.#parts(folderId);
    const known = this.#known.get(parts.join());
    if (known) return known;
    const content = new Map<string, ListedRow>();
    for (const id of parts)
      for (const row of this.#ownOf.get(id)!) {
        content.set(row.key, row);
        this.#pace.spend(ROW_COST);
        if (this.#pace.shouldYield) await this.#pace.rest();
      }
    this.#known.set(parts.join(), content);
    return content;
  }

  async #parts(folderId: string): Promise<readonly string[]> {
    let parts = this.#partsOf.get(folderId);
    if (!parts) {
      const order = new Set(this.#start === undefined ? [] : [this.#start]);
      precedence(folderId, this.#highestFirst, order);
      if (this.#start !== undefined) order.delete(this.#start);
      parts = [...order].toReversed().filter((id) => this.#ownOf.has(id));
      this.#partsOf.set(folderId, parts);
      await this.#pace.spendAndRest(order.size);
    }
    return parts;
  }
}

/**
 * Adds a folder and all that it imports, each once on any number of paths; the first wins. Writes reject cycles; if one
 * exists anyway, it ends where it would repeat.
 */
function precedence(
  folderId: string,
  highestFirst: ReadonlyMap<string, readonly ImportRow[]>,
  order: Set<string>,
): void {
  if (order.has(folderId)) return;
  order.add(folderId);
  for (const { sourceFolderId: source } of highestFirst.get(folderId) ?? [])
    if (source !== null) precedence(source, highestFirst, order);
}

/** Everything that an import of a folder contributes, without permission checks. */
export interface FolderContent {
  /** By name, as its readers would get it. */
  readonly secrets: ReadonlyMap<string, SecretRow>;
  /** The meaning of a name without a location in a secret of this folder. */
  meantIn(folderId: string): Promise<ReadonlyMap<string, SecretRow>>;
  /** A key of all inputs, as IDs and versions: if it is equal, so is the result. */
  readonly traits: readonly (readonly unknown[])[];
  /** The folders, this one first, whose secrets can be among them. */
  readonly places: readonly (Origin & { readonly environmentId: string })[];
  /** Whether the values of all inputs have more than `maxBytes`; they are absent then. */
  readonly isTooLarge: boolean;
}

/** What rules, names and places are enough for: see `contentOfFolder`. */
export const NO_VALUES = 0;

/** The contribution of an import of this folder; empty if the folder does not exist. */
export async function contentOfFolder(ctx: Context, place: SecretPlace, maxBytes: number): Promise<FolderContent> {
  const where = [organizationOf(ctx), place.projectId, place.environment, place.secretPath];
  const [folder] = await ctx.sql<{ id: string; environmentId: string }>(FOLDER, where);
  if (!folder)
    return { secrets: new Map(), meantIn: () => Promise.resolve(new Map()), places: [], traits: [], isTooLarge: false };
  const imports = await ctx.sql<ImportRow>(REACHABLE, where);
  const rows = await secretsReached(ctx, imports, { more: [folder.id], maxBytes });
  const contents = new Contents(imports, rows);
  const contentOf = (folderId: string) => contents.of(folderId) as Promise<ReadonlyMap<string, SecretRow>>;
  return {
    secrets: await contentOf(folder.id),
    meantIn: contentOf,
    isTooLarge: rows.some((row) => row.value === null),
    places: [
      { environment: place.environment, environmentId: folder.environmentId, path: place.secretPath },
      ...imports,
    ],
    traits: [
      imports.map((one) => [one.folderId, one.sourceFolderId, one.environment, one.path]),
      rows.map((row) => [row.id, row.version, row.environment, row.path, row.tags?.map((tag) => tag.id)]),
    ],
  };
}

/**
 * The secret of this name that a folder imports: of several, that of the highest position that the reader may do all this
 * to. However many there are, only its value is read, unless all are small.
 *
 * @throws DomainError 409 if it was changed meanwhile.
 */
export async function findImported(
  ctx: Context,
  place: SecretPlace,
  key: string,
  wanted: readonly Permission[],
): Promise<SecretRow | undefined> {
  const ability = await abilityIn(ctx, place.projectId);
  const imported = await importedSecrets(
    ctx,
    place,
    (row) => wanted.every((permission) => ability.can(permission, fieldsOf(row))),
    [key],
  );
  const found = imported.findLast((one) => one.rows.length > 0)?.rows[0];
  if (found && !(await readValues(ctx, [found]))) throw changedMeanwhile();
  return found as SecretRow | undefined;
}

const changedMeanwhile = () => conflict('secret.changed', 'The secret was changed while it was read: try again');

/** Upward from some folders: those that import them, directly or indirectly. */
const COPIED_FROM = statement(
  'secret_imports.copied_from',
  `with recursive up (ordinal, environment_id, path, is_copy) as (
     select w.ordinal::integer, e.id, w.path collate "C", false
     from unnest($3::text[], $4::text[]) with ordinality as w (environment, path, ordinal)
     join environments e on e.organization_id = $1 and e.project_id = $2 and e.slug = w.environment
     union
     select up.ordinal, f.environment_id, f.path, i.replicated_by is not null from up
     join secret_imports i on i.import_environment_id = up.environment_id and i.import_path = up.path and not i.is_reserved
     join folders f on f.id = i.folder_id
   ) select distinct up.ordinal, e.slug as environment, up.path
   from up join environments e on e.id = up.environment_id where up.is_copy`,
);

/**
 * The folders into which replications copy new contents of some locations, for each of these, as an actor that may read
 * it: a change there discloses it to their readers.
 */
export async function copiedFrom(ctx: Context, projectId: string, places: readonly Origin[]): Promise<Origin[][]> {
  const rows = await ctx.sql<Origin & { ordinal: number }>(COPIED_FROM, [
    organizationOf(ctx),
    projectId,
    places.map(({ environment }) => environment),
    places.map(({ path }) => path),
  ]);
  const byPlace = Map.groupBy(rows, (row) => row.ordinal);
  return places.map((_, index) => byPlace.get(index + 1) ?? []);
}

/** The places among some whose folders import anything. */
const IMPORTING = statement(
  'secret_imports.importing',
  `select w.environment, w.path from unnest($3::text[], $4::text[]) as w (environment, path)
   join environments e on e.organization_id = $1 and e.project_id = $2 and e.slug = w.environment
   join folders f on f.environment_id = e.id and f.path = w.path
   where exists (select 1 from secret_imports i where i.folder_id = f.id)`,
);

/**
 * The imported secrets for names that folders do not have themselves: of several imports, the highest wins. Where they
 * are large, some have no value: these are to be loaded separately, as `findSomeTargets` says.
 */
export async function importedTargets(
  ctx: Context,
  projectId: string,
  targets: readonly Target[],
  isVisible: (row: ListedRow) => boolean,
): Promise<Map<string, ListedRow>> {
  const found = new Map<string, ListedRow>();
  if (targets.length === 0) return found;
  const byPlace = Map.groupBy(targets, ({ environment, path }) => `${environment}:${path}`);
  const places = [...byPlace.values()].map(([first]) => first!);
  const importing = await ctx.sql<Origin>(IMPORTING, [
    organizationOf(ctx),
    projectId,
    places.map(({ environment }) => environment),
    places.map(({ path }) => path),
  ]);
  for (const { environment, path } of importing) {
    const names = byPlace.get(`${environment}:${path}`)!.map(({ key }) => key);
    const imported = await importedSecrets(ctx, { projectId, environment, secretPath: path }, isVisible, names);
    for (const { rows } of imported)
      for (const row of rows) found.set(targetKey({ environment, path, key: row.key }), row);
  }
  const absent = [...found.values()].filter((row) => row.value === null);
  const [first = []] = portionsOf(absent, (row) => row.valueBytes);
  await readValues(ctx, first);
  return found;
}
