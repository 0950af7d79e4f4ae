import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { choiceOf } from '../../family/define.ts';
import { MissingSetting } from '../../family/missing-setting.ts';
import { defineEvent, defineUpdate, flag, Instant, Metadata, parseDuration, text, Uuid } from '../../kernel/schema.ts';
import { EnvironmentSlug, folderPath } from '../folder/folder.ts';
import { providerInputs } from './inputs.ts';

export const dynamicSecretPermissions = projectPermissions('dynamic-secrets');

export const TEN_YEARS = parseDuration('10y')!;
const SECOND = 1000;

/** A TTL, such as `1h`: returned as given. */
export const ttl = (leastMs = SECOND) =>
  text(100)
    .refine(
      (given) => {
        const ms = parseDuration(given) ?? 0;
        return ms >= leastMs && ms <= TEN_YEARS;
      },
      `Expected a duration such as 30m, 8h or 2d, from ${leastMs === SECOND ? '1s' : '1m'} to 10y`,
    )
    .meta({ examples: ['1h'] });

/** Letters, digits and separators. */
const Name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/, 'Use letters and digits, separated by single - or _')
  .meta({ examples: ['reporting'] });

/** A name in a path; an invalid one is unknown (404). */
export const DynamicSecretName = z.string().trim().min(1);

export const DELETING = 'Deleting';
export const FAILED_TO_DELETE = 'Failed to delete';

/** A provider and its inputs, as callers choose it: `{type: 'totp', inputs: {…}}`. */
const ProviderChoice = choiceOf(providerInputs);

/** A dynamic secret, from which leases are created. */
export const DynamicSecret = z.object({
  id: Uuid,
  name: z.string(),
  version: z.int(),
  type: z.string().describe('The provider'),
  defaultTTL: z.string().describe('Default TTL of a lease, for leases that are created without `ttl`'),
  maxTTL: z.string().nullable().describe('Maximum TTL of a lease including renewals; null: no maximum'),
  folderId: Uuid,
  status: z.string().nullable().describe(`null, ${DELETING} or ${FAILED_TO_DELETE}`),
  statusDetails: z.string().nullable(),
  usernameTemplate: z.string().nullable(),
  projectGatewayId: z.null().describe('Gateways are not supported'),
  metadata: z.array(z.object({ key: z.string(), value: z.string() })),
  createdAt: Instant,
  updatedAt: Instant,
});
export type DynamicSecret = z.output<typeof DynamicSecret>;

export const DynamicSecretWithInputs = DynamicSecret.extend({
  inputs: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The configuration of the provider, without credentials; null for callers who may not read it'),
});
export type DynamicSecretWithInputs = z.output<typeof DynamicSecretWithInputs>;

/** A provider, as consoles offer it. */
export const DynamicSecretOption = z.object({
  name: z.string().describe('For people'),
  provider: z.string(),
  missingSetting: MissingSetting,
});
export type DynamicSecretOption = z.output<typeof DynamicSecretOption>;

/** The folder of dynamic secrets. */
export const DynamicSecretPlace = z.object({
  projectSlug: z.string().trim().min(1),
  environmentSlug: EnvironmentSlug,
  path: folderPath(),
});
export type DynamicSecretPlace = z.output<typeof DynamicSecretPlace>;

export const DynamicSecretRef = DynamicSecretPlace.extend({ name: DynamicSecretName });
export type DynamicSecretRef = z.output<typeof DynamicSecretRef>;

const usernameTemplate = text(255)
  .trim()
  .min(1)
  .nullish()
  .describe(
    'Template with {{randomUsername}}, {{random 12}}, {{unixTimestamp}} and {{identity.name}}. Default: {{randomUsername}}',
  );

export const CreateDynamicSecret = DynamicSecretPlace.extend({
  name: Name,
  provider: ProviderChoice.meta({
    examples: [{ type: 'totp', inputs: { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' } }],
  }),
  defaultTTL: ttl(),
  maxTTL: ttl().nullish(),
  usernameTemplate,
  metadata: Metadata.max(100).default([]),
});
export type CreateDynamicSecret = z.output<typeof CreateDynamicSecret>;

export const UpdateDynamicSecret = DynamicSecretRef.extend({
  data: z.object({
    inputs: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The changed inputs. If the target changes, they must contain the credential'),
    defaultTTL: ttl().optional(),
    maxTTL: ttl().nullish(),
    newName: Name.optional(),
    usernameTemplate,
    metadata: Metadata.max(100).optional(),
  }),
});
export type UpdateDynamicSecret = z.output<typeof UpdateDynamicSecret>;

export const DeleteDynamicSecret = DynamicSecretRef.extend({
  isForced: flag()
    .default(false)
    .describe(
      'Deletes the dynamic secret even if its leases cannot be revoked. The name is free at once. If revocation fails, a second forced delete abandons the leases',
    ),
});
export type DeleteDynamicSecret = z.output<typeof DeleteDynamicSecret>;

const at = { environment: z.string(), secretPath: z.string() };
const DynamicSecretEvent = z.object({
  ...at,
  dynamicSecretId: z.string(),
  dynamicSecretName: z.string(),
  dynamicSecretType: z.string(),
});
export const dynamicSecretsListed = defineEvent(
  'dynamic_secrets.listed',
  'list-dynamic-secrets',
  z.object({ ...at, numberOfDynamicSecrets: z.int() }),
);
export const dynamicSecretRead = defineEvent('dynamic_secret.read', 'get-dynamic-secret', DynamicSecretEvent);
export const dynamicSecretCreated = defineEvent('dynamic_secret.created', 'create-dynamic-secret', DynamicSecretEvent);
export const dynamicSecretUpdated = defineUpdate('dynamic_secret.updated', 'update-dynamic-secret', DynamicSecretEvent);
export const dynamicSecretDeletionStarted = defineEvent(
  'dynamic_secret.deletion_started',
  'delete-dynamic-secret',
  DynamicSecretEvent.extend({ leases: z.int().describe('Number of leases that end first') }),
);
export const dynamicSecretDeleted = defineEvent(
  'dynamic_secret.deleted',
  'delete-dynamic-secret',
  DynamicSecretEvent.extend({
    isForced: z.boolean(),
    leases: z.int().describe('Number of leases that it had'),
    left: z.array(z.string()).optional().describe('External IDs of abandoned leases: these credentials may still work'),
  }),
);
