import { z } from 'zod';
import { AwsCredentials, Region } from '../../aws.ts';
import { document, items, needed, type Destination } from '../../destination.ts';
import { SecretsManager } from './secrets-manager.ts';

const NAME = /^[A-Za-z0-9/_+=.@-]{1,512}$/;
const Single = z.object({ region: Region });
const Whole = z.object({
  region: Region,
  app: needed('the name of the secret at AWS (app)', 512).regex(NAME, 'letters, digits and /_+=.@-'),
});

export const awsSecretManager: Destination = {
  slug: 'aws-secret-manager',
  title: 'AWS Secrets Manager',
  credentials: AwsCredentials,
  mappings: {
    'many-to-one': document(AwsCredentials, {
      target: Whole,
      place: ({ region, app }) => `${region} ${app}`,
      limits: { name: /^.+$/s, expected: 'any', bytes: [0, 65_536], secrets: 5_000 },
      async open(opening) {
        const manager = await SecretsManager.open(opening);
        const { app } = opening.target;
        let found: Readonly<Record<string, unknown>> | undefined;
        return {
          read: async () => (found = await manager.readObject(app)) ?? {},
          write: (all) => manager.put(app, JSON.stringify(all), found !== undefined),
        };
      },
    }),
    'one-to-one': items(AwsCredentials, {
      target: Single,
      place: ({ region }) => region,
      limits: { name: NAME, expected: 'letters, digits and /_+=.@-', bytes: [1, 65_536], secrets: 10_000 },
      atOnce: 4,
      async open(opening) {
        const manager = await SecretsManager.open(opening);
        return {
          list: (names) => manager.read(names),
          put: (name, value, exists) => manager.put(name, value, exists),
          remove: (name) => manager.remove(name),
        };
      },
    }),
  },
};
