import { isatty } from 'node:tty';
import type { Logger } from 'pino';
import { readConfig } from './config.ts';
import { openLog } from './log.ts';
import { startServer, type RunningServer } from './start.ts';
import { EXIT, explainStart, StartError } from './start-error.ts';

/** How long everything that is closed after the last request may take, in seconds. */
const CLOSING = 25;

/** The process: starts the server, and stops it on a signal or an uncaught error. */
export async function run(): Promise<void> {
  const { config, warnings } = read();
  const { log, flush } = openLog(config.LOG_LEVEL);
  for (const warning of warnings) log.warn(warning);

  const exit = (code: number): never => {
    flush();
    process.exit(code);
  };
  const starting = startServer(config, log);
  let isStopping = false;
  const stop = async (code: number): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(
      () => {
        log.fatal('The shutdown takes too long: terminating');
        exit(EXIT.bug);
      },
      (config.COFFER_STOP_TIMEOUT + CLOSING) * 1000,
    ).unref();
    const server = await starting.catch(() => undefined);
    await server?.stop();
    if (server) log.info('Coffer has stopped');
    exit(code);
  };
  const end = (code: number) => void stop(code).catch(() => exit(EXIT.bug));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!isStopping) log.info({ signal }, 'Coffer is stopping');
      end(0);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'Uncaught error: Coffer stops and should be restarted');
      end(EXIT.bug);
    });
  }

  try {
    greet(await starting, log);
  } catch (error) {
    if (isStopping) return;
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
      `Create the first administrator: curl ${url}/api/v1/admin/bootstrap -H 'content-type: application/json' -d '${body}'`,
      `From other hosts and through proxies, this needs the set-up code ${setup.code}, which is valid once${setup.file === undefined ? '' : ` (also in ${setup.file})`}`,
    );
    if (rootKeyFile)
      lines.push(`Keep a copy of ${rootKeyFile} apart from your backups: without it nobody can read them`);
  }
  if (isatty(1)) process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('\n')}\n`);
  else for (const line of lines) log.info(line);
}
