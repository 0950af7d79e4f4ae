import { setTimeout as sleep } from 'node:timers/promises';
import { client, type Client } from '../subject/client.ts';
import type { Run } from '../subject/stage.ts';
import { ENVIRONMENT, makeWorld, writeSecrets, type World } from '../subject/world.ts';
import type { Load } from './load.ts';
import { putLoad } from './sample.ts';

/** Requests that the caller with many has under way at a time. */
const HEAVY = 200;
/** Milliseconds between two requests of the caller with few. */
const PAUSE = 5;
/** Milliseconds until the load is at full speed. */
const RAMP = 1000;

/** The latencies of the caller with few requests, in milliseconds. */
export interface Waits {
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
}

export interface Fairness {
  readonly alone: Waits;
  readonly unfair: Waits;
  readonly fair: Waits;
}

interface Subject {
  readonly heavy: Load;
  readonly light: Client;
  readonly path: string;
}

/** One caller that reads a secret every few milliseconds, alone and beside another with 200 concurrent requests. */
export async function measureFairness(run: Run, seconds: number): Promise<Fairness> {
  const fair = await subject(run, 'fair', {});
  const alone = await waitsOf(fair, seconds);
  const beside = await waitsBeside(fair, seconds);
  await run.close();
  const unfair = await waitsBeside(await subject(run, 'unfair', { COFFER_CONCURRENCY: '0' }), seconds);
  return { alone, unfair, fair: beside };
}

async function subject(run: Run, name: string, environment: Record<string, string>): Promise<Subject> {
  const server = await run.server({ dataDir: await run.directory(name), environment });
  const world = await makeWorld(server.url);
  await writeSecrets(world, 'SECRET_', 100);
  const place = `projectId=${world.projectId}&environment=${ENVIRONMENT}&secretPath=%2F`;
  const paths = Array.from({ length: 100 }, (_, i) => `/api/v4/secrets/SECRET_${i}?${place}`);
  const heavy = { url: server.url, headers: { authorization: `Bearer ${world.token}` }, method: 'GET', paths };
  return { heavy, light: await anotherReader(world, server.url), path: paths[0]! };
}

/** Another machine identity that may read the project. */
async function anotherReader({ admin, organizationId, projectId }: World, url: string): Promise<Client> {
  const { identity } = await admin<{ identity: { id: string } }>('POST', '/api/v1/identities', {
    name: 'light',
    organizationId,
  });
  const method = `/api/v1/auth/token-auth/identities/${identity.id}`;
  await admin('POST', method, {});
  await admin('POST', `/api/v2/workspace/${projectId}/identity-memberships/${identity.id}`, { role: 'viewer' });
  const { accessToken } = await admin<{ accessToken: string }>('POST', `${method}/tokens`, { name: 'light' });
  return client(url, accessToken);
}

async function waitsBeside(given: Subject, seconds: number): Promise<Waits> {
  const load = putLoad({ ...given.heavy, connections: HEAVY, seconds: seconds + (2 * RAMP) / 1000 });
  await sleep(RAMP);
  const waits = await waitsOf(given, seconds);
  const { failures } = await load;
  if (Object.keys(failures).length > 0) throw new Error(`The load failed: ${JSON.stringify(failures)}`);
  return waits;
}

async function waitsOf({ light, path }: Subject, seconds: number): Promise<Waits> {
  const waits: number[] = [];
  for (const until = performance.now() + seconds * 1000; performance.now() < until; await sleep(PAUSE)) {
    const started = performance.now();
    await light('GET', path);
    waits.push(performance.now() - started);
  }
  waits.sort((a, b) => a - b);
  const quantile = (part: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0;
  return { p50: quantile(0.5), p99: quantile(0.99), requests: waits.length };
}

export function showFairness({ alone, unfair, fair }: Fairness): string {
  const row = (name: string, { p50, p99 }: Waits) =>
    `  ${name.padEnd(44)}p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms`;
  return [
    'fairness: one caller reads a secret every 5 ms',
    row('alone', alone),
    row(`beside ${HEAVY} requests, first come, first served`, unfair),
    row(`beside ${HEAVY} requests, callers take turns`, fair),
    '',
  ].join('\n');
}
