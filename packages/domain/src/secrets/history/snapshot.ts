import { abilityIn, filterInTurns, organizationOf, unlessHidden } from '../../access/index.ts';
import {
  at,
  eventOf,
  inTransaction,
  isId,
  mapInTurns,
  notFound,
  statement,
  type Context,
  readInRoom,
  type AnswerRoom,
} from '../../kernel/index.ts';
import { foldersAt, requireVisible } from '../folder/index.ts';
import { secretsAt } from '../secret/index.ts';
import {
  snapshotRead,
  snapshotsRead,
  type ListSnapshots,
  type Restored,
  type Snapshot,
  type SnapshotWithContent,
} from './history.ts';
import { authorizeHistory } from './permission.ts';
import { placesOf } from './read.ts';
import { restoreIn } from './restore.ts';
import { visibilityOf } from './visibility.ts';

interface SnapshotRow {
  id: string;
  envId: string;
  folderId: string;
  parentFolderId: string | null;
  createdAt: string;
  revision: string;
  projectId: string;
  environment: { id: string; name: string; slug: string };
  path: string;
}

/** A snapshot is a folder as a commit left it. */
const COLUMNS = `c.id, f.environment_id as "envId", f.id as "folderId", f.parent_id as "parentFolderId",
  w.created_at as "createdAt", c.revision::text as revision, f.project_id as "projectId", f.path,
  json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as environment
  from commit_folders c join commits w on w.id = c.commit_id join folders f on f.id = c.folder_id
  join environments e on e.id = f.environment_id`;
const LIST = statement(
  'snapshots.list',
  `select ${COLUMNS} where c.folder_id = $1 order by c.revision desc limit $2 offset $3`,
);
const COUNT = statement(
  'snapshots.count',
  'select count(*)::integer as count from commit_folders where folder_id = $1',
);
const BY_ID = statement('snapshots.by_id', `select ${COLUMNS} where f.organization_id = $1 and c.id = $2`);

const toSnapshot = ({ id, envId, folderId, parentFolderId, createdAt }: SnapshotRow): Snapshot => ({
  id,
  envId,
  folderId,
  parentFolderId,
  createdAt: at(createdAt),
  updatedAt: at(createdAt),
});

async function folderIdOf(ctx: Context, { projectId, environment, path }: ListSnapshots): Promise<string> {
  await authorizeHistory(ctx, 'read', 'snapshots', projectId);
  requireVisible(await abilityIn(ctx, projectId), { environment, secretPath: path });
  const [place] = await placesOf(ctx, { projectId, environment, secretPath: path });
  if (!place?.folderId) throw notFound('folder', { environment, path });
  return place.folderId;
}

/** The snapshots of a folder, newest first: one for each commit with a change in it. */
export async function listSnapshots(
  ctx: Context,
  input: ListSnapshots & { offset: number; limit: number },
): Promise<Snapshot[]> {
  const rows = await ctx.sql<SnapshotRow>(LIST, [await folderIdOf(ctx, input), input.limit, input.offset]);
  const { projectId, environment, path: secretPath } = input;
  await ctx.commitRead(eventOf(snapshotsRead, { environment, secretPath }, { projectId }), ctx);
  return rows.map(toSnapshot);
}

export async function countSnapshots(ctx: Context, input: ListSnapshots): Promise<number> {
  return (await ctx.sql<{ count: number }>(COUNT, [await folderIdOf(ctx, input)]))[0]!.count;
}

/** The snapshot with an ID; 404 also if the caller is not a member of its project, 403 if it may not see the folder. */
async function findSnapshot(ctx: Context, id: string, action: 'read' | 'restore'): Promise<SnapshotRow> {
  const [row] = isId(id) ? await ctx.sql<SnapshotRow>(BY_ID, [organizationOf(ctx), id]) : [];
  if (!row) throw notFound('snapshot');
  const { projectId, environment, path } = row;
  await unlessHidden('snapshot', authorizeHistory(ctx, action, 'snapshots', projectId));
  requireVisible(await abilityIn(ctx, projectId), { environment: environment.slug, secretPath: path });
  return row;
}

/** The contents of a snapshot's folder, without its subfolders' contents. */
export function getSnapshot(
  ctx: Context,
  { secretSnapshotId }: { secretSnapshotId: string },
): Promise<SnapshotWithContent> {
  return readInRoom(ctx, (room) => getSnapshotIn(ctx, secretSnapshotId, room));
}

async function getSnapshotIn(ctx: Context, secretSnapshotId: string, room: AnswerRoom): Promise<SnapshotWithContent> {
  const row = await findSnapshot(ctx, secretSnapshotId, 'read');
  const { projectId, environment, folderId } = row;
  const scope = { organizationId: organizationOf(ctx), projectId };
  const revision = Number(row.revision);
  const folders = await foldersAt(ctx, environment.id, revision);
  const place = { environment: environment.slug, folders: folders.filter((folder) => folder.id === folderId) };
  const own = await secretsAt(ctx, scope, place, { revision });
  const ability = await abilityIn(ctx, projectId);
  const keys = await ctx.keys.project(scope.organizationId, projectId);
  const within = folders.filter((folder) => folder.parentId === folderId);
  const visibility = await visibilityOf(ctx, scope, ability, keys, { environment, folders: within, secrets: own });
  const seen = await filterInTurns(own, visibility.sees);
  const shown = await visibility.show(seen, room);
  const numberOfValues = shown.filter(({ secretValueHidden }) => !secretValueHidden).length;
  const data = { environment: environment.slug, secretPath: row.path, snapshotId: row.id, revision, numberOfValues };
  await ctx.commitRead(eventOf(snapshotRead, data, { projectId }), ctx);
  return {
    ...toSnapshot(row),
    projectId,
    environment,
    secretVersions: await mapInTurns(seen.keys(), 1, (index) => ({
      ...shown[index]!,
      id: seen[index]!.versionId,
      secretId: seen[index]!.id,
    })),
    folderVersion: within.filter(visibility.seesFolder).map(({ id, name }) => ({ id, name })),
  };
}

/** Restores the folder of a snapshot with its subtree; see `restoreTree`. */
export async function rollBackToSnapshot(
  ctx: Context,
  { secretSnapshotId }: { secretSnapshotId: string },
): Promise<{ snapshot: Snapshot; restored: Restored }> {
  const row = await findSnapshot(ctx, secretSnapshotId, 'restore');
  const { projectId, environment, path: secretPath } = row;
  const restored = await inTransaction(ctx, (tx) =>
    restoreIn(tx, { projectId, environment: environment.slug, secretPath, revision: Number(row.revision) }),
  );
  return { snapshot: toSnapshot(row), restored };
}
