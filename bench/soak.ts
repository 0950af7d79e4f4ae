/**
 * An hour of mixed load at a bounded rate: every answer has to be the expected one, memory has to stay as it is, and answers may not
 * become slower.
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { POSTGRES, startPostgres } from './cluster/postgres.ts';
import { Caller } from './soak/caller.ts';
import { prepareFixtures } from './soak/fixtures.ts';
import { Machine } from './soak/machine.ts';
import { lookAt, METRICS } from './soak/minute.ts';
import { Requests } from './soak/requests.ts';
import { closing, judged, showMinute, type Minute } from './soak/report.ts';
import { watch } from './soak/watcher.ts';
import { embeddedDatabase } from './subject/server.ts';
import { Run } from './subject/stage.ts';
import { makeWorld } from './subject/world.ts';

const HELP = `pnpm soak [options]
  --minutes N      (60)
  --workers N      COFFER_WORKERS (2)
  --rate N         requests in a second, of all callers (100)
  --callers N      each with one request at a time (16)
  --seed N         the same decisions again; printed at the start
  --debian         starts PostgreSQL of Debian's packages with a directory of its own, in place of the embedded one
  --json FILE      all figures
  --keep           leaves the directory with all logs
With DATABASE_URL, which has to name an empty database, it uses that PostgreSQL; COFFER_MIGRATION_DATABASE_URL names the owner of the
tables, if that is another role.`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    workers: { type: 'string', default: '2' },
    rate: { type: 'string', default: '100' },
    callers: { type: 'string', default: '16' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    debian: { type: 'boolean', default: false },
    json: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const MINUTE_MS = 60_000;
const WATCHERS = 4;

const run = new Run();
run.endOnSignals();
try {
  if (values.help) console.log(HELP);
  else process.exitCode = (await soak()) ? 0 : 1;
} finally {
  await run.close({ keep: values.keep });
}

interface Database {
  readonly url: string;
  /** Of a role that counts rows, and may create roles if it can. */
  readonly ownerUrl: string;
  readonly pid: number | undefined;
}

/** The database that the server does not run itself; `undefined` for its own. */
async function externalDatabase(): Promise<Database | undefined> {
  const { DATABASE_URL: url, COFFER_MIGRATION_DATABASE_URL: ownerUrl } = process.env;
  if (url && !values.debian) return { url, ownerUrl: ownerUrl || url, pid: undefined };
  if (!values.debian) return undefined;
  if (!POSTGRES) throw new Error(`PostgreSQL is not installed here\n${HELP}`);
  const postgres = run.adopt(await startPostgres(await run.directory('postgres'), { isDurable: true }));
  return { url: postgres.servingUrl, ownerUrl: postgres.url, pid: postgres.child.pid! };
}

/** Whether nothing was found. */
async function soak(): Promise<boolean> {
  const [minutes, rate, count, seed] = [values.minutes, values.rate, values.callers, values.seed].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const external = await externalDatabase();
  const dataDir = await run.directory('soak');
  const server = await run.server({
    dataDir,
    nodeFlags: ['--import', import.meta.resolve('./measure/heap.ts')],
    environment: {
      COFFER_WORKERS: values.workers,
      COFFER_METRICS_TOKEN: METRICS,
      ...(external && {
        DATABASE_URL: external.url,
        COFFER_MIGRATION_DATABASE_URL: external.ownerUrl,
        COFFER_ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
      }),
    },
  });
  const database: Database = external ?? (await embedded(dataDir));
  const world = await makeWorld(server.url);
  const fixtures = await prepareFixtures(world, database.ownerUrl);
  const requests = new Requests(server.url, rate);
  const callers = await Promise.all(
    Array.from({ length: count }, (_, n) => Caller.make(`caller-${n}`, fixtures, requests, seed * 1000 + n)),
  );
  const machine = run.adopt(await Machine.start());
  const counting = new pg.Client({ connectionString: database.ownerUrl });
  await counting.connect();
  run.adopt({ stop: () => counting.end() });
  console.log(
    `seed ${seed}: ${minutes} minutes of ${rate} requests a second by ${count} callers, ${values.workers} workers, ${await version(counting)}`,
  );

  const ending = new AbortController();
  const works = [
    ...callers.map((caller) => caller.run(ending.signal)),
    ...Array.from({ length: WATCHERS }, () => watch(world, ending.signal)),
    machine.run(ending.signal),
  ];
  const failed = Promise.all(works).then(() => undefined);
  const series: Minute[] = [];
  const started = performance.now();
  try {
    for (let minute = 1; minute <= minutes; minute++) {
      await Promise.race([failed, sleep(Math.max(0, started + minute * MINUTE_MS - performance.now()))]);
      const present = await lookAt({ url: server.url, pid: server.pid, postgresPid: database.pid, database: counting });
      const one: Minute = { minute, ...requests.take(), machine: machine.take(), present };
      series.push(one);
      console.log(showMinute(one, series.at(-2)));
      for (const fault of one.unexpected.slice(0, 10)) console.log(`    ${JSON.stringify(fault)}`);
      if (values.json) await writeFile(values.json, closing(series).json);
    }
  } finally {
    ending.abort();
    await failed;
  }
  console.log(closing(series).text);
  const verdict = judged(series);
  for (const sentence of verdict.sentences) console.log(sentence);
  return verdict.isPassed;
}

async function embedded(dataDir: string): Promise<Database> {
  const { url, pid } = await embeddedDatabase(dataDir);
  return { url, ownerUrl: url, pid };
}

async function version(database: pg.Client): Promise<string> {
  const { rows } = await database.query<{ text: string }>(
    `select 'PostgreSQL ' || current_setting('server_version') as text`,
  );
  return rows[0]!.text;
}
