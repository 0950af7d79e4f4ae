import { z } from 'zod';
import { commaSeparated, flag, Id, Instant, page, text, Uuid } from '../../kernel/schema.ts';
import { folderPath } from '../folder/folder.ts';
import { Secret } from '../secret/secret.ts';

export const ReadOverview = z.object({
  projectId: Id,
  secretPath: folderPath(),
  environments: commaSeparated().optional().describe('Comma-separated slugs; default: all environments of the project'),
  search: text(255).optional().describe('A part of the name of secrets and folders, in upper or lower case'),
  tagSlugs: commaSeparated()
    .optional()
    .describe('Comma-separated slugs: keys whose secret has any of these tags in at least one environment'),
  keys: commaSeparated().optional().describe('Comma-separated names of secrets: only these'),
  includeImports: flag()
    .default(false)
    .describe('Include the keys that the folder imports. Not with `tagSlugs`, which filter its own secrets'),
  ...page({ limit: 100, maxLimit: 500 }).shape,
});
export type ReadOverview = z.output<typeof ReadOverview>;

/** A secret in one environment, without its value. */
const SecretInEnvironment = z.object({
  environment: z.string().describe('Slug of the environment'),
  id: Uuid,
  version: z.int(),
  secretValueHidden: z.boolean().describe('Whether the caller may not read the value'),
  hasPersonalValue: z.boolean().describe('Whether the caller overrides the value by a personal one'),
  hasComment: z.boolean(),
  ...Secret.pick({ tags: true, isRotatedSecret: true, rotationId: true }).shape,
  updatedAt: Instant,
  mayEdit: z.boolean().describe('Whether the caller may edit it'),
  mayDelete: z.boolean().describe('Whether the caller may delete it'),
});

/** A secret that the folder of an environment does not have itself, and imports. */
const ImportedInEnvironment = z.object({
  environment: z.string().describe('Slug of the environment into which it is imported'),
  from: z
    .object({ environment: z.string(), secretPath: z.string() })
    .describe('What is imported; the secret may be there by a further import'),
  secretValueHidden: z.boolean().describe('Whether the caller may not read the value'),
});

/** What the caller may do in the folder, as far as it does not depend on a single secret. */
const RightsInFolder = z.object({
  createSecrets: z.boolean().describe('The folder exists, and the caller may create secrets with some names'),
  createFolders: z.boolean(),
  editFolders: z.boolean().describe('To rename the folders in it'),
  deleteFolders: z.boolean().describe('To delete the folders in it'),
});

/** The secrets of one folder in several environments, by key. */
export const Overview = z.object({
  environments: z
    .array(
      z.object({
        id: Uuid,
        slug: z.string(),
        name: z.string(),
        position: z.int().describe('Starts at 1'),
        may: RightsInFolder,
      }),
    )
    .describe('In order'),
  folders: z
    .array(z.object({ name: z.string(), environments: z.array(z.string()).describe('Slugs of where it exists') }))
    .describe('The folders in this one, by name: all of them on each page'),
  secrets: z
    .array(
      z.object({
        secretKey: z.string(),
        environments: z.array(SecretInEnvironment),
        imported: z
          .array(ImportedInEnvironment)
          .describe('With `includeImports`; where it is in `environments`, that one counts'),
        mayCreateIn: z.array(z.string()).describe('Slugs of the environments in which the caller may create it'),
      }),
    )
    .describe('A page of the keys, in order'),
  totalCount: z.int().describe('Number of keys on all pages'),
});
export type Overview = z.output<typeof Overview>;
