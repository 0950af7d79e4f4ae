import { z } from 'zod';
import { openSsh, readHostKey, readUserKey, type SshServer, type SshSession } from '../../../apps/ssh/index.ts';
import { sealed } from '../../../family/index.ts';
import { text } from '../../../kernel/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { needed, serverHost } from '../../fields.ts';

const HOST = 'a host name or an address, without a port';
const HOST_KEY = 'the public host key of the server as in /etc/ssh/ssh_host_ed25519_key.pub: ssh-ed25519 AAAA…';
const NO_PASSPHRASE =
  'Keys with a passphrase are not supported: remove it (ssh-keygen -p), Coffer encrypts the key itself';
const TARGET = ['host', 'port', 'username', 'hostKey'];

const Server = z.object({
  host: serverHost(HOST, /^[^\s/?#@\\]+$/).meta({ examples: ['server.example.com'] }),
  port: z.int().min(1).max(65_535).default(22),
  username: needed('the name of the login', 255).regex(/^[^\p{Cc}]+$/u, 'the name of the login'),
  hostKey: needed(HOST_KEY, 2048)
    .refine((line) => readHostKey(line) !== undefined, `Expected ${HOST_KEY}`)
    .optional()
    .describe(
      'The host key that the server has to present; default: the one that it presents when the connection is saved',
    ),
});

/** Does work in a connection of its own, which it closes. */
export interface SshAccess {
  run<T>(work: (session: SshSession) => Promise<T>): Promise<T>;
  /** The host key of the last connection. */
  readonly hostKey: string | undefined;
}

export const ssh = defineConnector({
  app: 'ssh',
  title: 'SSH',
  methods: {
    password: {
      credentials: Server.extend({ password: sealed(text(1024).min(1), { sentTo: TARGET }) }),
      learned: { hostKey: ['host', 'port'] },
    },
    'ssh-key': {
      credentials: Server.extend({
        privateKey: sealed(
          needed('a private key in PEM', 16_384).refine(
            (key) => readUserKey(key) !== undefined,
            `Expected a private key of OpenSSH or PEM (Ed25519, P-256, P-384 or RSA). ${NO_PASSPHRASE}`,
          ),
          { sentTo: TARGET },
        ),
        passphrase: z.literal('', NO_PASSPHRASE).optional(),
      }),
      learned: { hostKey: ['host', 'port'] },
    },
  },
  systemOf: ({ host, port }) => ({ name: `${host.replace(/\.$/, '')}:${port}` }),
  connect(credentials, remote): SshAccess {
    const { host, port, username } = credentials;
    const hostKey = credentials.hostKey && readHostKey(credentials.hostKey);
    const login =
      'password' in credentials
        ? { password: credentials.password }
        : { privateKey: readUserKey(credentials.privateKey) };
    const server: SshServer = { host, port, username, hostKey, ...login };
    let presented = hostKey;
    return {
      get hostKey() {
        return presented;
      },
      async run(work) {
        const session = await openSsh(server, remote.connect);
        presented = session.hostKey;
        try {
          return await work(session);
        } finally {
          session.close();
        }
      },
    };
  },
  check: (access) => access.run(() => Promise.resolve()),
  learn: ({ hostKey }) => ({ hostKey }),
});
