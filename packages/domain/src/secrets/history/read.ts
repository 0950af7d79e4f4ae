import { abilityIn, authorize, eachInTurns, filterInTurns, organizationOf } from '../../access/index.ts';
import { eventOf, type Ability, type Context, type KeySet } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { findFolder, type PastFolder } from '../folder/index.ts';
import { differingFields, pairs, secretPlace, type PastSecretRow, type Secret } from '../secret/index.ts';
import { folderDifference, folderPlace, isFolderChanged, secretDifference } from './difference.ts';
import {
  commitPermissions,
  treeRead,
  treesCompared,
  type Compare,
  type Differences,
  type ReadTree,
  type Tree,
} from './history.ts';
import { revisionAt } from './moment.ts';
import { pastOf, type Past, type PastPlace } from './past.ts';
import { environmentsOf } from './places.ts';
import { visibilityOf, type Visibility } from './visibility.ts';

/** What every question about the past begins with. */
export interface Asked {
  readonly scope: Scope;
  readonly ability: Ability;
  readonly keys: KeySet;
}

export async function ask(ctx: Context, projectId: string): Promise<Asked> {
  await authorize(ctx, commitPermissions.read, { projectId });
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
export async function readTree(ctx: Context, input: ReadTree): Promise<Tree> {
  const { scope, ability, keys } = await ask(ctx, input.projectId);
  const revision = await revisionAt(ctx, input.projectId, input);
  const tree: Tree = { revision, environments: [] };
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
      secrets: await shownInTurns(past.secrets, visibility, input.viewSecretValue),
    });
  }
  const numberOfSecrets = tree.environments.reduce((sum, one) => sum + one.secrets.length, 0);
  const { projectId, environment = null, secretPath } = input;
  await ctx.commitRead(eventOf(treeRead, { environment, secretPath, revision, numberOfSecrets }, { projectId }), ctx);
  return tree;
}

async function shownInTurns(
  rows: readonly PastSecretRow[],
  { sees, show }: Visibility,
  withValue: boolean,
): Promise<Secret[]> {
  const shown: Secret[] = [];
  await eachInTurns(rows, (row) => {
    if (sees(row)) shown.push(show(row, withValue));
  });
  return shown;
}

/** The difference between two moments of a folder and its subtree, or of that folder in every environment. */
export async function compareTrees(
  ctx: Context,
  input: Compare,
): Promise<{ fromRevision: number; toRevision: number; changes: Differences }> {
  const asked = await ask(ctx, input.projectId);
  const { projectId, environment = null, secretPath } = input;
  const fromRevision = await revisionAt(ctx, projectId, { at: input.from, revision: input.fromRevision });
  const toRevision = await revisionAt(ctx, projectId, { at: input.to, revision: input.toRevision });
  const changes: Differences = { folders: [], secrets: [], hiddenCount: 0 };
  for (const place of await placesOf(ctx, input)) {
    const before = await pastOf(ctx, asked.scope, place, fromRevision);
    const after = await pastOf(ctx, asked.scope, place, toRevision);
    const found = await differences(ctx, asked, before, after, after.folders[0]);
    changes.folders.push(...found.folders);
    changes.secrets.push(...found.secrets);
    changes.hiddenCount += found.hiddenCount;
  }
  const event = eventOf(treesCompared, { environment, secretPath, fromRevision, toRevision }, { projectId });
  await ctx.commitRead(event, ctx);
  return { fromRevision, toRevision, changes };
}

/**
 * The difference between two states of one environment, as far as the caller may see it. `top`: the requested folder,
 * if any.
 */
export async function differences(
  ctx: Context,
  { scope, ability, keys }: Asked,
  before: Past,
  after: Past,
  top?: PastFolder,
): Promise<Differences> {
  const environment = before.environment.slug;
  const visibility = await visibilityOf(ctx, scope, ability, keys, {
    environment: before.environment,
    folders: [...before.folders, ...after.folders],
    secrets: [...before.secrets, ...after.secrets],
  });
  const all = pairs(before.folders, after.folders, folderPlace);
  const folders = all.filter((pair) => isFolderChanged(pair, top));
  // A folder that was recreated with its name is the same location.
  const successorOf = new Map(all.map((pair) => [pair.before?.id, pair.after?.id]));
  const was = before.secrets.map((row) => ({ ...row, folderId: successorOf.get(row.folderId) ?? row.folderId }));
  const secrets = pairs(was, after.secrets, secretPlace).flatMap((pair) => {
    const fields = pair.before && pair.after ? differingFields(keys, pair.before, pair.after) : [];
    return pair.before && pair.after && fields.length === 0 ? [] : { pair, fields };
  });
  const shownFolders = await filterInTurns(folders, (pair) =>
    [pair.before, pair.after].every((folder) => !folder || visibility.seesFolder(folder)),
  );
  const shownSecrets = await filterInTurns(secrets, ({ pair }) =>
    [pair.before, pair.after].every((row) => !row || visibility.sees(row)),
  );
  return {
    folders: shownFolders.map((pair) => folderDifference(environment, pair)),
    secrets: shownSecrets.map(({ pair, fields }) => secretDifference(environment, pair, fields, visibility.show)),
    hiddenCount: folders.length - shownFolders.length + secrets.length - shownSecrets.length,
  };
}
