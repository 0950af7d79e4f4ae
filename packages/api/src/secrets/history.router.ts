import {
  changes,
  Commit,
  commitPermissions,
  CommitWithChanges,
  Compare,
  compareTrees,
  Differences,
  getCommit,
  ListCommits,
  listCommits,
  ReadCommit,
  readTree,
  ReadTree,
  Restore,
  Restored,
  Tree,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';
import { changing, orApproval } from './change.ts';

const { read, 'perform-rollback': rollBack } = commitPermissions;
const project = '/api/v1/projects/{projectId}';

/** Commits of folders; trees as they were, compared and restored. */
export const historyRouter = router({
  commits: procedure
    .meta(rest('GET', `${project}/commits`, read, 'List the commits to a folder, newest first'))
    .input(ListCommits)
    .output(z.object({ commits: z.array(Commit), totalCount: z.int() }))
    .query(({ ctx, input }) => listCommits(ctx, input)),

  commit: procedure
    .meta(rest('GET', `${project}/commits/{commitId}`, read, 'Read a commit with its changes'))
    .input(ReadCommit)
    .output(z.object({ commit: CommitWithChanges }))
    .query(async ({ ctx, input }) => ({ commit: await getCommit(ctx, input) })),

  tree: procedure
    .meta(rest('GET', `${project}/history/tree`, read, 'Read a folder or the whole project at a point in time'))
    .input(ReadTree)
    .output(z.object({ tree: Tree }))
    .query(async ({ ctx, input }) => ({ tree: await readTree(ctx, input) })),

  compare: procedure
    .meta(rest('GET', `${project}/history/compare`, read, 'Compare two points in time'))
    .input(Compare)
    .output(z.object({ fromRevision: z.int(), toRevision: z.int(), changes: Differences }))
    .query(({ ctx, input }) => compareTrees(ctx, input)),

  restore: procedure
    .meta(rest('POST', `${project}/history/restore`, rollBack, 'Restore a folder with all levels below it'))
    .input(Restore)
    .output(orApproval(z.object({ restored: Restored })))
    .mutation(({ ctx, input }) => changing(ctx, changes.restoreTree, input, (restored) => ({ restored }))),
});
