import { randomBytes } from 'node:crypto';
import { newId, notFound, statement, type Transaction } from '../../kernel/index.ts';
import {
  authorizeWithin,
  childPath,
  createAgain,
  folderPermissions,
  type LockedEnvironment,
  nameOf,
  parentPath,
  type FolderState,
  presentFolders,
  withAllBelow,
} from '../folder/index.ts';
import { requireNoGainByReturn } from '../secret/index.ts';
import { removeFolder } from './remove.ts';
import { changeFolder } from './update.ts';

/** An existing folder. */
export interface Standing {
  readonly id: string;
  readonly path: string;
}

export interface RestoredFolders {
  /** The existing folders, by their former IDs. */
  readonly standing: ReadonlyMap<string, Standing>;
  /** The additional folders that stay, since rotations are in or below them. */
  readonly kept: readonly string[];
  /** The folders that are not recreated, since one that keeps its present name has theirs: the paths that they would have, by their former IDs. */
  readonly unplaced: ReadonlyMap<string, string>;
  readonly changes: number;
  /** Whether a folder got another path: references from and to its contents are then recorded again. */
  readonly isRenamed: boolean;
}

const ROTATING = statement(
  'folder.with_rotations',
  'select distinct folder_id as id from secret_rotations where folder_id = any($1::uuid[])',
);

/** Some folders and all above them. */
function withParents(present: readonly FolderState[], some: readonly { id: string }[]): ReadonlySet<string> {
  const parents = new Map(present.map(({ id, parentId }) => [id, parentId]));
  const all = new Set<string>();
  for (const { id } of some)
    for (let one: string | null = id; one !== null && !all.has(one); one = parents.get(one) ?? null) all.add(one);
  return all;
}

interface States {
  readonly present: readonly FolderState[];
  readonly wanted: readonly FolderState[];
  /** The present folders in or below which rotations are. */
  readonly rotating: ReadonlySet<string>;
}

/**
 * Restores the folders at and below a path: `wanted`, the topmost of which is at this path whatever its name was.
 * Additional ones are deleted with their contents, unless they have rotations, changed ones get their names and
 * descriptions back, and deleted ones are recreated, with their IDs if these are free. A folder keeps its present name where
 * one that stays has its former one; a deleted one whose name that is remains deleted. The tree is locked. Each step needs its own permission.
 *
 * @throws DomainError 403, or 404 if the parent of a folder does not exist any more.
 */
export async function restoreFolders(
  tx: Transaction,
  tree: LockedEnvironment,
  path: string,
  wanted: readonly FolderState[],
): Promise<RestoredFolders> {
  const present = await presentFolders(tx, tree.id);
  const rotating = await tx.sql<{ id: string }>(ROTATING, [present.map(({ id }) => id)]);
  const restoration = new Restoration(tx, tree, { present, wanted, rotating: withParents(present, rotating) });
  await restoration.restore(path, wanted[0]!);
  return restoration;
}

class Restoration implements RestoredFolders {
  readonly standing = new Map<string, Standing>();
  readonly kept: string[] = [];
  readonly unplaced = new Map<string, string>();
  changes = 0;
  isRenamed = false;
  readonly #tx: Transaction;
  readonly #tree: LockedEnvironment;
  readonly #taken: ReadonlySet<string>;
  readonly #rotating: ReadonlySet<string>;
  /** The restored folders, whose secrets are restored afterwards. */
  #within: ReadonlySet<string> = new Set();
  readonly #present: readonly FolderState[];
  /** By parent folder. */
  readonly #presentIn: ReadonlyMap<string | null, readonly FolderState[]>;
  readonly #wantedIn: ReadonlyMap<string | null, readonly FolderState[]>;

  constructor(tx: Transaction, tree: LockedEnvironment, { present, wanted, rotating }: States) {
    this.#tx = tx;
    this.#tree = tree;
    this.#present = present;
    this.#rotating = rotating;
    this.#taken = new Set(present.map((folder) => folder.id));
    this.#presentIn = Map.groupBy(present, (folder) => folder.parentId);
    this.#wantedIn = Map.groupBy(wanted, (folder) => folder.parentId);
  }

