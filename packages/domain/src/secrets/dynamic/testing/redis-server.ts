import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { makeAuthority } from '../../../outbound/testing/certificates.ts';
import { RespConnection, type Reply } from '../../../apps/redis/resp.ts';
import {
  debianProgram,
  freePorts,
  startServer,
  temporaryDirectory,
  type Login,
} from '../../../outbound/testing/server-process.ts';

const REDIS = '/usr/bin/redis-server';

export const redisServer = debianProgram(REDIS, 'redis-server');

/** Who makes users there, with the rights that the guide names and no others. */
export const REDIS_MANAGER = { username: 'coffer', password: 'makes/users' } as const;
/** May create users, but not list them. */
export const REDIS_BLIND_MANAGER = { username: 'blind', password: 'makes users' } as const;
const DEFAULT_PASSWORD = 'may do everything';

/** A password in the format of ACL files. */
const hashed = (password: string) => `#${createHash('sha256').update(password).digest('hex')}`;

export interface RedisTarget {
  readonly port: number;
  readonly securePort: number;
  /** PEM of the root that vouches for it, under the name `127.0.0.1` alone. */
  readonly ca: string;
  /** The password of the default user, who may do everything. */
  readonly defaultPassword: string;
  works(login: Login): Promise<boolean>;
  /** Logs in and stays; `ended` resolves when the server ends the session. */
  stay(login: Login): Promise<{ readonly ended: Promise<unknown> }>;
  /** Sends commands as the default user. */
  ask(...words: string[]): Promise<Reply>;
  stop(): Promise<void>;
}

/** Starts a separate Redis on two free ports of 127.0.0.1, without and with TLS. */
export async function startRedis(): Promise<RedisTarget> {
  redisServer.require();
  const path = await temporaryDirectory('redis');
  const [port, securePort] = (await freePorts(2)) as [number, number];
  const root = makeAuthority('Redis root');
  const server = root.issue('127.0.0.1');
  const rights = '+acl|setuser +acl|deluser +acl|whoami +multi +exec +reset +client|kill';
  const users = [
    `user default on ${hashed(DEFAULT_PASSWORD)} ~* &* +@all`,
    `user ${REDIS_MANAGER.username} on ${hashed(REDIS_MANAGER.password)} ${rights} +acl|getuser`,
    `user ${REDIS_BLIND_MANAGER.username} on ${hashed(REDIS_BLIND_MANAGER.password)} ${rights}`,
  ];
  const files = {
    'ca.pem': root.cert,
    'cert.pem': server.cert,
    'key.pem': server.key,
    'users.acl': `${users.join('\n')}\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(`${path}/${name}`, text);
  const options = {
    port,
    bind: '127.0.0.1',
    'tls-port': securePort,
    'tls-ca-cert-file': `${path}/ca.pem`,
    'tls-cert-file': `${path}/cert.pem`,
    'tls-key-file': `${path}/key.pem`,
    'tls-auth-clients': 'no',
    aclfile: `${path}/users.acl`,
    dir: path,
    save: '',
    appendonly: 'no',
  };
  const child = await startServer(
    REDIS,
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { port, directory: path },
  );

  const logIn = async (login: Login): Promise<{ socket: Socket; ask: (...words: string[]) => Promise<Reply> }> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    const resp = new RespConnection(socket);
    const ask = async (...words: string[]) => (await resp.ask([words]))[0]!;
    const answer = await ask('AUTH', login.username, login.password);
    if (answer === 'OK') return { socket, ask };
    socket.destroy();
    throw new Error(`Redis says ${String(answer)}`);
  };
  const admin = await logIn({ username: 'default', password: DEFAULT_PASSWORD });
  return {
    port,
    securePort,
    ca: root.cert,
    defaultPassword: DEFAULT_PASSWORD,
    async works(login) {
      try {
        const { socket, ask } = await logIn(login);
        const answer = await ask('SET', 'app:key', 'value');
        socket.destroy();
        return answer === 'OK';
      } catch {
        return false;
      }
    },
    async stay(login) {
      const { socket } = await logIn(login);
      return { ended: new Promise((resolve) => socket.once('close', resolve)) };
    },
    ask: (...words) => admin.ask(...words),
    async stop() {
      admin.socket.destroy();
      await child.stop();
    },
  };
}
