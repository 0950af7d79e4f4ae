import { z } from 'zod';
import type { HumanitecValue } from '../../../../apps/humanitec/index.ts';
import { humanitec as connector } from '../../../apps/humanitec/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync } from '../../sync.ts';

const id = (what: string) => needed(what, 100).regex(/^[\w-]+$/, what);
const org = id('the ID of the organization');
const app = id('the ID of the application');

export const humanitec = defineSync({
  connector,
  destination: 'humanitec',
  title: 'Humanitec',
  config: z.discriminatedUnion('scope', [
    z.object({ scope: z.literal('application'), org, app }),
    z.object({ scope: z.literal('environment'), org, app, env: id('the ID of the environment') }),
  ]),
  writeOnly: true,
  layout: (config) => ({
    as: 'secrets',
    location: [config.org, config.app, ...(config.scope === 'environment' ? [config.env] : [])].join(' '),
    limits: {
      name: /^(?!\.{1,2}$)[\w.-]{1,255}$/,
      expected: 'letters, digits, _, - and .',
      bytes: [0, 512 * 1024],
      secrets: 5_000,
    },
    listsAll: true,
  }),
  open(client, config) {
    const place = { org: config.org, app: config.app, env: config.scope === 'environment' ? config.env : undefined };
    let known: ReadonlyMap<string, HumanitecValue> = new Map();
    return {
      async list() {
        const source = place.env === undefined ? 'app' : 'env';
        // An environment also shows the values of its application, which are not its own.
        const values = (await client.values(place)).filter((value) => value.source === source);
        known = new Map(values.map((value) => [value.key, value]));
        return new Map(values.map(({ key }) => [key, undefined]));
      },
      async put(name, value) {
        const present = known.get(name);
        await (present ? client.update(place, present, value) : client.create(place, name, value));
      },
      remove: (name) => client.remove(place, name),
    };
  },
});
