import { z } from 'zod';
import { document, httpsUrl, needed, type Destination } from '../../destination.ts';
import { openSecret } from './api.ts';

const VaultCredentials = z.object({
  url: httpsUrl('the https URL of the server (url)'),
  accessToken: needed('a token, or the SecretID of an AppRole (accessToken)').regex(
    /^[\x21-\x7e]+$/,
    'a token (accessToken)',
  ),
  accessId: needed('the RoleID of an AppRole (accessId)')
    .regex(/^[\x21-\x7e]+$/, 'the RoleID of an AppRole (accessId)')
    .optional(),
  namespace: z
    .string()
    .regex(/^[\w./-]+$/, 'the path of a namespace')
    .optional(),
});

const path = (what: string) =>
  needed(what, 512)
    .transform((given) => given.replace(/^\/+|\/+$/g, ''))
    .pipe(z.string().regex(/^(?!\.{1,2}(?:\/|$))[^/?#\s]+(?:\/(?!\.{1,2}(?:\/|$))[^/?#\s]+)*$/, what));
const Target = z.object({
  app: path('the secrets engine, such as secret (app)'),
  path: path('the path of the secret in the engine (path)'),
});

export const hashicorpVault: Destination = {
  slug: 'hashicorp-vault',
  title: 'HashiCorp Vault',
  credentials: VaultCredentials,
  mappings: {
    'many-to-one': document(VaultCredentials, {
      target: Target,
      place: ({ app, path: at }) => `${app} ${at}`,
      limits: { name: /^.+$/s, expected: 'any', bytes: [0, 512 * 1024], secrets: 5_000 },
      open: ({ remote, credentials, target: { app, path: at } }) => openSecret(remote, credentials, app, at),
    }),
  },
};
