import { z } from 'zod';
import { camunda as connector } from '../../../apps/camunda/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync } from '../../sync.ts';

const CLUSTER = 'the ID of the cluster';

export const camunda = defineSync({
  connector,
  destination: 'camunda',
  title: 'Camunda',
  config: z.object({
    scope: z.literal('cluster').describe('Where connector secrets are: only clusters have them'),
    clusterUUID: needed(CLUSTER, 64)
      .toLowerCase()
      .regex(/^[\w-]+$/, CLUSTER)
      .meta({ examples: ['5d2e1f3c-0b8a-4f7e-9a57-f7d2c0a1b3e4'] }),
  }),
  layout: ({ clusterUUID }) => ({
    as: 'secrets',
    location: clusterUUID,
    limits: {
      name: /^(?!\.{1,2}$)[\w./-]{1,49}$/,
      expected: 'at most 49 letters, digits, _, -, . and /',
      bytes: [0, 64 * 1024],
      secrets: 1_000,
    },
    listsAll: true,
  }),
  open: (client, { clusterUUID }) => ({
    list: () => client.secrets(clusterUUID),
    put: (name, value, exists) =>
      exists ? client.updateSecret(clusterUUID, name, value) : client.createSecret(clusterUUID, name, value),
    remove: (name) => client.deleteSecret(clusterUUID, name),
  }),
});
