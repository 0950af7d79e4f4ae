import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeAuthority } from '../../../outbound/testing/certificates.ts';
import { logInByAmqp, type AmqpSession } from './amqp.ts';
import {
  debianProgram,
  freePorts,
  startServer,
  temporaryDirectory,
  type Login,
} from '../../../outbound/testing/server-process.ts';

const [RABBITMQ, EPMD] = ['/usr/lib/rabbitmq/bin/rabbitmq-server', '/usr/bin/epmd'];
const START_LIMIT = 60_000;

export const rabbitmq = debianProgram(RABBITMQ, 'rabbitmq-server');

/** Who makes users there. */
export const RABBITMQ_MANAGER = { username: 'coffer', password: 'makes: "users"' } as const;

export interface RabbitMq {
  /** Of the management plugin. */
  readonly port: number;
  readonly securePort: number;
  readonly amqpPort: number;
  /** PEM of the root that vouches for it, under the name `127.0.0.1` alone. */
  readonly ca: string;
  /** Logs in and opens the virtual host; `undefined` if that is rejected. */
  logIn(login: Login, virtualHost?: string): Promise<AmqpSession | undefined>;
  /** Calls its management API as the administrator. */
  manage(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }>;
  stop(): Promise<void>;
}

/** Starts a separate RabbitMQ on free ports of 127.0.0.1, with its management plugin, without and with TLS. */
export async function startRabbitMq(): Promise<RabbitMq> {
  rabbitmq.require();
  const path = await temporaryDirectory('rabbitmq');
  const [port, securePort, amqpPort, epmdPort, nodePort] = (await freePorts(5)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const root = makeAuthority('Broker root');
  const server = root.issue('127.0.0.1');
  const files = {
    'ca.pem': root.cert,
    'cert.pem': server.cert,
    'key.pem': server.key,
    enabled_plugins: '[rabbitmq_management].',
    'rabbitmq.conf': [
      `listeners.tcp.1 = 127.0.0.1:${amqpPort}`,
      'management.tcp.ip = 127.0.0.1',
      `management.tcp.port = ${port}`,
      'management.ssl.ip = 127.0.0.1',
      `management.ssl.port = ${securePort}`,
      `management.ssl.cacertfile = ${path}/ca.pem`,
      `management.ssl.certfile = ${path}/cert.pem`,
      `management.ssl.keyfile = ${path}/key.pem`,
      `default_user = ${RABBITMQ_MANAGER.username}`,
      `default_pass = ${RABBITMQ_MANAGER.password}`,
      'log.file = false',
      'log.console = true',
      '',
    ].join('\n'),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(`${path}/${name}`, text);
  for (const name of ['home', 'data', 'log']) await mkdir(`${path}/${name}`);
  // The broker would start a permanent one.
  const epmd = await startServer(EPMD, ['-port', String(epmdPort), '-address', '127.0.0.1'], { port: epmdPort });
  const broker = await startServer(RABBITMQ, [], {
    port,
    directory: path,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: `${path}/home`,
      // exec: the pid is that of the broker, without a shell around it.
      detached: '1',
      ERL_EPMD_PORT: String(epmdPort),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      RABBITMQ_NODENAME: 'coffer@localhost',
      RABBITMQ_DIST_PORT: String(nodePort),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1 -kernel inet_dist_use_interface {127,0,0,1}',
      RABBITMQ_CONFIG_FILE: `${path}/rabbitmq.conf`,
      RABBITMQ_ADVANCED_CONFIG_FILE: `${path}/advanced.config`,
      RABBITMQ_CONF_ENV_FILE: `${path}/environment`,
      RABBITMQ_ENABLED_PLUGINS_FILE: `${path}/enabled_plugins`,
      RABBITMQ_MNESIA_BASE: `${path}/data`,
      RABBITMQ_LOG_BASE: `${path}/log`,
      RABBITMQ_LOGS: '-',
      RABBITMQ_FEATURE_FLAGS_FILE: `${path}/feature_flags`,
      RABBITMQ_GENERATED_CONFIG_DIR: `${path}/generated`,
    },
  }).catch(async (error: unknown) => {
    await epmd.stop();
    throw error;
  });

  const authorization = `Basic ${Buffer.from(Object.values(RABBITMQ_MANAGER).join(':')).toString('base64')}`;
  const manage = async (method: string, at: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/${at}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text ? (JSON.parse(text) as unknown) : undefined };
  };
  const stop = async () => {
    await broker.stop();
    await epmd.stop();
  };
  try {
    await untilReady(
      async () => (await manage('GET', 'overview')).status === 200 && broker.said().includes('startup complete'),
    );
  } catch (error) {
    await stop();
    throw new Error(`RabbitMQ does not start: ${broker.said().slice(-2000)}`, { cause: error });
  }
  return {
    port,
    securePort,
    amqpPort,
    ca: root.cert,
    logIn: (login, virtualHost = '/') => logInByAmqp({ port: amqpPort, virtualHost, ...login }),
    manage,
    stop,
  };
}

async function untilReady(isReady: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + START_LIMIT; performance.now() < deadline;) {
    if (await isReady().catch(() => false)) return;
    await sleep(50);
  }
  throw new Error('It is not ready');
}
