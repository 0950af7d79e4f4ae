import { z } from 'zod';
import { hashicorpVault as connector } from '../../../apps/hashicorp-vault/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync } from '../../sync.ts';
import { openSecret } from './kv.ts';

const path = (what: string) =>
  needed(what, 512)
    .overwrite((given) => given.replace(/^\/+|\/+$/g, ''))
    .regex(/^(?!\.{1,2}(?:\/|$))[^/?#\s]+(?:\/(?!\.{1,2}(?:\/|$))[^/?#\s]+)*$/, what)
    .meta({ examples: ['app/dev'] });

export const hashicorpVault = defineSync({
  connector,
  destination: 'hashicorp-vault',
  title: 'HashiCorp Vault',
  config: z.object({
    mount: path('the secrets engine, such as secret'),
    path: path('the path of the secret in the engine'),
  }),
  layout: ({ mount, path: at }) => ({
    as: 'document',
    location: `${mount} ${at}`,
    // A path below a mount is accepted in its place, and one that begins with the namespace in place of a namespace.
    placesIn: (base) => {
      const engine = base === '' ? mount : `${base}/${mount}`;
      return [`1 ${engine}/${at}`, `2 ${engine}/data/${at}`];
    },
    limits: { name: /^.+$/s, expected: 'any', bytes: [0, 512 * 1024], secrets: 5_000 },
  }),
  open: (vault, { mount, path: at }) => openSecret(vault, mount, at),
  integration: { name: 'hashicorp-vault', fields: { mount: 'app', path: 'path' }, mappings: ['many-to-one'] },
});
