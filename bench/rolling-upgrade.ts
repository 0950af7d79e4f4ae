/** Upgrades two processes behind HAProxy from an earlier release to this one, one after the other, under load. No request may fail. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkOut } from './cluster/earlier-release.ts';
import { commandHaproxy, startHaproxy } from './cluster/haproxy.ts';
import { underLoad } from './cluster/load.ts';
import { startPostgres, type ExternalPostgres } from './cluster/postgres.ts';
import { freePorts, type Running } from './subject/server.ts';
import { Run } from './subject/stage.ts';
import { makeWorld } from './subject/world.ts';

const HELP = `pnpm rolling-upgrade --from COMMIT [--clients N]
  --from COMMIT  the release that serves at first; its dependencies have to be those of this one
  --clients N    at once (8)
It needs the Debian packages haproxy and postgresql.`;

const { values } = parseArgs({
  options: { from: { type: 'string' }, clients: { type: 'string', default: '8' } },
});
const NAMES = ['one', 'two'] as const;
/** Milliseconds in which HAProxy notices, and requests that it has sent are answered. */
const NOTICED_MS = 2_000;

const run = new Run();
run.endOnSignals();
try {
  if (values.from === undefined) throw new Error(HELP);
  process.exitCode = (await upgrade(values.from, Number(values.clients))) ? 0 : 1;
} finally {
  await run.close();
}

/** Whether no request failed. */
async function upgrade(from: string, clients: number): Promise<boolean> {
  const earlier = checkOut(from, await run.directory('earlier'));
  const postgres = run.adopt(await startPostgres(await run.directory('postgres')));
  const [port, ...ports] = (await freePorts(3)) as [number, number, number];
  const processes: Running[] = [];
  for (const index of NAMES.keys()) processes.push(await start(index, ports[index]!, postgres, earlier));
  const isAsked = await fetch(`${processes[0]!.url}/readyz`).then(({ ok }) => ok);
  const world = await makeWorld(processes[0]!.url);
  const addresses = {
    '10.0.0.10:80': `127.0.0.1:${port}`,
    '10.0.0.1:8080': `127.0.0.1:${ports[0]}`,
    '10.0.0.2:8080': `127.0.0.1:${ports[1]}`,
    // Releases before 0036 have no /readyz.
    ...(!isAsked && { '/readyz': '/api/status' }),
  };
  const socket = await run.directory('haproxy.sock');
  run.adopt(await startHaproxy('coffer', addresses, await run.directory('haproxy.cfg'), socket));
  const heard = await underLoad(`http://127.0.0.1:${port}`, world, clients, async () => {
    for (const [index, name] of NAMES.entries()) {
      // Without an announced stop, the operator takes the process out.
      if (!isAsked) await commandHaproxy(socket, `set server coffer/${name} state drain`);
      if (!isAsked) await sleep(NOTICED_MS);
      await processes[index]!.stop();
      await start(index, ports[index]!, postgres);
      await commandHaproxy(socket, `set server coffer/${name} state ready`);
      console.log(`${name} is upgraded`);
      await sleep(NOTICED_MS);
    }
  });
  for (const fault of heard.failed.slice(0, 10)) console.log(`  ${fault}`);
  console.log(`${heard.answered} requests answered, ${heard.failed.length} failed`);
  return heard.failed.length === 0 && heard.answered > 0;
}

/** A process of this release, or of the one whose main program is named. */
async function start(
  index: number,
  port: number,
  { url, servingUrl }: ExternalPostgres,
  program?: string,
): Promise<Running> {
  return run.server({
    ...(program !== undefined && { program }),
    dataDir: await run.directory(`process-${index}`),
    environment: {
      PORT: String(port),
      DATABASE_URL: servingUrl,
      COFFER_MIGRATION_DATABASE_URL: url,
      COFFER_ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
      COFFER_STOP_DELAY: '2',
    },
  });
}
