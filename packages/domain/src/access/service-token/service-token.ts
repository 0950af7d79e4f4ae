import { z } from 'zod';
import { count, Id, Instant, text, Timestamps, UserNames, Uuid } from '../../kernel/schema.ts';
import { projectPermissions } from '../catalogue.ts';
import { isGlob, MAX_CONDITION_TEXT } from '../condition.ts';
import { isPlainPath } from '../service-rules.ts';
import { TokenScope } from '../service-token-events.ts';
import { sizeOfGlob } from '../template.ts';

/** How service tokens begin: `st.<id>.<secret>`. */
export const SERVICE_TOKEN = 'st.';

export const serviceTokenPermissions = projectPermissions('service-tokens');

const TEN_YEARS = 315_360_000;
/** Default lifetime of a token: 90 days, in seconds. */
export const DEFAULT_LIFETIME = 90 * 24 * 3600;

/** One slash at the end of a path is ignored, as in the paths of folders. */
const ScopePath = z
  .string()
  .transform((given) => given.trim().replace(/(?<=[^/])\/$/, ''))
  .pipe(
    z
      .string()
      .max(MAX_CONDITION_TEXT, { abort: true })
      .refine(
        (path) => path.startsWith('/') && !path.includes('{{') && isGlob(path),
        'Expected a folder path or a glob such as /app/**; it must begin with /',
      ),
  )
  .meta({ override: { type: 'string', maxLength: MAX_CONDITION_TEXT }, examples: ['/app/**'] });

/** The maximum size of all globs in the scopes of a token: others who rename something test all of them. */
const MAX_GLOBS = 1_500;

const hasFewGlobs = (scopes: readonly { secretPath: string }[]): boolean =>
  scopes.reduce((sum, { secretPath }) => sum + (isPlainPath(secretPath) ? 0 : sizeOfGlob(secretPath)), 0) <= MAX_GLOBS;

/** A token as the administrators of its project see it. */
export const ServiceToken = z.object({
  id: Uuid,
  name: z.string(),
  scopes: z.array(TokenScope),
  permissions: z.array(z.string()),
  lastUsed: Instant.nullable(),
  expiresAt: Instant.nullable(),
  createdBy: z.string().describe('ID of the user'),
  creator: z
    .object({
      id: Uuid,
      ...UserNames.shape,
    })
    .nullable()
    .describe('The user who created it; null if the account was deleted, and the token is invalid'),
  projectId: Uuid,
  ...Timestamps.shape,
});
export type ServiceToken = z.output<typeof ServiceToken>;

/** A token as it sees itself. */
export const OwnServiceToken = ServiceToken.extend({
  _id: z.string().describe('The same as `id`'),
  __v: z.int(),
  workspace: z.string().describe('The ID of the project'),
  secretHash: z.string().describe('Always empty: the server does not reveal the hash'),
  encryptedKey: z.string().nullable(),
  iv: z.string().nullable(),
  tag: z.string().nullable(),
  user: z
    .object({
      id: Uuid,
      _id: z.string().describe('The same as `id`'),
      __v: z.int(),
      ...UserNames.shape,
      authMethods: z.array(z.string()),
      mfaMethods: z.array(z.string()).nullable(),
      devices: z.unknown().nullable(),
      ...Timestamps.shape,
    })
    .nullable()
    .describe('The user who created it; null if the account was deleted'),
});
export type OwnServiceToken = z.output<typeof OwnServiceToken>;

const Kept = text(10_000).optional().describe('Stored and returned unchanged; the server does not use it');

export const CreateServiceToken = z.object({
  name: text(255).trim().min(1),
  workspaceId: Id.describe('The ID of the project'),
  scopes: z
    .array(
      z.object({ environment: text(255).trim().min(1).describe('The slug of an environment'), secretPath: ScopePath }),
    )
    .min(1)
    .max(100)
    .refine(
      hasFewGlobs,
      `The globs of all scopes together can have at most ${MAX_GLOBS} characters with their alternatives expanded; a slash counts as two`,
    ),
  permissions: z.array(z.enum(['read', 'write', 'readValue'])).max(3),
  expiresIn: count(0, TEN_YEARS)
    .nullish()
    .describe(
      'In seconds. Default, also for null: 90 days. 0: the token never expires; this needs the permission `create-without-expiry` on `service-tokens`',
    ),
  encryptedKey: Kept,
  iv: Kept,
  tag: Kept,
});
export type CreateServiceToken = z.output<typeof CreateServiceToken>;

export const CreatedServiceToken = z.object({
  serviceToken: z.string().describe('Returned once. Send it as `Authorization: Bearer`'),
  serviceTokenData: ServiceToken,
});
export type CreatedServiceToken = z.output<typeof CreatedServiceToken>;
