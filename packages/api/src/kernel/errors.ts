import {
  databaseFault,
  DomainError,
  isDatabaseConnectionError,
  translate,
  unavailable,
  type ErrorKind,
} from '@coffer/domain';
import { TRPCError } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { z } from 'zod';

/** The published body of every error. On 422 `message` is the list of issues, as clients expect it. */
export interface ErrorBody {
  reqId: string;
  statusCode: number;
  message: string | object[];
  error: string;
  details?: unknown;
  /** Of a 403: which rule decided, and what would allow. */
  explanation?: unknown;
}

const KINDS: Record<ErrorKind, { status: number; name: string; code: TRPCError['code'] }> = {
  bad_request: { status: 400, name: 'BadRequest', code: 'BAD_REQUEST' },
  conflict: { status: 400, name: 'BadRequest', code: 'BAD_REQUEST' },
  outdated: { status: 409, name: 'Conflict', code: 'CONFLICT' },
  unauthenticated: { status: 401, name: 'UnauthorizedError', code: 'UNAUTHORIZED' },
  forbidden: { status: 403, name: 'ForbiddenError', code: 'FORBIDDEN' },
  not_found: { status: 404, name: 'NotFound', code: 'NOT_FOUND' },
  too_large: { status: 413, name: 'PayloadTooLarge', code: 'PAYLOAD_TOO_LARGE' },
  unsupported_media_type: { status: 415, name: 'UnsupportedMediaType', code: 'UNSUPPORTED_MEDIA_TYPE' },
  misdirected: { status: 421, name: 'MisdirectedRequest', code: 'BAD_REQUEST' },
  invalid: { status: 422, name: 'ValidationFailure', code: 'UNPROCESSABLE_CONTENT' },
  rate_limited: { status: 429, name: 'RateLimitExceeded', code: 'TOO_MANY_REQUESTS' },
  unavailable: { status: 503, name: 'ServiceUnavailable', code: 'SERVICE_UNAVAILABLE' },
};

export interface PublicError {
  readonly body: ErrorBody;
  /** Stable, for programs: `tag.not_found`. */
  readonly code: string;
  readonly trpcCode: TRPCError['code'];
  readonly retryAfter: number | undefined;
  /** An internal error: the response contains nothing of it, the log everything. */
  readonly isBug: boolean;
  /** For the log: the cause of an outage (503), or the database's message about the caller's input. */
  readonly underlying: unknown;
}

/** Maximum number of issues in a response: a long list of invalid elements has one each. */
const ISSUES = 100;

/** The only place where an error becomes a response. */
export function publicError(error: unknown, reqId: string): PublicError {
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
  if (cause instanceof DomainError) return answer(cause, reqId);
  if (cause instanceof z.ZodError && isInput(error)) {
    const { status, name, code } = KINDS.invalid;
    return {
      body: { reqId, statusCode: status, message: cause.issues.slice(0, ISSUES).map(withoutInput), error: name },
      code: 'input.invalid',
      trpcCode: code,
      retryAfter: undefined,
      isBug: false,
      underlying: undefined,
    };
  }
  if (isBusy(cause))
    return answer(
      unavailable('server.busy', 'The server is busy: too many requests need the database; try again', cause),
      reqId,
    );
  if (isDatabaseAway(cause))
    return answer(unavailable('database.away', 'The database does not respond; try again', cause), reqId);
  const translated = databaseFault(cause)?.sqlState === CUT_OFF ? unstorable() : translate(cause);
  if (translated instanceof DomainError) return answer(translated, reqId, cause);
  const fault = error instanceof TRPCError ? PROTOCOL_FAULTS[error.code] : undefined;
  if (fault) return answer(fault(), reqId);
  return {
    body: {
      reqId,
      statusCode: 500,
      message: 'Internal server error. The server log has the details under this reqId',
      error: 'InternalServerError',
    },
    code: 'internal',
    trpcCode: 'INTERNAL_SERVER_ERROR',
    retryAfter: undefined,
    isBug: true,
    underlying: undefined,
  };
}

