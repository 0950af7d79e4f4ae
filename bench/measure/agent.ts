import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildCommandLine } from '../subject/command-line.ts';
import { hasEnded } from '../subject/server.ts';
import { folderOf, makeFolder, secretOf, writeBatch, type World } from '../subject/world.ts';
import type { Memory } from './memory-series.ts';

const FOLDER = 'agent';
/** Milliseconds after which a change has not arrived. */
const LOST = 60_000;

/** An agent of the bundle whose templates read one folder by each of the functions, and whose tokens and leases are short. */
export class AgentUnderLoad {
  readonly #world: World;
  readonly #home: string;
  readonly #child: ChildProcess;
  /** What has been in its files. */
  readonly leases = new Set<string>();
  readonly tokens = new Set<string>();

  private constructor(world: World, home: string, child: ChildProcess) {
    this.#world = world;
    this.#home = home;
    this.#child = child;
  }

  static async start(world: World, home: string, nodeFlags: readonly string[]): Promise<AgentUnderLoad> {
    mkdirSync(join(home, 'out'), { recursive: true });
    const main = await buildCommandLine(join(home, 'bundle'));
    await makeFolder(world, FOLDER);
    const secrets = Array.from({ length: 20 }, (_, at) => secretOf(`S${at}`));
    await writeBatch(world, `/${FOLDER}`, [...secrets, secretOf('CHANGE'), secretOf('LONG')]);
    await makeLeases(world);
    const { clientId, clientSecret } = await makeMachine(world);
    writeFileSync(join(home, 'client-id'), clientId, { mode: 0o600 });
    writeFileSync(join(home, 'client-secret'), clientSecret, { mode: 0o600 });
    writeFileSync(join(home, 'agent.yaml'), configFor(world));
    const child = spawn(process.execPath, [...nodeFlags, main, 'agent', '--config', 'agent.yaml'], {
      cwd: home,
      env: { PATH: process.env['PATH'], HOME: home },
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    // Each written file is a line there.
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      for (const line of part.split('\n')) if (/warn|error|ERROR|WARN|FATAL/.test(line)) console.log(line);
    });
    const agent = new AgentUnderLoad(world, home, child);
    await agent.#until(() => ['list', 'slug', 'one', 'lease', 'ran'].every((name) => agent.#read(name) !== ''));
    return agent;
  }

  /** Changes what the templates read. Returns after how many milliseconds the last of them had it. */
  async change(number: number, bytes: number): Promise<number> {
    const { admin } = this.#world;
    const value = `${number}.`;
    await admin('PATCH', '/api/v4/secrets/batch', {
      ...folderOf(this.#world, `/${FOLDER}`),
      secrets: [
        { secretKey: 'CHANGE', secretValue: value },
        { secretKey: 'LONG', secretValue: value.padEnd(bytes, 'x') },
      ],
    });
    const started = performance.now();
    await this.#until(() =>
      ['list', 'slug', 'one', 'ran'].every((name) => this.#read(name).includes(`CHANGE=${value}\n`)),
    );
    this.leases.add(this.#read('lease'));
    this.tokens.add(this.#read('token'));
    return performance.now() - started;
  }

  async memory(): Promise<Memory> {
    const metrics = await this.#metrics();
    const valueOf = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
    return { resident: valueOf('process_resident_memory_bytes'), heap: valueOf('nodejs_heap_size_used_bytes') };
  }

  async stop(): Promise<void> {
    if (hasEnded(this.#child)) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }

  #read(name: string): string {
    try {
      return readFileSync(join(this.#home, 'out', name), 'utf8');
    } catch {
      return '';
    }
  }

  async #until(isSo: () => boolean): Promise<void> {
    for (const deadline = performance.now() + LOST; !isSo(); await sleep(10)) {
      if (hasEnded(this.#child))
        throw new Error(`The agent has ended (${this.#child.signalCode ?? this.#child.exitCode})`);
      if (performance.now() > deadline) throw new Error('A change has not arrived');
    }
  }

  async #metrics(): Promise<string> {
    const state = join(this.#home, 'state');
    const socketPath = join(
      state,
      readdirSync(state).find((name) => name.endsWith('.sock'))!,
    );
    const asked = request({ socketPath, path: '/metrics' }).end();
    const [response] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
    return text(response);
  }
}

/** A dynamic secret whose leases are replaced after two minutes. */
async function makeLeases({ admin, projectSlug }: World): Promise<void> {
  await admin('POST', '/api/v1/dynamic-secrets', {
    projectSlug,
    environmentSlug: 'dev',
    path: '/',
    name: 'leased',
    defaultTTL: '1m',
    maxTTL: '2m',
    provider: { type: 'totp', inputs: { configType: 'manual', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' } },
  });
}

/** A machine identity whose tokens live for a minute, and can be renewed for five. */
async function makeMachine({ admin, organizationId, projectId }: World) {
  const { identity } = await admin<{ identity: { id: string } }>('POST', '/api/v1/identities', {
    name: 'agent',
    organizationId,
  });
  const method = `/api/v1/auth/universal-auth/identities/${identity.id}`;
  const { identityUniversalAuth } = await admin<{ identityUniversalAuth: { clientId: string } }>('POST', method, {
    accessTokenTTL: 60,
    accessTokenMaxTTL: 300,
  });
  const { clientSecret } = await admin<{ clientSecret: string }>('POST', `${method}/client-secrets`, {});
  await admin('POST', `/api/v2/workspace/${projectId}/identity-memberships/${identity.id}`, { role: 'admin' });
  return { clientId: identityUniversalAuth.clientId, clientSecret };
}

function configFor({ admin, projectId, projectSlug }: World): string {
  const lines = '{{ .Key }}={{ .Value }}\\n';
  const template = (name: string, content: string, config = '') => `
  - template-content: "${content.replaceAll('"', '\\"')}"
    destination-path: ./out/${name}
    config:
      polling-interval: 10m
${config}`;
  return `coffer:
  address: ${admin.url}
state-directory: ./state
auth:
  type: universal-auth
  config: { client-id: ./client-id, client-secret: ./client-secret }
sinks:
  - type: file
    config: { path: ./out/token }
templates:${template(
    'list',
    `{{ range listSecrets "${projectId}" "dev" "/${FOLDER}" }}${lines}{{ end }}`,
    '      execute: { command: "cp out/list out/ran" }\n',
  )}${template('slug', `{{ range listSecretsByProjectSlug "${projectSlug}" "dev" "/${FOLDER}" }}${lines}{{ end }}`)}${template(
    'one',
    `{{ with getSecretByName "${projectId}" "dev" "/${FOLDER}" "CHANGE" }}${lines}{{ end }}`,
  )}${template('lease', `{{ (dynamicSecret "${projectSlug}" "dev" "/" "leased").TOTP }}`)}`;
}
