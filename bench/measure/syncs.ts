import { setTimeout as sleep } from 'node:timers/promises';
import { AwsAccount, credentialsAt, LocalTarget, syncTargets, type SyncTarget } from '@coffer/domain/testing';
import type { Run } from '../subject/stage.ts';
import { ENVIRONMENT, folderOf, makeFolder, secretOf, writeBatch, writeSecrets, type World } from '../subject/world.ts';
import { median, putLoad } from './sample.ts';

const SECRETS = 1_000;
const SYNCS = 200;
/** Of these use the same connection. */
const OF_CONNECTION = 50;
/** Milliseconds until a change has to have arrived. */
const PATIENCE = 300_000;
const CONNECTIONS = 8;
/** Reads in a second. A program that is read as fast as it answers is slower beside any work, for the processors are shared. */
const PACE = 500;
/** Milliseconds between two changes of the project with many syncs. */
const PAUSE = 1_000;
const ROUNDS = 3;

/** One commit on its way to a destination. */
export interface Arrival {
  readonly destination: string;
  /** Milliseconds from the answer of the change until all of it is there. */
  readonly took: number;
  /** The calls by method, and how many of these its API demands at least. */
  readonly calls: Readonly<Record<string, number>>;
  readonly least: number;
}

/** Latencies of reads in milliseconds, medians of rounds. */
export interface Beside {
  readonly p50: number;
  readonly p99: number;
  /** Runs of syncs meanwhile. */
  readonly synced: number;
}

export interface SyncFigures {
  readonly arrivals: readonly Arrival[];
  readonly alone: Beside;
  readonly changes: Beside;
  readonly syncs: Beside;
}

/** In the region whose token service a connection asks. */
function parameterStore(): SyncTarget {
  const [account, path] = [new AwsAccount({ region: 'us-east-1' }), '/app/'];
  return {
    credentials: { method: 'access-key', ...account.keys },
    config: { region: account.region, path },
    serve: (standIns) => account.serve(standIns),
    held: () =>
      Object.fromEntries(Array.from(account.parameters, ([name, { value }]) => [name.slice(path.length), value])),
    put: () => undefined,
  };
}

/** The destinations with what their APIs demand for a thousand changed secrets. */
const DESTINATIONS: readonly { name: string; target: () => SyncTarget; least: number }[] = [
  // The version of the engine, the document, and its next version.
  { name: 'hashicorp-vault', target: syncTargets['hashicorp-vault']!, least: 3 },
  // A login, the list, and a write of all.
  { name: 'external-infisical', target: syncTargets['external-infisical']!, least: 3 },
  // Pages of a hundred names, the public key, and one write for each.
  { name: 'github', target: syncTargets['github']!, least: SECRETS / 100 + 1 + SECRETS },
  // Pages of ten, and one write for each.
  { name: 'aws-parameter-store', target: parameterStore, least: SECRETS / 10 + SECRETS },
];

/** A commit of a thousand secrets on its way to each destination; and reads beside two hundred syncs of their project. */
export async function measureSyncs(run: Run, seconds: number): Promise<SyncFigures> {
  const targets = DESTINATIONS.map(({ target }) => target());
  const locals = await Promise.all(targets.map((target) => LocalTarget.open(target)));
  try {
    const { server, world } = await run.stage('syncs', {
      environment: {
        COFFER_OUTBOUND_ALLOW: '127.0.0.0/8',
        COFFER_SERVICE_URLS: locals.flatMap(({ serviceUrls }) => serviceUrls).join(','),
        COFFER_RATE_LIMIT: '0',
      },
    });
    const arrivals: Arrival[] = [];
    for (const [n, { name, least }] of DESTINATIONS.entries())
      arrivals.push({ ...(await arrivalAt(world, name, targets[n]!, locals[n]!)), least });
    const beside = await readsBeside(world, server.url, { target: targets[0]!, local: locals[0]!, seconds });
    return { arrivals, ...beside };
  } finally {
    for (const local of locals) local.close();
  }
}

async function connect({ admin, organizationId, projectId }: World, name: string, target: SyncTarget): Promise<string> {
  const { method, ...given } = credentialsAt(target, organizationId);
  const { secretSyncOptions } = await admin<{ secretSyncOptions: { destination: string; connection: string }[] }>(
    'GET',
    '/api/v1/secret-syncs/options',
  );
  const { connection } = secretSyncOptions.find(({ destination }) => destination === name)!;
  const body = { name: `${name}-${Date.now()}`, projectId, method, credentials: given };
  return (await admin<{ appConnection: { id: string } }>('POST', `/api/v1/app-connections/${connection}`, body))
    .appConnection.id;
}

interface NewSync {
  readonly name: string;
  readonly destination: string;
  readonly connectionId: string;
  readonly secretPath: string;
  readonly destinationConfig: object;
}

async function makeSync({ admin, projectId }: World, { destination, ...sync }: NewSync): Promise<string> {
  const body = { ...sync, projectId, environment: ENVIRONMENT, syncOptions: {} };
  return (await admin<{ secretSync: { id: string } }>('POST', `/api/v1/secret-syncs/${destination}`, body)).secretSync
    .id;
}

