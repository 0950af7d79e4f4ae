import { abilityIn, filterInTurns, organizationOf } from '../../access/index.ts';
import {
  eventOf,
  mapInTurns,
  type Ability,
  type Context,
  type KeySet,
  readInRoom,
  type AnswerRoom,
} from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { findFolder, type PastFolder } from '../folder/index.ts';
import {
  ComparedValues,
  differing,
  isOtherVersion,
  pairs,
  secretPlace,
  type Pair,
  type PastSecretRow,
  valuesRead,
} from '../secret/index.ts';
import { folderDifference, folderPlace, isFolderChanged, secretDifference } from './difference.ts';
import { treeRead, treesCompared, type Compare, type Differences, type ReadTree, type Tree } from './history.ts';
import { revisionAt } from './moment.ts';
import { pastOf, type Past, type PastPlace } from './past.ts';
import { authorizeHistory } from './permission.ts';
import { environmentsOf } from './places.ts';
import { visibilityOf } from './visibility.ts';

/** What every question about the past begins with. */
export interface Asked {
  readonly scope: Scope;
  readonly ability: Ability;
  readonly keys: KeySet;
}

export async function ask(ctx: Context, projectId: string): Promise<Asked> {
  await authorizeHistory(ctx, 'read', 'commits', projectId);
  const scope = { organizationId: organizationOf(ctx), projectId };
  const ability = await abilityIn(ctx, projectId);
  return { scope, ability, keys: await ctx.keys.project(scope.organizationId, projectId) };
}

/** The places that a question is about, by the environment. */
export async function placesOf(
  ctx: Context,
  { projectId, environment, secretPath }: { projectId: string; environment?: string | undefined; secretPath: string },
): Promise<PastPlace[]> {
  const environments = await environmentsOf(ctx, { projectId, environment });
  const places: PastPlace[] = [];
  for (const one of environments) {
    const folder = await findFolder(ctx, { projectId, environment: one.slug, path: secretPath });
    places.push({ environment: one, path: secretPath, folderId: folder?.id });
  }
  return places;
}

/**
 * A folder with its subtree at a moment, or the same folder of every environment, as far as the caller may see it now
 * and then. Values are those of that time; references are not resolved.
 */
export function readTree(ctx: Context, input: ReadTree): Promise<Tree> {
  return readInRoom(ctx, (room) => readTreeIn(ctx, input, room));
}

async function readTreeIn(ctx: Context, input: ReadTree, answerRoom: AnswerRoom): Promise<Tree> {
  const { scope, ability, keys } = await ask(ctx, input.projectId);
  const revision = await revisionAt(ctx, input.projectId, input);
  const tree: Tree = { revision, environments: [] };
  const room = input.viewSecretValue ? answerRoom : undefined;
  for (const place of await placesOf(ctx, input)) {
    const past = await pastOf(ctx, scope, place, revision);
    const visibility = await visibilityOf(ctx, scope, ability, keys, past);
    tree.environments.push({
      ...place.environment,
      folders: (await filterInTurns(past.folders, visibility.seesFolder)).map(({ id, name, path, description }) => ({
        id,
        name,
        path,
        description,
      })),
      secrets: await visibility.show(await filterInTurns(past.secrets, visibility.sees), room),
    });
  }
  const numberOfSecrets = tree.environments.reduce((sum, one) => sum + one.secrets.length, 0);
  const { projectId, environment = null, secretPath } = input;
  const read = valuesRead(tree.environments.flatMap(({ secrets }) => secrets));
  const data = { environment, secretPath, revision, numberOfSecrets, ...read };
  await ctx.commitRead(eventOf(treeRead, data, { projectId }), ctx);
  return tree;
}

interface ComparedTrees {
  readonly fromRevision: number;
  readonly toRevision: number;
  readonly changes: Differences;
}

/** The difference between two moments of a folder and its subtree, or of that folder in every environment. */
export function compareTrees(ctx: Context, input: Compare): Promise<ComparedTrees> {
  return readInRoom(ctx, (room) => compareTreesIn(ctx, input, input.viewSecretValue ? room : undefined));
}

