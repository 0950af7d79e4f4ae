import { isatty } from 'node:tty';
import type { Logger } from 'pino';
import { readConfig } from './config.ts';
import { CLOSING, Ending } from './ending.ts';
import { openLog } from './log.ts';
import { startServer, type RunningServer } from './start.ts';
import { EXIT, explainStart, StartError } from './start-error.ts';

/** The process: starts the server, and stops it on a signal or an uncaught error. */
export async function run(): Promise<void> {
  const { config, warnings } = read();
  const { log, flush } = openLog(config.LOG_LEVEL);
  for (const warning of warnings) log.warn(warning);

  const starting = startServer(config, log);
  const ending = new Ending({
    log,
    flush,
    // Workers have that long, too, before the rest is closed.
    seconds: config.COFFER_STOP_DELAY + config.COFFER_STOP_TIMEOUT + CLOSING * (config.COFFER_WORKERS === 1 ? 1 : 2),
    async stop() {
      const server = await starting.catch(() => undefined);
      await server?.stop();
      if (server) log.info('Coffer has stopped');
    },
  });
  const stop = (signal: NodeJS.Signals) => {
    if (!ending.isUnderWay) log.info({ signal }, 'Coffer is stopping');
    ending.begin(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  // In a terminal, the signal means that the terminal is gone.
  const replacesWorkers = config.COFFER_WORKERS > 1 && !isatty(0);
  process.on('SIGHUP', (signal) => {
    if (!replacesWorkers) stop(signal);
    else
      starting.then(
        ({ workers }) => workers?.restart(),
        () => undefined,
      );
  });

  try {
    const server = await starting;
    const { workers } = server;
    if (workers)
      workers.onLost = ({ message, exitCode }) => {
        log.fatal(`Coffer is stopping: ${message}`);
        ending.begin(exitCode);
      };
    greet(server, log);
  } catch (error) {
    if (ending.isUnderWay) return;
    if (!(error instanceof StartError)) log.fatal({ err: error }, 'Coffer did not start because of an internal error');
    flush();
    fail(error);
  }
}

function read(): ReturnType<typeof readConfig> {
  try {
    return readConfig(process.env);
  } catch (error) {
    return fail(explainStart(error));
  }
}

/** One message, and an exit code that tells whether a retry may help. */
function fail(error: unknown): never {
  const isKnown = error instanceof StartError;
  const reason = isKnown ? error.message : 'an internal error; the log has the details';
  process.stderr.write(`Coffer did not start: ${reason}\n`);
  process.exit(isKnown ? error.exitCode : EXIT.bug);
}

/** Where it serves, and the first steps. */
function greet({ url, setup, minPasswordLength, rootKeyFile, hints }: RunningServer, log: Logger): void {
  const lines = [`Coffer serves on ${url} (API: ${url}/api/docs)`, ...hints];
  if (setup) {
    const body = JSON.stringify({
      email: 'you@example.com',
      password: `at least ${minPasswordLength} characters`,
      organization: 'My company',
      ...(setup.isRequired && { setupCode: setup.code }),
    });
    lines.push(
      `Open ${url} in a browser, or create the first administrator by curl: curl ${url}/api/v1/admin/bootstrap -H 'content-type: application/json' -d '${body}'`,
      `From other hosts and through proxies, this needs the set-up code ${setup.code}, which is valid once${setup.file === undefined ? '' : ` (also in ${setup.file})`}`,
    );
    if (rootKeyFile)
      lines.push(`Keep a copy of ${rootKeyFile} apart from your backups: without it nobody can read them`);
  }
  if (isatty(1)) process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('\n')}\n`);
  else for (const line of lines) log.info(line);
}
