/**
 * Kills the server, its PostgreSQL or both with `kill -9`, again and again in a storm of writes, and checks after each
 * restart whether anything is missing that was acknowledged, half done, or done without its audit event.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { KeyUser, verifyKeys } from './chaos/key-user.ts';
import { Random } from './chaos/random.ts';
import { report } from './chaos/report.ts';
import { noFindings, verify, type Findings } from './chaos/verify.ts';
import { makeWriters, type Writer } from './chaos/writer.ts';
import { client } from './subject/client.ts';
import { embeddedDatabase, hasEnded, type Running } from './subject/server.ts';
import { onDatabase, Run } from './subject/stage.ts';
import { makeWorld, type World } from './subject/world.ts';

const HELP = `pnpm chaos [options]
  --kills N     how often (50)
  --writers N   of secrets, at once (16)
  --keys N      users of keys of the KMS, at once (4)
  --seed N      the same decisions again; printed at the start
  --victims A,B of server, database and both (all three)
  --limit N     seconds that all may take (30 for each kill, and 120)
  --keep        leaves the data directory and the log of the server`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    writers: { type: 'string', default: '16' },
    keys: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    victims: { type: 'string', default: 'server,database,both' },
    limit: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

type Victim = 'server' | 'database' | 'both';
const WEIGHTS: Readonly<Record<Victim, number>> = { server: 5, database: 3, both: 2 };
const chosen = values.victims.split(',') as Victim[];
const victims = Object.fromEntries(chosen.map((victim) => [victim, WEIGHTS[victim]])) as Record<Victim, number>;
if (chosen.some((victim) => !(victim in WEIGHTS))) throw new Error(HELP);
const STORM = { least: 150, most: 1200 };
const PATIENCE = 30_000;
/** Errors of a database that is starting: 57P03 is PostgreSQL's code. */
const AWAY = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P03']);

const run = new Run();
run.endOnSignals();
try {
  if (values.help) console.log(HELP);
  else process.exitCode = (await chaos(Number(values.kills), Number(values.writers), Number(values.seed))) ? 0 : 1;
} finally {
  await run.close({ keep: values.keep });
}

/** Whether nothing was found. */
async function chaos(kills: number, count: number, seed: number): Promise<boolean> {
  const keyUsers = Number(values.keys);
  console.log(`seed ${seed}: ${kills} kills in the writes of ${count} writers and ${keyUsers} users of keys`);
  const random = new Random(seed);
  const deadline = performance.now() + Number(values.limit ?? kills * 30 + 120) * 1000;
  const dataDir = await run.directory('chaos');
  let server = await run.server({ dataDir });
  const world = await makeWorld(server.url);
  const writers = await makeWriters(world, count, seed);
  const users = Array.from(
    { length: keyUsers },
    (_, i) => new KeyUser(`keys-${i}`, world, new Random(seed * 2000 + i)),
  );
  const all = [...writers, ...users];

  const found = noFindings();
  const back: Record<Victim, number[]> = { server: [], database: [], both: [] };
  let killed = 0;
  while (killed < kills && performance.now() < deadline && found.sentences.length === 0) {
    const caller = client(server.url, world.token);
    for (const one of all) one.start(caller);
    await sleep(random.whole(STORM.least, STORM.most));
    const victim = random.weighted(victims);
    const pause = random.whole(0, 60);
    await kill(victim, server, dataDir, pause);
    killed++;
    const since = performance.now();
    try {
      if (victim === 'database') await untilHealed(server, world);
      else server = await run.server({ dataDir });
    } catch (error) {
      found.sentences.push(`After kill ${killed} (${victim}): ${(error as Error).message}`);
      break;
    }
    back[victim].push(performance.now() - since);
    await Promise.all(all.map((one) => one.stop()));
    await look(dataDir, server, world, { writers, users }, found);
    const written = all.reduce((sum, one) => sum + one.acknowledged, 0);
    console.log(
      `${String(killed).padStart(4)}  ${victim.padEnd(8)}  back after ${(back[victim].at(-1)! / 1000).toFixed(2)} s  ${written} writes acknowledged`,
    );
  }
  await Promise.all(all.map((one) => one.stop()));
  return report({ killed, wanted: kills, writers, users, found, back });
}

/** Kills processes that this run started. */
async function kill(victim: Victim, server: Running, dataDir: string, pause: number): Promise<void> {
  if (victim !== 'server') await killDatabase(dataDir);
  if (victim === 'database') return;
  if (victim === 'both') await sleep(pause);
  server.child.kill('SIGKILL');
  for (let waited = 0; !hasEnded(server.child) && waited < PATIENCE; waited += 5) await sleep(5);
}

/** The postmaster of our own data directory, and no other process that may have its number by now. */
async function killDatabase(dataDir: string): Promise<void> {
  const { pid } = await embeddedDatabase(dataDir);
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (!command.includes(dataDir)) throw new Error(`Process ${pid} is not the database server of ${dataDir}`);
  process.kill(pid, 'SIGKILL');
}

/** The server restarts its database automatically, and continues to serve. */
async function untilHealed(server: Running, { projectId, token }: World): Promise<void> {
  const caller = client(server.url, token);
  for (const deadline = performance.now() + PATIENCE; ;) {
    try {
      await caller('GET', `/api/v1/projects/${projectId}`);
      return;
    } catch (error) {
      if (performance.now() > deadline || hasEnded(server.child))
        throw new Error(`The server did not recover from the loss of its database: ${(error as Error).message}`, {
          cause: error,
        });
      await sleep(20);
    }
  }
}

async function look(
  dataDir: string,
  server: Running,
  world: World,
  { writers, users }: { readonly writers: readonly Writer[]; readonly users: readonly KeyUser[] },
  found: Findings,
): Promise<void> {
  for (const deadline = performance.now() + PATIENCE; ; await sleep(20)) {
    try {
      const { url } = await embeddedDatabase(dataDir);
      await onDatabase(url, async (database) => {
        const caller = client(server.url, world.token);
        await verify(database, caller, world, writers, found);
        await verifyKeys(database, caller, users, found);
      });
      return;
    } catch (error) {
      // A session of the killed database may still have answered.
      if (!AWAY.has((error as { code?: string }).code ?? '') || performance.now() > deadline) throw error;
    }
  }
}
