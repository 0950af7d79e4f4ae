import { z } from 'zod';
import { commaSeparated, Id, Instant, page, text, Uuid } from '../../kernel/schema.ts';
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
});

/** The secrets of one folder in several environments, by key. */
export const Overview = z.object({
  environments: z
    .array(z.object({ id: Uuid, slug: z.string(), name: z.string(), position: z.int().describe('Starts at 1') }))
    .describe('In order'),
  folders: z
    .array(z.object({ name: z.string(), environments: z.array(z.string()).describe('Slugs of where it exists') }))
    .describe('The folders in this one, by name: all of them on each page'),
  secrets: z
    .array(z.object({ secretKey: z.string(), environments: z.array(SecretInEnvironment) }))
    .describe('A page of the keys, in order'),
  totalCount: z.int().describe('Number of keys on all pages'),
});
export type Overview = z.output<typeof Overview>;
