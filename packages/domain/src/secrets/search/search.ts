import { z } from 'zod';
import { count, defineEvent, Id, text, Uuid } from '../../kernel/schema.ts';

export const SearchSecrets = z.object({
  projectId: Id,
  search: text(255).trim().min(1).describe('A part of the name, in upper or lower case'),
  limit: count(1, 100).default(20).describe('Maximum number of secrets'),
});
export type SearchSecrets = z.output<typeof SearchSecrets>;

export const FoundSecret = z.object({
  id: Uuid,
  secretKey: z.string(),
  environment: z.string().describe('Slug of the environment'),
  secretPath: z.string(),
});
export type FoundSecret = z.output<typeof FoundSecret>;

export const SearchEverywhere = SearchSecrets.omit({ projectId: true }).extend({
  limit: count(1, 100).default(20).describe('Maximum number of secrets and folders together'),
  firstProjectId: Id.optional().describe('The project whose matches come first'),
});
export type SearchEverywhere = z.output<typeof SearchEverywhere>;

/** What a project has with a part of a name. */
export const FoundInProject = z.object({
  projectId: Uuid,
  projectName: z.string(),
  secrets: z.array(FoundSecret),
  folders: z.array(
    z.object({ path: z.string(), environments: z.array(z.string()).describe('Slugs of where it exists') }),
  ),
});
export type FoundInProject = z.output<typeof FoundInProject>;

/** Without what was searched for: a value may have been pasted there. */
export const secretsSearched = defineEvent(
  'secrets.searched',
  'search-secrets',
  z.object({ numberOfSecrets: z.int() }),
);
