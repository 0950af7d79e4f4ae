import { z } from 'zod';
import { gcp as connector, GcpProjectId as projectId } from '../../../apps/gcp/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync } from '../../sync.ts';
import { SecretManager } from './secret-manager.ts';

const LOCATION = 'the ID of a location, as europe-west3';
const locationId = needed(LOCATION, 64)
  .regex(/^[a-z]+-[a-z0-9-]*[a-z0-9]$/, LOCATION)
  .meta({ examples: ['europe-west3'] });

export const gcpSecretManager = defineSync({
  connector,
  destination: 'gcp-secret-manager',
  title: 'GCP Secret Manager',
  config: z.discriminatedUnion('scope', [
    z.object({
      ...{ scope: z.literal('global'), projectId },
      userReplicaLocationIds: z
        .array(locationId)
        .min(1)
        .max(32)
        .optional()
        .describe('Where new secrets are replicated; default: Google chooses'),
    }),
    z.object({ scope: z.literal('region'), projectId, locationId }),
  ]),
  layout: (config) => ({
    as: 'secrets',
    location: [config.projectId, ...(config.scope === 'region' ? [config.locationId] : [])].join(' '),
    limits: {
      name: /^[\w-]{1,255}$/,
      expected: 'at most 255 letters, digits, _ and -',
      bytes: [1, 64 * 1024],
      secrets: 10_000,
      concurrency: 4,
    },
    listsAll: true,
  }),
  open: (client, config) => new SecretManager(client, config),
});
