import { z } from 'zod';
import { badRequest } from '../../../../kernel/index.ts';
import { AwsOptions, aws as connector, Region, SecretsManager } from '../../../apps/aws/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync, type Limits } from '../../sync.ts';

const NAME = /^[A-Za-z0-9/_+=.@-]{1,512}$/;
const EXPECTED = 'letters, digits and /_+=.@-';

const documentLimits: Limits = { name: /^.+$/s, expected: 'any', bytes: [0, 65_536], secrets: 5_000 };
const secretLimits: Limits = { name: NAME, expected: EXPECTED, bytes: [1, 65_536], secrets: 10_000, concurrency: 4 };

export const awsSecretsManager = defineSync({
  connector,
  destination: 'aws-secrets-manager',
  title: 'AWS Secrets Manager',
  config: z.discriminatedUnion('mappingBehavior', [
    z.object({
      mappingBehavior: z.literal('many-to-one'),
      region: Region,
      secretName: needed('the name of the secret at AWS', 512).regex(NAME, EXPECTED),
    }),
    z.object({ mappingBehavior: z.literal('one-to-one'), region: Region }),
  ]),
  options: AwsOptions,
  writesMetadata({ mappingBehavior }, { syncSecretMetadataAsTags = false }) {
    if (syncSecretMetadataAsTags && mappingBehavior === 'many-to-one')
      throw badRequest(
        'secret_sync.options',
        'syncSecretMetadataAsTags needs one-to-one: one secret has the tags of one',
      );
    return syncSecretMetadataAsTags;
  },
  layout: (config) =>
    config.mappingBehavior === 'many-to-one'
      ? {
          as: 'document',
          location: `${config.region} ${config.secretName}`,
          item: { location: config.region, name: config.secretName },
          limits: documentLimits,
        }
      : { as: 'secrets', location: config.region, limits: secretLimits, listsAll: true },
  async open(client, config, options) {
    const manager = await SecretsManager.open(client, config.region, options);
    if (config.mappingBehavior === 'one-to-one') return manager;
    const { secretName } = config;
    let found: Readonly<Record<string, unknown>> | undefined;
    return {
      read: async () => (found = await manager.readObject(secretName)) ?? {},
      write: (all) => manager.put(secretName, JSON.stringify(all), found !== undefined),
    };
  },
  integration: {
    name: 'aws-secret-manager',
    fields: { region: 'region', secretName: 'app' },
    mappings: ['many-to-one', 'one-to-one'],
  },
});
