import { z } from 'zod';
import { databricks as connector } from '../../../apps/databricks/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync } from '../../sync.ts';

const SCOPE = 'the name of a secret scope';

export const databricks = defineSync({
  connector,
  destination: 'databricks',
  title: 'Databricks',
  config: z.object({
    scope: needed(SCOPE, 128)
      .regex(/^[\w.@-]+$/, SCOPE)
      .meta({ examples: ['shop'] }),
  }),
  // Only notebooks may read values.
  writeOnly: true,
  ignoresCase: true,
  layout: ({ scope }) => ({
    as: 'secrets',
    location: scope.toLowerCase(),
    limits: {
      name: /^[\w.-]{1,128}$/,
      expected: 'at most 128 letters, digits, _, - and .',
      bytes: [0, 128 * 1024],
      secrets: 1_000,
    },
    listsAll: true,
  }),
  open: (client, { scope }) => ({
    list: async () => new Map((await client.secrets(scope)).map((key) => [key, undefined])),
    put: (name, value) => client.putSecret(scope, name, value),
    remove: (name) => client.deleteSecret(scope, name),
  }),
});
