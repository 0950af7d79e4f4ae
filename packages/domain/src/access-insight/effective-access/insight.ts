import { z } from 'zod';
import { PublishedRule } from '../../access/rule.ts';
import { count, defineEvent, Id, Instant, Uuid } from '../../kernel/schema.ts';
import { EnvironmentSlug, FolderPath, folderPath } from '../../secrets/folder/folder.ts';
import { SecretName } from '../../secrets/secret/secret.ts';

/** An actor that can hold permissions. */
export const SeenActor = z.object({
  type: z.enum(['user', 'identity', 'service']).describe('A user, a machine identity or a service token'),
  id: Uuid,
  name: z.string(),
  username: z.string().nullable().describe('Of a user'),
});
export type SeenActor = z.output<typeof SeenActor>;

/** The source of a right. */
export const SeenGrant = z.object({
  kind: z.enum(['role', 'privilege', 'service-token']).describe('A service token holds its own rights'),
  id: Uuid.describe('ID of the role assignment, the privilege or the service token'),
  slug: z.string().describe('Name of the role, the privilege or the service token'),
  isByGroup: z.boolean(),
  group: z
    .object({ id: Uuid, name: z.string(), slug: z.string() })
    .nullable()
    .describe('The group that holds the grant; only for callers who may read groups'),
  startsAt: Instant.nullable().describe('null if there is no start'),
  endsAt: Instant.nullable().describe('null if there is no end'),
});
export type SeenGrant = z.output<typeof SeenGrant>;

const rule = PublishedRule.nullable().describe('null if the caller may not read roles');

/** One rule that matches a resource. */
const Word = z.object({ grant: SeenGrant, rule, allows: z.boolean() });

/** What an actor may and may not do to one resource, and why. */
export const SeenDecision = z.object({
  subject: z.string(),
  action: z.string(),
  isAllowed: z.boolean().nullable().describe('null if it depends on the name or the tags of the secret'),
  decidedBy: Word.nullable().describe('The last rule that matches the resource; null if there is none'),
  overridden: z.array(Word).describe('Earlier rules that also match, the latest first'),
});
export type SeenDecision = z.output<typeof SeenDecision>;

const place = {
  environment: EnvironmentSlug,
  secretPath: folderPath(),
  secretName: SecretName.optional().describe('Default: the folder itself'),
};

export const AccessQuery = z.object({
  projectId: Id,
  ...place,
  action: z.string().max(64).optional().describe('Only actors that may do this action, for example `readValue`'),
  offset: count(0, 1_000_000).default(0).describe('Number of items to skip'),
  limit: count(1, 1000).default(100).describe('Maximum number of items'),
});
export type AccessQuery = z.output<typeof AccessQuery>;

/** The actors who may access a secret or folder, and by which grant. */
export const AccessReport = z.object({
  environment: z.string(),
  secretPath: z.string(),
  secretName: z.string().nullable(),
  secretTags: z.array(z.string()).nullable(),
  actors: z
    .array(z.object({ actor: SeenActor, actions: z.array(SeenDecision) }))
    .describe('Every actor that a rule allows, by name; actors without any allowing rule are omitted'),
  totalCount: z.int().describe('Number of actors that the caller may see'),
  hiddenCount: z.int().describe('Number of actors that the caller may not see'),
});
export type AccessReport = z.output<typeof AccessReport>;

export const ActorAccessQuery = z.object({
  environment: EnvironmentSlug.optional().describe('Also returns what the actor may do at this path'),
  secretPath: FolderPath.optional(),
  secretName: place.secretName,
});
export type ActorAccessQuery = z.output<typeof ActorAccessQuery>;

const ActorGrant = SeenGrant.extend({
  state: z.enum(['active', 'upcoming', 'over']),
  rules: z.array(PublishedRule).nullable().describe('null if the caller may not read roles'),
});

/** The effective permissions of an actor in a project or an organization. */
export const ActorAccess = z.object({
  actor: SeenActor,
  grants: z.array(ActorGrant).describe('In order of precedence; later ones override earlier ones'),
  rules: z
    .array(z.object({ grant: z.int().describe('Index in `grants`, from 0'), rule, allows: z.boolean() }))
    .describe('The rules in force, in order; the last rule that matches decides'),
  table: z
    .array(
      z.object({
        subject: z.string(),
        action: z.string(),
        access: z.enum(['always', 'sometimes', 'never']),
        rules: z
          .array(z.int())
          .describe('Indexes in `rules` of the rules that may decide; the first one that matches decides'),
        conditions: z.array(z.string()).describe('The fields that conditions of rules on this subject can name'),
      }),
    )
    .describe('Every subject and action'),
  decisions: z.array(SeenDecision).nullable().describe('At the requested path'),
  changesAt: Instant.nullable().describe('When a grant begins or ends next'),
});
export type ActorAccess = z.output<typeof ActorAccess>;

export const accessViewed = defineEvent(
  'access.viewed',
  'view-access',
  z.object({
    actorId: z.string().nullable(),
    environment: z.string().nullable(),
    secretPath: z.string().nullable(),
    secretName: z.string().nullable(),
  }),
);
