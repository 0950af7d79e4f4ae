import type { Actor } from './actor.ts';
import type { MaybePromise } from './maybe-promise.ts';

/**
 * The error class for all expected errors. `kind` determines the HTTP status, `code` is stable for clients, `message`
 * says what the caller can do. Messages and details never contain a secret value, a token or a key. Any other exception
 * is a bug: it is logged completely and answered as an internal error.
 */
export type ErrorKind =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'outdated'
  | 'too_large'
  | 'misdirected'
  | 'unsupported_media_type'
  | 'invalid'
  | 'rate_limited'
  | 'unavailable';

export interface DomainErrorOptions {
  details?: unknown;
  /** The reason, for callers that may know it; a separate key in the body. */
  explanation?: unknown;
  /**
   * The `error` field of the published body, if it differs from the default of the kind (`PermissionBoundaryError`).
   */
  name?: string;
  cause?: unknown;
  /** Seconds after which the call may be tried again; sent as `Retry-After`. */
  retryAfter?: number | undefined;
  /** For the audit log, never answered: which permission was refused, and in which project; `null` for one of the organization. */
  refused?: { readonly permission: string; readonly projectId: string | null | undefined };
  /** For the audit log, never answered: whose credential was valid, and refused before the call was theirs. */
  caller?: Actor;
}

export class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly details: unknown;
  readonly explanation: unknown;
  readonly publicName: string | undefined;
  readonly retryAfter: number | undefined;
  readonly refused: DomainErrorOptions['refused'];
  readonly caller: Actor | undefined;

  constructor(kind: ErrorKind, code: string, message: string, options: DomainErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'DomainError';
    this.kind = kind;
    this.code = code;
    this.details = options.details;
    this.explanation = options.explanation;
    this.publicName = options.name;
    this.retryAfter = options.retryAfter;
    this.refused = options.refused;
    this.caller = options.caller;
  }
}

/**
 * 400: the request is well formed, but a rule of the business forbids it. `cause`: the refusal for which it stands, which the
 * audit log records.
 */
export const badRequest = (code: string, message: string, details?: unknown, cause?: unknown) =>
  new DomainError('bad_request', code, message, { details, cause });

/** How packages without this module reject input. */
interface RejectedInput extends Error {
  readonly code: string;
  readonly details?: unknown;
}

/** Makes functions of such a package throw their errors of this class as 400 with the same code. */
export function badRequestsFor(rejected: abstract new (...args: never[]) => RejectedInput) {
  const rethrow = (error: unknown): never => {
    throw error instanceof rejected ? badRequest(error.code, error.message, error.details) : error;
  };
  return <A extends unknown[], R>(work: (...args: A) => R): ((...args: A) => R) =>
    (...args) => {
      try {
        const result = work(...args);
        return result instanceof Promise ? (result.catch(rethrow) as R) : result;
      } catch (error) {
        return rethrow(error);
      }
    };
}

/** 401: no credential, or one that is invalid, expired, revoked or used up. The message never says which. */
export const unauthenticated = (code: string, message: string) => new DomainError('unauthenticated', code, message);

/** The same 401 for a bearer token of any kind, or API key, that is unknown, expired, revoked or used up, and for text that is none. */
export const refusedToken = () =>
  unauthenticated(
    'auth.invalid_token',
    'The access token or API key is not valid: it is unknown, expired, revoked or used up',
  );

/** 403: known, but not allowed. */
export const forbidden = (code: string, message: string, options: DomainErrorOptions = {}) =>
  new DomainError('forbidden', code, message, options);

/**
 * 404: unknown, or not visible to this caller; both responses are identical. `details` contain only what the caller
 * sent.
 */
export const notFound = (thing: string, details?: Record<string, unknown>) =>
  new DomainError('not_found', `${thing.replaceAll(' ', '_')}.not_found`, `There is no such ${thing}`, { details });

/** Also 400 (the published API has no 409): the request conflicts with the stored state. */
export const conflict = (code: string, message: string, details?: unknown) =>
  new DomainError('conflict', code, message, { details });

/** 409: what the caller has read, and says so, is another one now. Only for operations that take a version. */
export const outdated = (code: string, message: string, details: Record<string, unknown>) =>
  new DomainError('outdated', code, message, { details });

/** 503: Coffer cannot serve this now (the audit log cannot be written, the database is away). */
export const unavailable = (code: string, message: string, cause?: unknown) =>
  new DomainError('unavailable', code, message, { cause, retryAfter: 1 });

/**
 * The error for a refusal beyond a limit of refusals: the 429 of the limit, with the refusal as its cause, which the audit
 * log records (`refusalBehind`) and nobody is answered. Within the limit, the refusal itself.
 */
export const beyondLimit = (refusal: DomainError, limit: DomainError | undefined): DomainError =>
  limit
    ? new DomainError(limit.kind, limit.code, limit.message, { retryAfter: limit.retryAfter, cause: refusal })
    : refusal;

/** The refusal that a limit of refusals has replaced by its 429; any other error is itself. */
export const refusalBehind = (error: DomainError): DomainError =>
  error.kind === 'rate_limited' && error.cause instanceof DomainError ? error.cause : error;

/** Each has a digit, unlike `EPIPE`. */
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** The code of a PostgreSQL error (`23505` is a unique violation) and the constraint's name, if any. */
export function databaseFault(error: unknown): { sqlState: string; constraint: string | undefined } | undefined {
  // Causes can form a cycle.
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 10; e = e.cause, depth++) {
    const { code, constraint } = e as { code?: unknown; constraint?: unknown };
    if (typeof code === 'string' && SQL_STATE.test(code)) {
      return { sqlState: code, constraint: typeof constraint === 'string' ? constraint : undefined };
    }
  }
  return undefined;
}

/** The own property of an error of a connection to Coffer's database. A name, so that it survives being wrapped by the entity manager. */
const OF_CONNECTION = 'isOfDatabaseConnection';

/**
 * Marks an error that a connection to Coffer's database has reported. Its code alone does not tell: a client that
 * disconnects is an `ECONNRESET` too.
 */
export function markDatabaseConnectionError(error: Error): void {
  Object.defineProperty(error, OF_CONNECTION, { value: true, configurable: true });
}

export const isDatabaseConnectionError = (error: Error): boolean => OF_CONNECTION in error;

/** What a search finds; `undefined` for its 404. */
export async function orUnknown<T>(search: MaybePromise<T>): Promise<T | undefined> {
  try {
    return await search;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** Whether an error is a 403: what is known to the caller is not allowed. */
export const isForbiddenError = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.kind === 'forbidden';

/** Whether an error says that a right is missing. To those who are not members of a place, it is unknown. */
export const isRefusal = (error: unknown): error is DomainError =>
  isForbiddenError(error) || (error instanceof DomainError && error.kind === 'not_found');

/** Whether a check passes. `isNo`: which errors say that it does not. @throws all others. */
export async function isPermitted(
  check: () => Promise<unknown>,
  isNo: (error: unknown) => boolean = isRefusal,
): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (error) {
    if (isNo(error)) return false;
    throw error;
  }
}

/** The result of work with stored fields; `undefined` where these are not valid, or no longer. */
export function unlessInvalid<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