function answer(error: DomainError, reqId: string, underlying?: unknown): PublicError {
  const { kind, code, message, details, explanation, publicName, retryAfter } = error;
  const { status, name, code: trpcCode } = KINDS[kind];
  return {
    body: {
      reqId,
      statusCode: status,
      message: kind === 'invalid' ? issuesOf(error) : message,
      error: publicName ?? name,
      ...(details !== undefined && { details }),
      ...(explanation !== undefined && { explanation }),
    },
    code,
    trpcCode,
    retryAfter,
    isBug: false,
    underlying: kind === 'unavailable' ? error : underlying,
  };
}

/** On 422 the list that clients expect, also where a rule of the domain refuses what the schema let through. */
const issuesOf = ({ message, details }: DomainError): object[] =>
  Array.isArray(details) ? (details as object[]) : [{ code: 'custom', path: [], message }];

const unstorable = () =>
  new DomainError('bad_request', 'input.unstorable', 'A text or number in the input cannot be stored');
const malformed = () => new DomainError('bad_request', 'request.malformed', 'The request is malformed');

/** What tRPC itself refuses. */
const PROTOCOL_FAULTS: Partial<Record<TRPCError['code'], () => DomainError>> = {
  NOT_FOUND: () => new DomainError('not_found', 'procedure.not_found', 'There is no such procedure'),
  METHOD_NOT_SUPPORTED: () =>
    new DomainError('bad_request', 'request.method', 'Send queries with GET and mutations with POST'),
  PARSE_ERROR: malformed,
  BAD_REQUEST: malformed,
  UNSUPPORTED_MEDIA_TYPE: () =>
    new DomainError('unsupported_media_type', 'request.media_type', 'Send the body as application/json'),
  PAYLOAD_TOO_LARGE: () => new DomainError('too_large', 'request.too_large', 'The body is too large'),
};

/** Connection lost or refused, server shutting down or starting, too many connections, statement cancelled for its time. */
const AWAY_STATES = /^(?:08(?!P01)...|57P0[1-5]|57014|53300)$/;
/** The entity manager writes values into its statements, where NUL ends them too early: a violation of the protocol. */
const CUT_OFF = '08P01';
/** The driver's own failures. */
const AWAY_MESSAGES = /^(?:Connection terminated|Client has encountered a connection error|Query read timeout)/;

/** The pool's own: all its connections were in use for too long. To connect takes too long by another message. */
const BUSY_MESSAGE = 'timeout exceeded when trying to connect';

function isBusy(error: unknown): boolean {
  for (let e = error, depth = 0; e instanceof Error && depth < 10; e = e.cause, depth++)
    if (e.message === BUSY_MESSAGE) return true;
  return false;
}

/**
 * Whether an error means that the database is unavailable, and not that it rejects a statement: whatever a connection to it
 * reports. Errors of other connections have the same codes: clients and other systems break theirs, too.
 */
function isDatabaseAway(error: unknown): boolean {
  const fault = databaseFault(error);
  if (fault) return AWAY_STATES.test(fault.sqlState);
  for (let e = error, depth = 0; e instanceof Error && depth < 10; e = e.cause, depth++) {
    if (isDatabaseConnectionError(e) || AWAY_MESSAGES.test(e.message)) return true;
  }
  return false;
}

/** tRPC reports a wrong input as BAD_REQUEST and a wrong output as INTERNAL_SERVER_ERROR; only the first is the caller's. */
const isInput = (error: unknown) => error instanceof TRPCError && error.code === 'BAD_REQUEST';

/** What was sent is not sent back: it may be a secret. */
function withoutInput(issue: z.core.$ZodIssue): object {
  const { input: _input, ...rest } = issue as z.core.$ZodIssue & { input?: unknown };
  return rest;
}

/** The error of a tRPC response: the data of the REST error in `data`. */
export function errorShape<Shape extends { data: object }>(
  shape: Shape,
  error: TRPCError,
  ctx: { request: { id: string } } | undefined,
) {
  const { body, code, trpcCode } = publicError(error, ctx?.request.id ?? 'req-none');
  const { message } = body;
  return {
    ...shape,
    code: TRPC_ERROR_CODES_BY_KEY[trpcCode],
    message: typeof message === 'string' ? message : 'The input is not valid',
    data: {
      code: trpcCode,
      httpStatus: body.statusCode,
      error: body.error,
      reason: code,
      reqId: body.reqId,
      details: body.details,
      explanation: body.explanation,
      issues: typeof message === 'string' ? undefined : message,
    },
  };
}