  async restore(path: string, top: FolderState): Promise<void> {
    const there = this.#present.find((folder) => folder.path === path);
    if (there) {
      this.#within = new Set(withAllBelow(this.#present, path).map((folder) => folder.id));
      const name = there.name;
      await this.#change(there, { path, name, description: there.parentId === null ? null : top.description });
      return this.#descend(top, { id: there.id, path });
    }
    const parent = this.#present.find((folder) => folder.path === parentPath(path));
    if (!parent) throw notFound('folder', { environment: this.#tree.slug, path: parentPath(path) });
    await this.#create(parent, { ...top, name: nameOf(path) });
  }

  /** The children of an existing folder; `parent` has its current path. */
  async #descend(past: FolderState, parent: Standing): Promise<void> {
    this.standing.set(past.id, parent);
    const wanted = this.#wantedIn.get(past.id) ?? [];
    const present = this.#presentIn.get(parent.id) ?? [];
    const successorOf = matched(wanted, present);
    const matches = new Set([...successorOf.values()].map((folder) => folder.id));
    const additional = present.filter((one) => !matches.has(one.id));
    for (const folder of additional) await this.#remove(parent, folder);
    const staying = additional.filter(({ id }) => this.#rotating.has(id));
    const nameOfEach = namesBeside(staying, successorOf);
    await this.#rename(parent, successorOf, nameOfEach);
    const taken = new Set(nameOfEach.values());
    for (const folder of wanted) {
      const there = successorOf.get(folder);
      if (!there && taken.has(folder.name)) this.#leaveOut(folder, childPath(parent.path, folder.name));
      else if (there)
        await this.#descend(folder, { id: there.id, path: childPath(parent.path, nameOfEach.get(folder)!) });
      else await this.#create(parent, folder);
    }
  }

  /** Restores the names and descriptions of folders; if two have swapped their names, one gets a temporary name. */
  async #rename(
    parent: Standing,
    successorOf: ReadonlyMap<FolderState, FolderState>,
    nameOfEach: ReadonlyMap<FolderState, string>,
  ): Promise<void> {
    const names = new Map([...successorOf.values()].map((folder) => [folder.id, folder.name]));
    const holders = new Map([...names].map(([id, name]) => [name, id]));
    const give = async (folder: FolderState, name: string, description: string | null) => {
      const present = { ...folder, name: names.get(folder.id)! };
      await this.#change(present, { path: childPath(parent.path, present.name), name, description });
      holders.delete(present.name);
      holders.set(name, folder.id);
      names.set(folder.id, name);
    };
    let waiting = [...successorOf];
    while (waiting.length > 0) {
      const blocked: typeof waiting = [];
      for (const [wanted, folder] of waiting) {
        const name = nameOfEach.get(wanted)!;
        const isFree = (holders.get(name) ?? folder.id) === folder.id;
        if (isFree) await give(folder, name, wanted.description);
        else blocked.push([wanted, folder]);
      }
      if (blocked.length === waiting.length) {
        const [, folder] = blocked[0]!;
        await give(folder, `${folder.name.slice(0, 200)}-${randomBytes(8).toString('hex')}`, folder.description);
      }
      waiting = blocked;
    }
  }

  async #change(
    folder: FolderState,
    { path, name, description }: { path: string; name: string; description: string | null },
  ): Promise<void> {
    if (folder.name === name && folder.description === description) return;
    this.changes++;
    this.isRenamed ||= folder.name !== name;
    await this.#may(folderPermissions.edit, parentPath(path));
    await changeFolder(this.#tx, this.#tree, folder.id, { name, description }, this.#within);
  }

  async #remove(parent: Standing, { id, name }: FolderState): Promise<void> {
    const folder = { id, path: childPath(parent.path, name) };
    if (this.#rotating.has(id)) {
      this.kept.push(id);
      for (const below of this.#presentIn.get(id) ?? []) await this.#remove(folder, below);
      return;
    }
    this.changes++;
    await this.#may(folderPermissions.delete, parent.path);
    await removeFolder(this.#tx, this.#tree, folder);
  }

  async #create(parent: Standing, folder: FolderState): Promise<void> {
    this.changes++;
    await this.#may(folderPermissions.create, parent.path);
    const id = this.#taken.has(folder.id) ? newId() : folder.id;
    const path = childPath(parent.path, folder.name);
    const { projectId, slug: environment } = this.#tree;
    if (id === folder.id)
      await requireNoGainByReturn(this.#tx, projectId, { id, to: { environment, secretPath: path } });
    await createAgain(this.#tx, this.#tree, parent, { id, path, description: folder.description });
    await this.#descend(folder, { id, path });
  }

  #leaveOut(folder: FolderState, path: string): void {
    this.unplaced.set(folder.id, path);
    for (const below of this.#wantedIn.get(folder.id) ?? []) this.#leaveOut(below, childPath(path, below.name));
  }

  #may(permission: (typeof folderPermissions)[keyof typeof folderPermissions], secretPath: string): Promise<void> {
    const { projectId, slug: environment } = this.#tree;
    return authorizeWithin(this.#tx, permission, { projectId, environment, secretPath });
  }
}

/** Matches existing folders with the wanted ones: by ID, or by name if the ID does not exist. */
function matched(wanted: readonly FolderState[], present: readonly FolderState[]): Map<FolderState, FolderState> {
  const byId = new Map(present.map((folder) => [folder.id, folder]));
  const same = new Map(wanted.flatMap((folder) => (byId.has(folder.id) ? [[folder, byId.get(folder.id)!]] : [])));
  const used = new Set([...same.values()].map((folder) => folder.id));
  const byName = new Map(present.flatMap((folder) => (used.has(folder.id) ? [] : [[folder.name, folder]])));
  for (const folder of wanted) {
    const namesake = byName.get(folder.name);
    if (!same.has(folder) && namesake) same.set(folder, namesake);
  }
  return same;
}

/** The names that existing folders get: the wanted ones, or their present ones where a folder that stays has the wanted one. */
function namesBeside(
  staying: readonly FolderState[],
  successorOf: ReadonlyMap<FolderState, FolderState>,
): ReadonlyMap<FolderState, string> {
  const names = new Map(Array.from(successorOf.keys(), (wanted) => [wanted, wanted.name]));
  const wantedBy = new Map(Array.from(successorOf.keys(), (wanted) => [wanted.name, wanted]));
  const taken = staying.map(({ name }) => name);
  // Grows: a folder that keeps its present name takes it.
  for (const name of taken) {
    const wanted = wantedBy.get(name);
    if (!wanted) continue;
    const present = successorOf.get(wanted)!.name;
    names.set(wanted, present);
    taken.push(present);
  }
  return names;
}
