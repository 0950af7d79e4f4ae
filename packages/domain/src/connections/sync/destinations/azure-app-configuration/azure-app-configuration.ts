import { z } from 'zod';
import type { AzureClient } from '../../../../apps/azure/index.ts';
import { malformed, objectOf, RemoteName } from '../../../../family/index.ts';
import { azureAppConfiguration as connector } from '../../../apps/azure-app-configuration/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync, type SecretStore } from '../../sync.ts';

const STORE = 'the URL of a store, as https://shop.azconfig.io';
const LABEL = 'a label without *, comma and \\';
const VERSION = 'api-version=1.0';
const NO_LABEL = '\0';

const Item = z.object({
  key: RemoteName,
  value: z.string().nullish(),
  content_type: z.string().nullish(),
  tags: objectOf(z.string()).nullish(),
});
type Item = z.output<typeof Item>;

/** References to vaults and feature flags, which are no values of applications. */
const isSpecial = ({ key, content_type: type }: Item) =>
  key.startsWith('.appconfig.') || type?.startsWith('application/vnd.microsoft.appconfig.') === true;

/** The key-values with a label (https://learn.microsoft.com/en-us/azure/azure-app-configuration/rest-api-key-value). */
function openLabel(azure: AzureClient, store: string, label: string): SecretStore {
  let known: ReadonlyMap<string, Item> = new Map();
  const query = `label=${encodeURIComponent(label === '' ? NO_LABEL : label)}&${VERSION}`;
  const at = (key: string) => `${store}/kv/${encodeURIComponent(key)}?${query}`;
  return {
    async list() {
      const items = await azure.list(`${store}/kv?${query}`, Item, '@nextLink');
      known = new Map(items.map((item) => [item.key, item]));
      return new Map(items.map((item) => [item.key, isSpecial(item) ? undefined : (item.value ?? '')]));
    },
    async put(key, value) {
      const present = known.get(key);
      const body = {
        value,
        ...(present?.tags && { tags: present.tags }),
        ...(present?.content_type && !isSpecial(present) && { content_type: present.content_type }),
      };
      const headers = { 'content-type': 'application/vnd.microsoft.appconfig.kv+json' };
      const answer = await azure.ask(at(key), { method: 'PUT', body, headers });
      if (Item.safeParse(answer.body).data?.key !== key) throw malformed(store, 'another key-value');
    },
    remove: async (key) => void (await azure.ask(at(key), { method: 'DELETE' })),
  };
}

export const azureAppConfiguration = defineSync({
  connector,
  destination: 'azure-app-configuration',
  title: 'Azure App Configuration',
  config: z.object({
    // The token is sent there: only to stores of Azure.
    configurationUrl: needed(STORE, 96)
      .toLowerCase()
      .overwrite((url) => url.replace(/\/$/, ''))
      .regex(/^https:\/\/[a-z0-9](?:[a-z0-9-]{3,48})[a-z0-9]\.azconfig\.io$/, STORE)
      .meta({ examples: ['https://shop-prod.azconfig.io'] }),
    label: z
      .string()
      .max(256)
      .regex(/^[^*,\\\p{Cc}]*$/u, LABEL)
      .default('')
      .describe('The label of the key-values; default: none'),
  }),
  layout: ({ configurationUrl, label }) => ({
    as: 'secrets',
    location: `${configurationUrl} ${label}`,
    limits: {
      name: /^(?!\.{1,2}$)(?!\.appconfig\.)[^%\p{Cc}]{1,1024}$/u,
      expected: 'at most 1,024 characters without %, and does not begin with .appconfig.',
      bytes: [0, 10_000],
      secrets: 10_000,
      concurrency: 4,
    },
    listsAll: true,
  }),
  open: (client, { configurationUrl, label }) => openLabel(client, configurationUrl, label),
});
