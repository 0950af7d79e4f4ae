import { abilityIn, authorize, denied, findInTurns, organizationOf, authorizeAnywhere } from '../../access/index.ts';
import { badRequest, notFound, statement, type Context, type Transaction } from '../../kernel/index.ts';
import {
  childPath,
  createFolder,
  folderByPath,
  folderPermissions,
  foldersBelow,
  folderVisibility,
  isAtOrBelow,
  lockTree,
  parentPath,
  requireVisible,
  toFolder,
  type Folder,
  type FoundFolder,
  type LockedEnvironment,
  type TransferFolders,
} from '../folder/index.ts';
import {
  createFurtherImport,
  createSecretImport,
  deleteSecretImport,
  importPermissions,
  lockImports,
} from '../import/index.ts';
import { lockNames } from '../meaning/index.ts';
import { changingSecrets, duplicateSecrets, moveSecrets } from '../secret/index.ts';
import { removeFolder } from './remove.ts';

/** Each folder takes some statements. */
const MAX_FOLDERS = 500;

/** A copy leaves what it copies. */
type Kind = 'copy' | 'move';

/**
 * Copies folders with all folders, shared secrets and imports below them into another folder of the project: all or none.
 * Each element is copied by the operation for it alone, with its checks, policies and events. Folders that exist there keep
 * what they have. Dynamic secrets, rotations and syncs are not copied.
 *
 * @throws DomainError 403 for a folder that the caller does not see, and what these operations throw; 404 for a missing
 * folder; 400 for existing names unless `shouldOverwrite`, and for a folder that would go into itself.
 */
export const copyFolders = (ctx: Context, input: TransferFolders): Promise<Folder[]> => transfer(ctx, input, 'copy');

/**
 * The same for moves: secrets keep their history, and references to them follow. Imports of a moved folder by others do not
 * follow: they lead to the former path.
 *
 * @throws DomainError also 403 without the right to delete each of the folders and secrets; 400
 * `folder.holds_more` if one of them holds dynamic secrets or rotations, or is the source of a sync.
 */
export const relocateFolders = (ctx: Context, input: TransferFolders): Promise<Folder[]> =>
  transfer(ctx, input, 'move');

function transfer(ctx: Context, input: TransferFolders, kind: Kind): Promise<Folder[]> {
  const work = async (tx: Transaction) => {
    const { projectId, sourceEnvironment, sourceSecretPath, destinationEnvironment, destinationSecretPath } = input;
    const from = { projectId, environment: sourceEnvironment, secretPath: sourceSecretPath };
    const to = { projectId, environment: destinationEnvironment, secretPath: destinationSecretPath };
    // Before a lock of the project, for which others would wait; each folder is checked under it.
    await authorizeAnywhere(tx, folderPermissions.create, to);
    if (kind === 'move') await authorizeAnywhere(tx, folderPermissions.delete, from);
    const [source, destination] = await lockBoth(tx, input);
    await authorize(tx, folderPermissions.create, placeIn(destination, destinationSecretPath));
    const moved: Folder[] = [];
    for (const name of new Set(input.folderNames)) {
      const step = { from: childPath(sourceSecretPath, name), to: childPath(destinationSecretPath, name) };
      await new Step(tx, kind, input, { source, destination, ...step }).run();
      moved.push(toFolder((await folderByPath(tx, destination, step.to))!));
    }
    return moved;
  };
  return changingSecrets(ctx, input.projectId, work, { takesNames: input.shouldOverwrite });
}

const placeIn = ({ projectId, slug: environment }: LockedEnvironment, secretPath: string) => ({
  projectId,
  environment,
  secretPath,
});

/** Takes the locks in the order that `lockNames` describes. */
async function lockBoth(
  tx: Transaction,
  { projectId, sourceEnvironment, destinationEnvironment }: TransferFolders,
): Promise<[LockedEnvironment, LockedEnvironment]> {
  await lockNames(tx, 'exclusive', { projectId });
  await lockImports(tx, { projectId });
  const trees = new Map<string, LockedEnvironment>();
  for (const environment of [sourceEnvironment, destinationEnvironment].toSorted())
    trees.set(
      environment,
      await lockTree(tx, 'exclusive', { organizationId: organizationOf(tx), projectId, environment }),
    );
  return [trees.get(sourceEnvironment)!, trees.get(destinationEnvironment)!];
}

const SECRETS = statement(
  'tree.transfer_secrets',
  'select s.id, s.folder_id as "folderId" from secrets s where s.folder_id = any($1::uuid[]) and s.user_id is null order by s.key',
);
const IMPORTS = statement(
  'tree.transfer_imports',
  `select i.id, i.folder_id as "folderId", e.slug as environment, i.import_path as path, i.is_replication as "isReplication"
   from secret_imports i join environments e on e.id = i.import_environment_id
   where i.folder_id = any($1::uuid[]) and not i.is_reserved order by i.position`,
);
const HOLDS_MORE = statement(
  'tree.holds_more',
  `select 1 where exists (select from dynamic_secrets where folder_id = any($1::uuid[]))
     or exists (select from secret_rotations where folder_id = any($1::uuid[]))
     or exists (select from secret_syncs where folder_id = any($1::uuid[]))`,
);

interface ImportRow {
  id: string;
  folderId: string;
  environment: string;
  path: string;
  isReplication: boolean;
}

interface Route {
  readonly source: LockedEnvironment;
  readonly destination: LockedEnvironment;
  /** The path of the folder there, and here. */
  readonly from: string;
  readonly to: string;
}

/** One folder with all below it; its trees are locked. */
class Step {
  readonly #tx: Transaction;
  readonly #kind: Kind;
  readonly #input: TransferFolders;
  readonly #route: Route;

