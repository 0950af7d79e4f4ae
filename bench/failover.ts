/**
 * Ends the primary of three PostgreSQL servers under Patroni, again and again in a storm of writes, and checks after each
 * failover whether anything is missing that was acknowledged, and whether Coffer goes on by itself as before.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from './chaos/random.ts';
import { report } from './chaos/report.ts';
import { noFindings, verify } from './chaos/verify.ts';
import { makeWriters } from './chaos/writer.ts';
import { HAPROXY, startHaproxy } from './cluster/haproxy.ts';
import { ETCD, PATRONI, PatroniCluster, type Harm } from './cluster/patroni.ts';
import { makeRoles, POSTGRES } from './cluster/postgres.ts';
import { METRICS, Recovery } from './cluster/recovery.ts';
import { client } from './subject/client.ts';
import { freePorts, type Running } from './subject/server.ts';
import { onDatabase, Run } from './subject/stage.ts';
import { folderOf, makeWorld, type World } from './subject/world.ts';

const HELP = `pnpm failover [options]
  --kills N     how often (20)
  --writers N   at once (8)
  --seed N      the same decisions again; printed at the start
  --harm A,B    of postgres, machine and freeze (all three)
  --limit N     seconds that all may take (90 for each kill, and 300)
  --keep        leaves the directory with all logs
It needs the Debian packages etcd-server, patroni, haproxy and postgresql.`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    writers: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    harm: { type: 'string', default: 'postgres,machine,freeze' },
    limit: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const HARMS: readonly string[] = ['postgres', 'machine', 'freeze'];
const chosen = values.harm.split(',') as Harm[];
if (chosen.some((harm) => !HARMS.includes(harm))) throw new Error(HELP);
const STORM = { least: 500, most: 3_000 };
/** Milliseconds within which the service has to be back. */
const BACK_MS = 15_000;
const PATIENCE_MS = 60_000;

const run = new Run();
run.endOnSignals();
try {
  const missing = [HAPROXY, ETCD, PATRONI].filter((program) => !existsSync(program));
  if (values.help) console.log(HELP);
  else if (missing.length > 0 || !POSTGRES) throw new Error(`${missing.join(', ')} is not installed here\n${HELP}`);
  else process.exitCode = (await failover(Number(values.kills), Number(values.writers), Number(values.seed))) ? 0 : 1;
} finally {
  await run.close({ keep: values.keep });
}

/** Whether nothing was found. */
async function failover(kills: number, count: number, seed: number): Promise<boolean> {
  console.log(`seed ${seed}: ${kills} failovers in the writes of ${count} writers`);
  const random = new Random(seed);
  const deadline = performance.now() + Number(values.limit ?? kills * 90 + 300) * 1000;
  const { cluster, url, processes, world } = await begin();
  const recovery = await Recovery.prepare(world, processes);
  run.adopt({ stop: async () => recovery.close() });
  const writers = await makeWriters(world, count, seed);

  const found = noFindings();
  const back: Record<Harm, number[]> = { postgres: [], machine: [], freeze: [] };
  let killed = 0;
  while (killed < kills && performance.now() < deadline && found.sentences.length === 0) {
    const caller = client(url, world.token);
    for (const writer of writers) writer.start(caller);
    await sleep(random.whole(STORM.least, STORM.most));
    const harm = random.pick(chosen);
    const since = performance.now();
    const name = await cluster.harm(harm);
    killed++;
    const ms = await untilServed(url, world, since);
    back[harm].push(ms);
    if (ms > BACK_MS) found.sentences.push(`After kill ${killed} (${harm}) it served after ${Math.round(ms)} ms`);
    await sleep(random.whole(0, 1_000));
    const stopped = performance.now();
    await Promise.all(writers.map((writer) => writer.stop()));
    const hung = performance.now() - stopped;
    if (hung > BACK_MS)
      found.sentences.push(`A write had no answer for ${Math.round(hung)} ms after the service was back`);
    await cluster.repair();
    await onDatabase(cluster.urlOf('postgres'), async (database) => {
      await verify(database, client(url, world.token), world, writers, found);
      found.sentences.push(...(await recovery.findings(database)));
    });
    const written = writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
    console.log(
      `${String(killed).padStart(4)}  ${harm.padEnd(8)} of ${name.padEnd(5)}  back after ${(ms / 1000).toFixed(2)} s  ${written} writes acknowledged`,
    );
  }
  console.log(`revocations heard after ${Math.round(Math.max(0, ...recovery.revocations))} ms at most`);
  return report({ killed, wanted: kills, writers, found, back });
}

/** The database servers, and two processes behind a proxy on them. */
async function begin(): Promise<{
  cluster: PatroniCluster;
  url: string;
  processes: readonly [Running, Running];
  world: World;
}> {
  const cluster = run.adopt(await PatroniCluster.start(await run.directory('p')));
  await makeRoles(cluster.urlOf('postgres', 'postgres'));
  const [port, first, second] = (await freePorts(3)) as [number, number, number];
  const start = async (own: number) =>
    run.server({
      dataDir: await run.directory(`coffer-${own}`),
      environment: {
        PORT: String(own),
        DATABASE_URL: cluster.urlOf('coffer_serving'),
        COFFER_MIGRATION_DATABASE_URL: cluster.urlOf('coffer'),
        COFFER_ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
        COFFER_METRICS_TOKEN: METRICS,
      },
    });
  const processes = [await start(first), await start(second)] as const;
  const addresses = {
    '10.0.0.10:80': `127.0.0.1:${port}`,
    '10.0.0.1:8080': `127.0.0.1:${first}`,
    '10.0.0.2:8080': `127.0.0.1:${second}`,
  };
  run.adopt(await startHaproxy('coffer', addresses, await run.directory('haproxy.cfg')));
  const url = `http://127.0.0.1:${port}`;
  return { cluster, url, processes, world: await makeWorld(processes[0].url) };
}

/** Milliseconds until a write is acknowledged that was sent after the harm was done. */
async function untilServed(url: string, world: World, since: number): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${world.token}` };
  for (let turn = 0; ; turn++) {
    const body = JSON.stringify({ ...folderOf(world, '/'), secretValue: 'back' });
    const path = `/api/v4/secrets/BACK_${Math.round(since)}_${turn}`;
    const signal = AbortSignal.timeout(1_000);
    const isBack = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal }).then(
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    );
    if (isBack) return performance.now() - since;
    if (performance.now() - since > PATIENCE_MS) throw new Error('It does not serve any more');
    await sleep(50);
  }
}
