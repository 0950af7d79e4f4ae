import { z } from 'zod';
import { schemaNamed } from '../../kernel/schema.ts';
import { AwsTags } from '../aws-tags.ts';

/** The layout at a target: one item per secret, or one document. The published names. */
const Mapping = z.enum(['one-to-one', 'many-to-one']);
/** What the first sync does with existing items. The published names. */
const InitialSync = z.enum(['overwrite-target', 'prefer-target', 'prefer-source']);

const setting = z.string().max(1024);

/** Options of an integration: the published fields. Each destination uses those that concern it. */
export const IntegrationSettings = schemaNamed(
  'IntegrationSettings',
  z.object({
    initialSyncBehavior: InitialSync.optional().describe(
      'What the first sync does with what is at the target before it',
    ),
    secretPrefix: z.string().max(255).optional().describe('Put before each name at the target'),
    secretSuffix: z.string().max(255).optional().describe('Put after each name at the target'),
    mappingBehavior: Mapping.optional().describe('One item per secret, or all secrets in one item'),
    shouldAutoRedeploy: z.boolean().optional(),
    secretGCPLabel: z.object({ labelName: setting, labelValue: setting }).optional(),
    secretAWSTag: AwsTags.optional().describe('Tags of new resources at AWS'),
    azureLabel: setting.optional(),
    githubVisibility: z.enum(['all', 'private', 'selected']).optional(),
    githubVisibilityRepoIds: z
      .array(z.string().regex(/^\d{1,15}$/, 'Expected the number of a repository'))
      .max(1000)
      .optional(),
    kmsKeyId: setting.optional().describe('The key of AWS KMS under which secrets are stored there'),
    shouldDisableDelete: z.boolean().optional().describe('Nothing is removed at the target'),
    shouldEnableDelete: z
      .boolean()
      .optional()
      .describe('For destinations that do not delete by default: enables deletion'),
    shouldMaskSecrets: z.boolean().optional(),
    shouldProtectSecrets: z.boolean().optional(),
    metadataSyncMode: z.enum(['custom', 'secret-metadata']).optional(),
    octopusDeployScopeValues: z.record(z.string().max(64), z.array(setting).max(100)).optional(),
  }),
);
export type IntegrationSettings = z.output<typeof IntegrationSettings>;
