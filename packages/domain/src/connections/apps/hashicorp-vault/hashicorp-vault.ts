import { z } from 'zod';
import { appRoleClient, vaultClient, type VaultClient } from '../../../apps/hashicorp-vault/index.ts';
import { malformed, sealed } from '../../../family/index.ts';
import { defineConnector, defineList } from '../../connection/index.ts';
import { httpsUrl, systemAt, token } from '../../fields.ts';

const Server = z.object({
  instanceUrl: httpsUrl('the https URL of the server'),
  namespace: z
    .string()
    .regex(/^[\w./-]+$/, 'the path of a namespace')
    .optional(),
});
const Mounts = z.object({ data: z.object({ secret: z.record(z.string(), z.object({ type: z.string() })) }) });
/** Where a token or SecretID is sent. */
const SENT_TO = { sentTo: ['instanceUrl', 'namespace'] };
const server = { instanceUrl: 'url', namespace: 'namespace' } as const;

export const hashicorpVault = defineConnector({
  app: 'hashicorp-vault',
  title: 'HashiCorp Vault',
  methods: {
    'access-token': {
      credentials: Server.extend({ accessToken: sealed(token('a token, or the SecretID of an AppRole'), SENT_TO) }),
      integrationAuth: { ...server, accessToken: 'accessToken' },
    },
    'app-role': {
      credentials: Server.extend({
        roleId: sealed(token('the RoleID of an AppRole'), SENT_TO),
        secretId: sealed(token('the SecretID of the AppRole'), { sentTo: [...SENT_TO.sentTo, 'roleId'] }),
      }),
      integrationAuth: { ...server, roleId: 'accessId', secretId: 'accessToken' },
    },
  },
  systemOf: ({ instanceUrl, namespace = '' }) => ({
    ...systemAt(instanceUrl),
    base: namespace
      .split('/')
      .filter((part) => part !== '')
      .join('/')
      .replace(/^root(?=\/|$)\/?/, ''),
  }),
  connect(credentials, remote) {
    const { instanceUrl: url, namespace } = credentials;
    return credentials.method === 'app-role'
      ? appRoleClient(remote, { url, namespace }, credentials)
      : vaultClient(remote, { url, namespace }, credentials.accessToken);
  },
  // https://developer.hashicorp.com/vault/api-docs/auth/token#lookup-a-token-self
  check: async (client) => void (await client('auth/token/lookup-self')),
  lists: {
    mounts: defineList({
      what: 'the secrets engines',
      answer: z.array(z.string()),
      // All that the token may see, without rights to manage engines.
      async read(client: VaultClient) {
        const { url, said } = await client('sys/internal/ui/mounts');
        const { data } = Mounts.safeParse(said);
        if (!data) throw malformed(url, 'no list of secrets engines');
        return Object.entries(data.data.secret).flatMap(([path, { type }]) => (type === 'kv' ? [path] : []));
      },
    }),
  },
});
