import {
  changes,
  countSnapshots,
  getSnapshot,
  Id,
  ListSnapshots,
  listSnapshots,
  page,
  rollbackPermissions,
  Snapshot,
  SnapshotWithContent,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';
import { changing, orApproval } from './change.ts';

const { read, create } = rollbackPermissions;
const SnapshotRef = z.object({ secretSnapshotId: Id });
const OfWorkspace = ListSnapshots.omit({ projectId: true }).extend({ workspaceId: Id });

/** The history of a folder as older clients know it. */
export const snapshotLegacyRouter = router({
  list: procedure
    .meta(
      rest('GET', '/api/v1/projects/{projectId}/secret-snapshots', read, 'List the snapshots of a folder', {
        aliases: ['/api/v1/workspace/{projectId}/secret-snapshots'],
      }),
    )
    .input(ListSnapshots.extend(page({ limit: 20 }).shape))
    .output(z.object({ secretSnapshots: z.array(Snapshot) }))
    .query(async ({ ctx, input }) => ({ secretSnapshots: await listSnapshots(ctx, input) })),

  count: procedure
    .meta(
      rest('GET', '/api/v1/workspace/{workspaceId}/secret-snapshots/count', read, 'Count the snapshots of a folder'),
    )
    .input(OfWorkspace)
    .output(z.object({ count: z.int() }))
    .query(async ({ ctx, input: { workspaceId, ...input } }) => ({
      count: await countSnapshots(ctx, { projectId: workspaceId, ...input }),
    })),

  get: procedure
    .meta(rest('GET', '/api/v1/secret-snapshot/{secretSnapshotId}', read, 'Read a snapshot'))
    .input(SnapshotRef)
    .output(z.object({ secretSnapshot: SnapshotWithContent }))
    .query(async ({ ctx, input }) => ({ secretSnapshot: await getSnapshot(ctx, input) })),

  rollBack: procedure
    .meta(
      rest('POST', '/api/v1/secret-snapshot/{secretSnapshotId}/rollback', create, 'Restore a folder from a snapshot'),
    )
    .input(SnapshotRef)
    .output(orApproval(z.object({ secretSnapshot: Snapshot })))
    .mutation(({ ctx, input }) =>
      changing(ctx, changes.rollBackToSnapshot, input, ({ snapshot: secretSnapshot }) => ({ secretSnapshot })),
    ),
});
