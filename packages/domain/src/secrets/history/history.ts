import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { count, defineEvent, flag, Id, instant, Instant, MAX_COUNT, page, text, Uuid } from '../../kernel/schema.ts';
import { SecretActor } from '../commit/secret-actor.ts';
import { EnvironmentSlug, folderPath } from '../folder/folder.ts';
import { Secret, ValuesOfFolders } from '../secret/secret.ts';

export const commitPermissions = projectPermissions('commits');

/** A time, or a revision of the project; the present where neither is named. */
export const Moment = {
  at: instant().optional().describe('The state at this time'),
  revision: count(0, MAX_COUNT).optional().describe('The state at this revision, instead of a time'),
};
export type Moment = z.output<z.ZodObject<typeof Moment>>;

const Place = { projectId: Id, environment: EnvironmentSlug, secretPath: folderPath() };

const WholeProject = EnvironmentSlug.optional().describe('Default: the whole project');

export const ListCommits = z.object({
  ...Place,
  recursive: flag().default(false).describe('Includes commits to folders that are or were below it'),
  ...page({ limit: 20 }).shape,
});
export type ListCommits = z.output<typeof ListCommits>;

const viewSecretValue = flag().default(true);

export const ReadCommit = z.object({ projectId: Id, commitId: Id, viewSecretValue });
export type ReadCommit = z.output<typeof ReadCommit>;

export const Commit = z.object({
  id: Uuid,
  projectId: Uuid,
  revision: z.int().describe('Increases with each change of the project; not every number has a commit'),
  message: z.string().nullable(),
  actor: SecretActor,
  createdAt: Instant,
});
export type Commit = z.output<typeof Commit>;

const PastSecret = Secret.pick({
  secretKey: true,
  secretPath: true,
  version: true,
  secretValue: true,
  secretValueHidden: true,
  secretComment: true,
  secretMetadata: true,
  skipMultilineEncoding: true,
  secretReminderNote: true,
  secretReminderRepeatDays: true,
}).extend({ tags: z.array(z.string()).describe('Slugs') });
export type PastSecret = z.output<typeof PastSecret>;

const PastFolder = z.object({ path: z.string(), description: z.string().nullable() });

const side = { change: z.enum(['added', 'changed', 'removed']), environment: z.string() };

/** The difference of one secret; a missing side is `null`. */
export const SecretDifference = z.object({
  ...side,
  secretId: Uuid,
  fields: z.array(z.string()).describe('The fields that differ, for items on both sides'),
  before: PastSecret.nullable(),
  after: PastSecret.nullable(),
});
export type SecretDifference = z.output<typeof SecretDifference>;

export const FolderDifference = z.object({
  ...side,
  folderId: Uuid,
  before: PastFolder.nullable(),
  after: PastFolder.nullable(),
});
export type FolderDifference = z.output<typeof FolderDifference>;

export const Differences = z.object({
  folders: z.array(FolderDifference),
  secrets: z.array(SecretDifference),
  hiddenCount: z.int().describe('Number of differences that the caller may not see'),
});
export type Differences = z.output<typeof Differences>;

export const CommitWithChanges = Commit.extend({ changes: Differences });
export type CommitWithChanges = z.output<typeof CommitWithChanges>;

export const ReadTree = z.object({
  ...Place,
  environment: WholeProject,
  viewSecretValue,
  ...Moment,
});
export type ReadTree = z.output<typeof ReadTree>;

/** Shared secrets and folders as they were: without imports and personal values, and nothing resolved. */
export const Tree = z.object({
  revision: z.int(),
  environments: z.array(
    z.object({
      id: Uuid,
      slug: z.string(),
      folders: z.array(PastFolder.extend({ id: Uuid, name: z.string() })),
      secrets: z.array(Secret),
    }),
  ),
});
export type Tree = z.output<typeof Tree>;

export const Compare = z.object({
  ...Place,
  environment: WholeProject,
  from: instant().optional(),
  fromRevision: Moment.revision,
  to: instant().optional(),
  toRevision: Moment.revision,
  viewSecretValue,
});
export type Compare = z.output<typeof Compare>;

export const Restore = z.object({
  ...Place,
  environment: WholeProject,
  ...Moment,
  message: text(1000).optional(),
});
export type Restore = z.output<typeof Restore>;

export const Restored = z.object({
  revision: z.int().describe('The revision that was restored'),
  commitId: z.string().nullable().describe('null if nothing has changed'),
  secrets: z
    .array(z.object({ secretId: Uuid, secretKey: z.string(), change: z.enum(['added', 'changed', 'removed']) }))
    .describe('Those that the caller may see'),
  leftOut: z
    .array(
      z.object({
        secretId: Uuid,
        secretKey: z.string(),
        environment: z.string(),
        secretPath: z.string(),
        reason: z
          .enum(['secret.rotated', 'secret_rotation.takes_name', 'folder.name_taken'])
          .describe(
            'A secret rotation manages the secret, or takes the name that it would get; or the name of its folder is taken by one that keeps its present name',
          ),
      }),
    )
    .describe('Secrets that differ and are left as they are, as far as the caller may see them'),
  folders: z.int().describe('Number of folders that were created, changed or deleted'),
});
export type Restored = z.output<typeof Restored>;

export const ListSnapshots = z.object({ projectId: Id, environment: EnvironmentSlug, path: folderPath() });
export type ListSnapshots = z.output<typeof ListSnapshots>;

/** The state of a folder after a commit, for legacy clients. */
export const Snapshot = z.object({
  id: Uuid,
  envId: Uuid,
  folderId: Uuid,
  parentFolderId: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Snapshot = z.output<typeof Snapshot>;

export const SnapshotWithContent = Snapshot.extend({
  projectId: Uuid,
  environment: z.object({ id: Uuid, name: z.string(), slug: z.string() }),
  secretVersions: z.array(Secret.extend({ secretId: Uuid })),
  folderVersion: z.array(z.object({ id: Uuid, name: z.string() })),
});
export type SnapshotWithContent = z.output<typeof SnapshotWithContent>;

const place = { environment: z.string().nullable(), secretPath: z.string() };
export const commitsRead = defineEvent('commits.read', 'get-project-pit-commits', z.object(place));
export const commitRead = defineEvent(
  'commit.read',
  'get-project-pit-commit-changes',
  z.object({ commitId: z.string(), revision: z.int(), ...ValuesOfFolders }),
);
export const treeRead = defineEvent(
  'tree.read',
  'get-project-pit-tree',
  z.object({ ...place, revision: z.int(), numberOfSecrets: z.int(), ...ValuesOfFolders }),
);
export const treesCompared = defineEvent(
  'tree.compared',
  'pit-compare-folder-states',
  z.object({ ...place, fromRevision: z.int(), toRevision: z.int(), ...ValuesOfFolders }),
);
export const snapshotsRead = defineEvent('snapshots.read', 'get-secret-snapshots', z.object(place));
export const snapshotRead = defineEvent(
  'snapshot.read',
  'get-secret-snapshot',
  z.object({ ...place, snapshotId: z.string(), revision: z.int(), numberOfValues: z.int() }),
);
const TreeRestored = z.object({
  ...place,
  revision: z.int(),
  /** The first ones; */
  secrets: z.array(z.object({ secretId: z.string(), secretKey: z.string(), change: z.string() })),
  /** of so many in all. */
  secretCount: z.int(),
  folders: z.int(),
});
export type TreeRestored = z.output<typeof TreeRestored>;
export const treeRestored = defineEvent('tree.restored', 'pit-rollback-commit', TreeRestored);
