import { z } from 'zod';
import { Id, text, Uuid } from '../../kernel/schema.ts';
import { EnvironmentSlug, folderPath } from '../folder/folder.ts';
import { NamedSecret, NewSecret, SecretChange } from '../secret/secret.ts';

const OfVersion = {
  expectedVersion: z
    .int()
    .min(1)
    .optional()
    .describe('The version on which the change is based: 409 if the secret has another one now'),
};
const ChangeOfVersion = SecretChange.omit({ secretPath: true }).extend(OfVersion);
const DeletionOfVersion = NamedSecret.extend(OfVersion);

/** The changes in one folder. */
const FolderChanges = z.object({
  environment: EnvironmentSlug,
  secretPath: folderPath(),
  create: z.array(NewSecret).default([]),
  update: z.array(ChangeOfVersion).default([]),
  delete: z.array(DeletionOfVersion).default([]),
});
export type FolderChanges = z.output<typeof FolderChanges>;

/** The maximum number of folders in one call: each takes some statements. */
const MAX_FOLDERS = 100;

const EXAMPLE = [
  {
    environment: 'dev',
    secretPath: '/',
    create: [{ secretKey: 'DB_URL', secretValue: 'postgres://localhost/shop' }],
  },
];

export const ChangeSecrets = z.object({
  projectId: Id,
  message: text(1000).trim().optional().describe('Message of the commit'),
  changes: z
    .array(FolderChanges)
    .min(1)
    .max(MAX_FOLDERS)
    .meta({
      description: 'Each folder once. Deletions are made first, then updates, then creations',
      override: { examples: [EXAMPLE] },
    }),
});
export type ChangeSecrets = z.output<typeof ChangeSecrets>;

/** What a batch has done to one secret. */
const ChangedSecret = z.object({
  op: z.enum(['create', 'update', 'delete']),
  environment: z.string(),
  secretPath: z.string(),
  secretKey: z.string().describe('After the change'),
  type: z.string(),
  id: Uuid,
  version: z.int().describe('After the change; the last one of a deleted secret'),
});
export type ChangedSecret = z.output<typeof ChangedSecret>;
export const ChangedSecrets = z.object({ secrets: z.array(ChangedSecret) });