async function arrivalAt(
  world: World,
  destination: string,
  target: SyncTarget,
  local: LocalTarget,
): Promise<Omit<Arrival, 'least'>> {
  await makeFolder(world, destination);
  const secretPath = `/${destination}`;
  const secrets = Array.from({ length: SECRETS }, (_, n) => secretOf(`SECRET_${n}`));
  await writeBatch(world, secretPath, secrets);
  const connectionId = await connect(world, destination, target);
  const sync = { name: destination, destination, connectionId, secretPath, destinationConfig: target.config };
  const syncId = await makeSync(world, sync);
  const isThere = (end: string) => {
    const held = Object.values(target.held());
    return held.length === SECRETS && held.every((value) => String(value).endsWith(end));
  };
  await until(`the first sync to ${destination}`, () => isThere('x') && isSynced(world, destination, syncId));
  local.requests.length = 0;
  const changed = secrets.map(({ secretKey, secretValue }) => ({ secretKey, secretValue: `${secretValue}!` }));
  await world.admin('PATCH', '/api/v4/secrets/batch', { ...folderOf(world, secretPath), secrets: changed });
  const started = performance.now();
  await until(`the change at ${destination}`, () => isThere('!'));
  const took = performance.now() - started;
  await until('its status', () => isSynced(world, destination, syncId));
  const calls: Record<string, number> = {};
  for (const request of local.requests) {
    const method = request.split(' ')[0]!;
    calls[method] = (calls[method] ?? 0) + 1;
  }
  return { destination, took, calls };
}

async function isSynced({ admin }: World, destination: string, id: string): Promise<boolean> {
  const { secretSync } = await admin<{ secretSync: { syncStatus: string | null; lastSyncMessage: string | null } }>(
    'GET',
    `/api/v1/secret-syncs/${destination}/${id}`,
  );
  if (secretSync.syncStatus === 'failed') throw new Error(`${destination}: ${secretSync.lastSyncMessage}`);
  return secretSync.syncStatus === 'succeeded';
}

async function until(what: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE; !(await isDone()); await sleep(50))
    if (performance.now() > end) throw new Error(`${what} takes longer than ${PATIENCE / 1000} s`);
}

interface ManySyncs {
  readonly target: SyncTarget;
  readonly local: LocalTarget;
  readonly seconds: number;
}

/** The same reads alone, beside changes, and beside the same changes with many syncs of their folder. In turns. */
async function readsBeside(world: World, url: string, { target, local, seconds }: ManySyncs) {
  await writeSecrets(world, 'READ_', 100);
  await makeFolder(world, 'quiet');
  await makeFolder(world, 'followed');
  for (const path of ['/quiet', '/followed'])
    await writeBatch(world, path, [
      secretOf('CHANGED'),
      ...Array.from({ length: 19 }, (_, n) => secretOf(`KEPT_${n}`)),
    ]);
  const ids: string[] = [];
  let connectionId = '';
  for (let n = 0; n < SYNCS; n++) {
    if (n % OF_CONNECTION === 0) connectionId = await connect(world, 'hashicorp-vault', target);
    const destinationConfig = { ...target.config, path: `many/${n}` };
    ids.push(
      await makeSync(world, {
        name: `many-${n}`,
        destination: 'hashicorp-vault',
        connectionId,
        secretPath: '/followed',
        destinationConfig,
      }),
    );
  }
  for (const id of ids) await until('the first syncs', () => isSynced(world, 'hashicorp-vault', id));
  const paths = Array.from(
    { length: 100 },
    (_, n) => `/api/v4/secrets/READ_${n}?projectId=${world.projectId}&environment=${ENVIRONMENT}&secretPath=%2F`,
  );
  const load = { url, headers: { authorization: `Bearer ${world.token}` }, method: 'GET', paths };
  const rounds: Record<'alone' | 'changes' | 'syncs', Beside[]> = { alone: [], changes: [], syncs: [] };
  for (let n = 0; n < ROUNDS; n++)
    for (const [name, path] of [
      ['alone', undefined],
      ['changes', '/quiet'],
      ['syncs', '/followed'],
    ] as const) {
      const writes = () => local.requests.filter((request) => !request.startsWith('GET')).length;
      const before = writes();
      let isOver = false;
      const changing = (async () => {
        for (let k = 0; path !== undefined && !isOver; k++, await sleep(PAUSE))
          await world.admin('PATCH', '/api/v4/secrets/CHANGED', { ...folderOf(world, path), secretValue: `${n} ${k}` });
      })();
      const { p50, p99, failures } = await putLoad({ ...load, connections: CONNECTIONS, pace: PACE, seconds });
      if (Object.keys(failures).length > 0) throw new Error(`Reads failed: ${JSON.stringify(failures)}`);
      rounds[name].push({ p50, p99, synced: writes() - before });
      isOver = true;
      await changing;
      for (const id of ids) await until('the syncs', () => isSynced(world, 'hashicorp-vault', id));
    }
  return { alone: medianOf(rounds.alone), changes: medianOf(rounds.changes), syncs: medianOf(rounds.syncs) };
}

const medianOf = (rounds: readonly Beside[]): Beside => ({
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  synced: median(rounds.map(({ synced }) => synced)),
});

export function showSyncs({ arrivals, ...reads }: SyncFigures): string {
  const arrival = ({ destination, took, calls, least }: Arrival) => {
    const sum = Object.values(calls).reduce((all, each) => all + each, 0);
    const each = Object.entries(calls).map(([method, count]) => `${count} ${method}`);
    return `  ${destination.padEnd(24)}${(took / 1000).toFixed(1).padStart(6)} s  ${String(sum).padStart(5)} calls (${each.join(', ')}; least ${least})`;
  };
  const row = (name: string, { p50, p99, synced }: Beside) =>
    `  ${name.padEnd(70)}p50 ${p50.toFixed(1).padStart(5)} ms  p99 ${p99.toFixed(1).padStart(6)} ms  ${synced} syncs`;
  return [
    `syncs: ${SECRETS} secrets that one commit has changed`,
    ...arrivals.map(arrival),
    `${PACE} reads of one secret in a second, by ${CONNECTIONS} connections`,
    row('alone', reads.alone),
    row('beside a change each second', reads.changes),
    row(`beside a change each second that ${SYNCS} syncs of the project follow`, reads.syncs),
    '',
  ].join('\n');
}
