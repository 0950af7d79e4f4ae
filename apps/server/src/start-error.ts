import { DomainError } from '@coffer/domain/offline';
import { EmbeddedPostgresError } from '@coffer/postgres';
import { ConfigError } from './config.ts';

/** Exit codes (sysexits.h): faults of the configuration, and transient ones. */
export const EXIT = { bug: 1, unavailable: 69, configuration: 78 } as const;

/** Coffer cannot start, for a reason that the operator can do something about. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

const PASSES = new Set(['in_use', 'port_taken', 'no_space']);

/** Any failure of a start as one message for the operator; an internal error is not a `StartError`. */
export function explainStart(error: unknown): unknown {
  if (error instanceof ConfigError) return new StartError(error.message, EXIT.configuration, { cause: error });
  if (error instanceof EmbeddedPostgresError) {
    return new StartError(error.message, PASSES.has(error.code) ? EXIT.unavailable : EXIT.configuration, {
      cause: error,
    });
  }
  if (error instanceof DomainError) return new StartError(error.message, EXIT.configuration, { cause: error });
  return error;
}

/** The location of a database, without the password in its URL. */
function locationOf(databaseUrl: string): string {
  const { hostname, port, pathname, username } = new URL(databaseUrl);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}${username && ` (as ${decodeURIComponent(username)})`}`;
}

const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'the server rejects the password',
  '28000': 'the server rejects the user',
  '3D000': 'the database does not exist; create it first',
  '42501':
    'the user lacks the right to create tables in it; make it the owner of the database, or set COFFER_MIGRATION_DATABASE_URL to the URL of one who is',
};

/** A database that cannot be opened, with what to do; `undefined` for other errors. */
export function explainDatabase(
  error: unknown,
  databaseUrl: string,
): { error: StartError; mayPass: boolean } | undefined {
  const where = `the database at ${locationOf(databaseUrl)}`;
  for (let e = error, depth = 0; e instanceof Error && depth < 10; e = e.cause, depth++) {
    const { code, message } = e as Error & { code?: string };
    if (code && code in REFUSALS) {
      const advice = `${where} does not let Coffer in: ${REFUSALS[code]}. Correct DATABASE_URL or the database`;
      return { error: new StartError(advice, EXIT.configuration, { cause: error }), mayPass: false };
    }
    if (isAway(code, message)) {
      const advice = `${where} does not answer (${code ?? message}): is it running, and is DATABASE_URL right?`;
      return { error: new StartError(advice, EXIT.unavailable, { cause: error }), mayPass: true };
    }
  }
  return undefined;
}

/** No connection, or a server that starts, stops or is full (57P03, 57P01, 53300). */
const isAway = (code: string | undefined, message: string) =>
  /^(?:E[A-Z_]+|57P0[1-3]|53300|08...)$/.test(code ?? '') || /timeout|Connection terminated/i.test(message);