  constructor(tx: Transaction, kind: Kind, input: TransferFolders, route: Route) {
    this.#tx = tx;
    this.#kind = kind;
    this.#input = input;
    this.#route = route;
  }

  async run(): Promise<void> {
    const folders = await this.#folders();
    await this.#requireWhole(folders);
    for (const { path } of folders) await this.#make(path);
    await this.#transferSecrets(folders);
    await this.#transferImports(folders);
    if (this.#kind === 'move') await removeFolder(this.#tx, this.#route.source, folders[0]!);
  }

  /** The folder and all below it, the topmost first: the caller sees each, and for a move may delete each. */
  async #folders(): Promise<FoundFolder[]> {
    const tx = this.#tx;
    const { source, destination, from, to } = this.#route;
    const ability = await abilityIn(tx, source.projectId);
    requireVisible(ability, placeIn(source, from));
    const mayDelete = (path: string) => authorize(tx, folderPermissions.delete, placeIn(source, parentPath(path)));
    if (this.#kind === 'move') await mayDelete(from);
    const folders = await foldersBelow(tx, { environmentId: source.id, path: from });
    if (folders.length === 0) throw notFound('folder', { environment: source.slug, path: from });
    if (source.id === destination.id && isAtOrBelow(to, from))
      throw badRequest(
        'folder.into_itself',
        `${from} cannot go to ${to}: choose a folder that is not in it, or another environment`,
      );
    if (folders.length > MAX_FOLDERS)
      throw badRequest(
        'folder.too_many_below',
        `${from} has more than ${MAX_FOLDERS} folders: take those below it one by one`,
      );
    const sees = folderVisibility(ability);
    const hidden = await findInTurns(folders, ({ path }) => !sees(placeIn(source, path)));
    if (hidden) throw denied(ability, folderPermissions.read);
    if (this.#kind === 'move') for (const { path } of folders) await mayDelete(path);
    return folders;
  }

  /** @throws DomainError 400 if a move would leave something behind. */
  async #requireWhole(folders: readonly FoundFolder[]): Promise<void> {
    if (this.#kind === 'copy') return;
    const more = await this.#tx.sql(HOLDS_MORE, [folders.map(({ id }) => id)]);
    if (more.length > 0)
      throw badRequest(
        'folder.holds_more',
        `${this.#route.from} or a folder below it holds dynamic secrets or secret rotations, or is the source of a sync, which cannot be moved: rename it, or delete these first`,
      );
  }

  /** Where something in the folder is afterwards. */
  #after(path: string): string {
    return this.#route.to + path.slice(this.#route.from.length);
  }

  /** Creates the folder at the destination, unless it is there. */
  async #make(path: string): Promise<void> {
    const { source, destination } = this.#route;
    const to = this.#after(path);
    if (await folderByPath(this.#tx, destination, to)) return;
    const { description } = (await folderByPath(this.#tx, source, path))!;
    await createFolder(this.#tx, {
      ...{ projectId: destination.projectId, environment: destination.slug },
      ...{ path: parentPath(to), name: to.slice(to.lastIndexOf('/') + 1), description },
    });
  }

  async #transferSecrets(folders: readonly FoundFolder[]): Promise<void> {
    const rows = await this.#tx.sql<{ id: string; folderId: string }>(SECRETS, [folders.map(({ id }) => id)]);
    const byFolder = Map.groupBy(rows, ({ folderId }) => folderId);
    const work = this.#kind === 'move' ? moveSecrets : duplicateSecrets;
    const { projectId, sourceEnvironment, destinationEnvironment, shouldOverwrite } = this.#input;
    for (const { id, path } of folders) {
      const secretIds = byFolder.get(id)?.map((row) => row.id);
      if (secretIds)
        await work(this.#tx, {
          ...{ projectId, sourceEnvironment, sourceSecretPath: path, secretIds, shouldOverwrite },
          ...{ destinationEnvironment, destinationSecretPath: this.#after(path) },
        });
    }
  }

  /** Imports keep their sources; in a move those that move with them are named by their new paths. */
  async #transferImports(folders: readonly FoundFolder[]): Promise<void> {
    const tx = this.#tx;
    const { source, destination, from } = this.#route;
    const { projectId } = source;
    const byFolder = await this.#importsOf(folders.map(({ id }) => id));
    for (const { id, path } of folders) {
      const imports = byFolder.get(id) ?? [];
      if (imports.length === 0) continue;
      await authorize(tx, importPermissions.read, placeIn(source, path));
      const there = await folderByPath(tx, destination, this.#after(path));
      const known = new Set((await this.#importsOf([there!.id])).get(there!.id)?.map(nameOf));
      for (const one of imports) {
        const isMoved = this.#kind === 'move' && one.environment === source.slug && isAtOrBelow(one.path, from);
        const wanted = isMoved
          ? { environment: destination.slug, path: this.#after(one.path) }
          : { environment: one.environment, path: one.path };
        if (this.#kind === 'move')
          await deleteSecretImport(tx, { projectId, environment: source.slug, path, secretImportId: one.id });
        if (known.has(nameOf(wanted))) continue;
        await (known.size > 0 ? createSecretImport : createFurtherImport)(tx, {
          ...{ projectId, environment: destination.slug, path: this.#after(path) },
          ...{ import: wanted, isReplication: one.isReplication },
        });
      }
    }
  }

  async #importsOf(folderIds: readonly string[]): Promise<Map<string, ImportRow[]>> {
    return Map.groupBy(await this.#tx.sql<ImportRow>(IMPORTS, [folderIds]), ({ folderId }) => folderId);
  }
}

const nameOf = ({ environment, path }: { readonly environment: string; readonly path: string }): string =>
  `${environment}:${path}`;
