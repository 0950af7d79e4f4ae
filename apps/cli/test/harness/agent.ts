import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { commandLine, type CommandLine, type Result, type World } from './command-line.ts';

/** A machine identity with universal auth, as administrator of the organization. */
async function machine(
  at: World,
  settings: object = {},
): Promise<{ id: string; clientId: string; clientSecret: string }> {
  const { id } = await at.test.identity();
  const { test, projectId } = at;
  const base = `/api/v1/auth/universal-auth/identities/${id}`;
  const attached = await test.admin('POST', base, settings);
  const { body } = await test.admin('POST', `${base}/client-secrets`, {});
  await test.admin('POST', `/api/v2/workspace/${projectId}/identity-memberships/${id}`, { role: 'admin' });
  return { id, clientId: attached.body.identityUniversalAuth.clientId, clientSecret: body.clientSecret };
}

export interface RunningAgent {
  readonly child: ChildProcess;
  /** What it has said so far. */
  said(): string;
  /** Ends it in order, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A directory for an agent: its credentials, its configuration, what it writes. */
export interface AgentHome {
  readonly cli: CommandLine;
  /** A path in it. */
  at(...names: string[]): string;
  read(name: string): string | undefined;
  mode(name: string): number;
  /** Files in a directory of it, hidden ones included. */
  files(name?: string): string[];
  configure(yaml: string): void;
  once(...args: string[]): Promise<Result>;
  start(...args: string[]): Promise<RunningAgent>;
  health(): Promise<{ status: number; body: string } | undefined>;
  get(path: string): Promise<{ status: number; body: string } | undefined>;
}

export async function agentHome(
  at: World,
  {
    url = at.url,
    settings = {},
    command = ['agent'],
  }: { url?: string; settings?: object; command?: readonly string[] } = {},
): Promise<AgentHome> {
  const cli = commandLine({ COFFER_DOMAIN: url });
  const { clientId, clientSecret } = await machine(at, settings);
  const path = (...names: string[]): string => join(cli.home, ...names);
  writeFileSync(path('client-id'), `${clientId}\n`, { mode: 0o600 });
  writeFileSync(path('client-secret'), clientSecret, { mode: 0o600 });
  mkdirSync(path('out'));
  const get = (name: string): Promise<{ status: number; body: string } | undefined> => {
    const socket = readdirSync(path('state'), { withFileTypes: true }).find((one) => one.name.endsWith('.sock'));
    if (!socket) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const asked = request({ socketPath: path('state', socket.name), path: name }, (response) => {
        text(response).then(
          (body) => resolve({ status: response.statusCode!, body }),
          () => resolve(undefined),
        );
      });
      asked.on('error', () => resolve(undefined)).end();
    });
  };
  const args = [...command, '--config', path('agent.yaml')];
  return {
    cli,
    at: path,
    read: (name) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : undefined),
    mode: (name) => statSync(path(name)).mode & 0o777,
    files: (name = 'out') => readdirSync(path(name)).toSorted(),
    configure(yaml) {
      mkdirSync(path('state'), { recursive: true });
      writeFileSync(path('agent.yaml'), `state-directory: ${path('state')}\n${AUTH}${yaml}`);
    },
    once: (...more) => cli.run([...args, ...more]),
    async start(...more) {
      const child = await cli.start([...args, ...more]);
      let said = '';
      child.stderr.on('data', (part: Buffer) => (said += part.toString()));
      return {
        child,
        said: () => said,
        async stop(signal = 'SIGTERM') {
          if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
          const ended = once(child, 'exit') as Promise<[number | null]>;
          child.kill(signal);
          return (await ended)[0];
        },
      };
    },
    get,
    health: () => get('/health'),
  };
}

const AUTH = `auth:
  type: universal-auth
  config:
    client-id: ./client-id
    client-secret: ./client-secret
`;

/** A dynamic secret with codes. */
export async function dynamicSecret(at: World, name: string, more: object = {}): Promise<void> {
  const { body } = await at.test.admin('GET', `/api/v1/projects/${at.projectId}`);
  const made = await at.test.admin('POST', '/api/v1/dynamic-secrets', {
    projectSlug: body.project.slug,
    environmentSlug: 'dev',
    path: '/',
    name,
    defaultTTL: '1m',
    provider: { type: 'totp', inputs: { configType: 'manual', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' } },
    ...more,
  });
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
}

/** The IDs of its leases. */
export async function leasesOf(at: World, projectSlug: string, name: string): Promise<string[]> {
  const query = new URLSearchParams({ projectSlug, environmentSlug: 'dev', path: '/' });
  const { body } = await at.test.admin('GET', `/api/v1/dynamic-secrets/${name}/leases?${query}`);
  return (body.leases as { id: string }[]).map(({ id }) => id);
}
