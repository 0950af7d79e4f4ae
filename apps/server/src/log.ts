import { isatty } from 'node:tty';
import type { Log } from '@coffer/domain';
import { databaseFault } from '@coffer/domain/offline';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { stackInSources } from './bundle/stack.ts';
import type { Config } from './config.ts';

export interface OpenLog {
  readonly log: Logger;
  /** Flushes pending lines. */
  readonly flush: () => void;
}

const FLUSH_MS = 500;

/** What one write may have, so that a pipe keeps it together: lines of several processes do not mix. */
const ATOMIC = 4096;

/**
 * Lines of JSON on standard output, collected for half a second; in a terminal, text for people. `worker`: the number of
 * this process, which each line then names.
 */
export function openLog(level: Config['LOG_LEVEL'], worker?: number): OpenLog {
  const make = (destination: DestinationStream) => {
    const log = makeLog(level, destination);
    return worker === undefined ? log : log.child({ worker });
  };
  if (isatty(1))
    return {
      log: make({ write: (line) => void process.stdout.write(forPeople(line)) }),
      flush: () => undefined,
    };
  const destination = pino.destination({
    fd: 1,
    sync: false,
    ...(worker === undefined ? { minLength: ATOMIC } : { minLength: ATOMIC / 2, maxWrite: ATOMIC }),
    periodicFlush: FLUSH_MS,
  });
  // The reader of our output is gone: continue to serve.
  destination.on('error', () => undefined);
  return {
    log: make(destination),
    flush: () => {
      try {
        destination.flushSync();
      } catch {
        // It was never opened, or is closed.
      }
    },
  };
}

/**
 * The log of the server. Bodies and headers are never logged; as a second defence, values of fields with credentials
 * are redacted.
 */
export function makeLog(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (fields) => hideCredentials(fields) },
      serializers: { err: describeError },
    },
    destination,
  );
}

const CREDENTIALS =
  /authorization|cookie|passw|token|secret|credential|api-?key$|^(?:value|key|headers|body|query|sql|parameters)$/i;
const isCredential = new Map<string, boolean>();

/** Returns the same object if no field has a credential: this runs for every line. */
function hideCredentials(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  let shown = fields;
  for (const name in fields) {
    const value = fields[name];
    let hidden = isCredential.get(name);
    if (hidden === undefined) {
      hidden = CREDENTIALS.test(name);
      if (isCredential.size < 1000) isCredential.set(name, hidden);
    }
    const safe = hidden ? '(hidden)' : isPlain(value) && depth < 5 ? hideCredentials(value, depth + 1) : value;
    if (safe !== value) shown = { ...shown, [name]: safe };
  }
  return shown;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Error);

/** The classes of SQLSTATE whose messages quote parameters. */
const QUOTES_VALUES = /^(?:22|23|P0|44)/;

/**
 * The loggable form of an error: its type and origin, without data. Messages of PostgreSQL quote values, those of the
 * entity manager complete statements, and those of JSON.parse the text.
 */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table, column, routine } = error as unknown as Record<string, unknown>;
  const fault = databaseFault(error);
  return {
    type: error.name,
    message: fault
      ? QUOTES_VALUES.test(fault.sqlState)
        ? `SQLSTATE ${fault.sqlState}`
        : firstLine(error.message)
      : withoutText(error.message),
    ...Object.fromEntries(
      Object.entries({ code, constraint, table, column, routine }).filter(([, value]) => typeof value === 'string'),
    ),
    stack: stackInSources(
      (error.stack ?? '')
        .split('\n')
        .filter((line) => line.startsWith('    at '))
        .join('\n'),
    ),
    ...(error.cause !== undefined && depth < 5 && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** The entity manager prepends the statement to the message: `insert into … - null value in column …`. */
const firstLine = (message: string) =>
  message
    .slice(message.lastIndexOf(' - ') + 1)
    .trim()
    .slice(0, 500);

const withoutText = (message: string) => (message.includes('JSON') ? 'Text is not valid JSON' : message.slice(0, 2000));

interface Line {
  level: string;
  time: string;
  msg?: string;
  err?: { type?: string; message?: string; stack?: string };
  [field: string]: unknown;
}

/** `12:00:01 info  Coffer serves {"url":"http://127.0.0.1:8080"}` */
function forPeople(text: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(text) as Line;
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  const cause = err ? `\n         ${err.type}: ${err.message}\n${err.stack ?? ''}` : '';
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${msg}${rest}${cause}\n`;
}

/** The log that the database process of our own speaks to. */
export const forPostgres =
  (log: Log) =>
  (level: 'debug' | 'info' | 'warn' | 'error', message: string, details: object = {}): void =>
    log[level](details, message);
