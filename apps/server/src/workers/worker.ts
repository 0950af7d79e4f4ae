import { readConfig, type Config } from '../config.ts';
import { CLOSING, Ending } from '../ending.ts';
import { openLog, type OpenLog } from '../log.ts';
import { readRootKey } from '../root-key.ts';
import type { Serving } from '../serve.ts';
import { EXIT, StartError } from '../start-error.ts';
import { closeAll, explainServing, load } from '../start.ts';
import type { PrimaryLink } from './primary-link.ts';
import { configOfWorker } from './share.ts';

/** The process of one worker: serves what the primary says, until the primary says stop. */
export async function runWorker(link: PrimaryLink): Promise<void> {
  // A terminal sends them to all processes: the primary decides.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const task = await link.task;
  const config = configOfWorker(readConfig(process.env).config, task.workers);
  const opened = openLog(config.LOG_LEVEL, task.number);
  try {
    const rootKey = await readRootKey(config);
    const { serve } = await load();
    const closers: Closers = [];
    const { port, database } = task;
    const peers = link.peers(task.workers);
    const starting = serve({ config, log: opened.log, port, rootKey, database, worker: task, peers }, closers);
    await serveUntilStopped(starting, closers, { config, link, ...opened });
  } catch (error) {
    const known = explainServing(error, config);
    if (known instanceof StartError)
      await link.send({ type: 'refused', message: known.message, exitCode: known.exitCode });
    else opened.log.fatal({ err: error }, 'The worker did not start because of an internal error');
    opened.flush();
    process.exit(known instanceof StartError ? known.exitCode : EXIT.bug);
  }
}

type Closers = (() => Promise<void>)[];

/** Reports that it serves, and stops it when the primary says so, or somebody ends this process alone. */
async function serveUntilStopped(
  starting: Promise<Serving>,
  closers: Closers,
  { config, link, log, flush }: OpenLog & { config: Config; link: PrimaryLink },
): Promise<void> {
  /** Of the whole server, or of this worker alone; absent where somebody else ends this process. */
  let stop: 'server' | 'worker' | undefined;
  const ending = new Ending({
    log,
    flush,
    seconds: config.COFFER_STOP_DELAY + config.COFFER_STOP_TIMEOUT + CLOSING,
    async stop() {
      const serving = await starting.catch(() => undefined);
      if (stop === 'worker') await serving?.handOver();
      if (stop === 'server') await serving?.leave();
      await closeAll(closers, log);
    },
  });
  link.onStop = (byAnother) => {
    stop = byAnother ? 'worker' : 'server';
    ending.begin(0);
  };
  process.on('SIGTERM', () => ending.begin(0));
  try {
    const { served } = await starting;
    await link.send({ type: 'serves', served });
  } catch (error) {
    await closeAll(closers, log);
    throw error;
  }
}