async function compareTreesIn(ctx: Context, input: Compare, room: AnswerRoom | undefined): Promise<ComparedTrees> {
  const asked = await ask(ctx, input.projectId);
  const { projectId, environment = null, secretPath } = input;
  const fromRevision = await revisionAt(ctx, projectId, { at: input.from, revision: input.fromRevision });
  const toRevision = await revisionAt(ctx, projectId, { at: input.to, revision: input.toRevision });
  const comparison = new Comparison(room);
  const { changes } = comparison;
  for (const place of await placesOf(ctx, input)) {
    const before = await pastOf(ctx, asked.scope, place, fromRevision);
    const after = await pastOf(ctx, asked.scope, place, toRevision);
    await comparison.add(ctx, asked, before, after, after.folders[0]);
  }
  const data = { environment, secretPath, fromRevision, toRevision, ...comparison.read };
  await ctx.commitRead(eventOf(treesCompared, data, { projectId }), ctx);
  return { fromRevision, toRevision, changes };
}

/** The differences between states of environments, as far as the caller may see them. */
export class Comparison {
  readonly changes: Differences = { folders: [], secrets: [], hiddenCount: 0 };
  readonly #compared = new ComparedValues('compare folder by folder');
  readonly #room: AnswerRoom | undefined;

  /** Without a room the values are left out. */
  constructor(room: AnswerRoom | undefined) {
    this.#room = room;
  }

  /** For the event: of which folders it has values. */
  get read() {
    const sides = this.changes.secrets.flatMap(({ environment, before, after }) =>
      [before, after].flatMap((side) => (side ? { ...side, environment } : [])),
    );
    return valuesRead(sides);
  }

  /**
   * Adds those between two states of one environment. `top`: the requested folder, if any.
   *
   * @throws DomainError 400 if the values that differ are too large, before they are read.
   */
  async add(ctx: Context, { scope, ability, keys }: Asked, before: Past, after: Past, top?: PastFolder): Promise<void> {
    const environment = before.environment.slug;
    const visibility = await visibilityOf(ctx, scope, ability, keys, {
      environment: before.environment,
      folders: [...before.folders, ...after.folders],
      secrets: [...before.secrets, ...after.secrets],
    });
    const all = await pairs(before.folders, after.folders, folderPlace);
    const folders = all.filter((pair) => isFolderChanged(pair, top));
    // A folder that was recreated with its name is the same location.
    const successorOf = new Map(all.map((pair) => [pair.before?.id, pair.after?.id]));
    const was = await mapInTurns(before.secrets, 1, (row) => ({
      ...row,
      folderId: successorOf.get(row.folderId) ?? row.folderId,
    }));
    const secrets = await this.#differing(ctx, scope, keys, await pairs(was, after.secrets, secretPlace));
    const shownFolders = await filterInTurns(folders, (pair) =>
      [pair.before, pair.after].every((folder) => !folder || visibility.seesFolder(folder)),
    );
    const shownSecrets = await filterInTurns(secrets, ({ pair }) =>
      [pair.before, pair.after].every((row) => !row || visibility.sees(row)),
    );
    const shown = await visibility.show(
      shownSecrets.flatMap(({ pair }) => [pair.before, pair.after].flatMap((row) => row ?? [])),
      this.#room,
    );
    const sides = shown.values();
    const next = (row: PastSecretRow | undefined) => row && sides.next().value;
    const { changes } = this;
    for (const pair of shownFolders) changes.folders.push(folderDifference(environment, pair));
    for (const { pair, fields } of shownSecrets) {
      const both = { before: next(pair.before), after: next(pair.after) };
      changes.secrets.push(secretDifference(environment, both, fields));
    }
    changes.hiddenCount += folders.length - shownFolders.length + secrets.length - shownSecrets.length;
  }

  /** The pairs that differ, with the names of their fields; values are read for versions that may, some at a time. */
  async #differing(
    ctx: Context,
    scope: Scope,
    keys: KeySet,
    all: readonly Pair<PastSecretRow>[],
  ): Promise<Differing[]> {
    const others = all.filter(isOtherVersion);
    for (const { before, after } of others) this.#compared.add(before.valueBytes + after.valueBytes);
    const fieldsOf = new Map<Pair<PastSecretRow>, string[]>();
    await differing(ctx, scope, keys, others, (pair, fields) => fieldsOf.set(pair, fields));
    return all.flatMap((pair) => {
      const fields = pair.before && pair.after ? fieldsOf.get(pair) : [];
      return fields ? [{ pair, fields }] : [];
    });
  }
}

interface Differing {
  readonly pair: Pair<PastSecretRow>;
  readonly fields: string[];
}
