import { DomainError, type ErrorKind } from '@coffer/domain';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';

/** The published body of every error. On 422 `message` is the list of issues, as clients expect it. */
export interface ErrorBody {
  reqId: string;
  statusCode: number;
  message: string | object[];
  error: string;
  details?: unknown;
}

const KINDS: Record<ErrorKind, { status: number; name: string; code: TRPCError['code'] }> = {
  bad_request: { status: 400, name: 'BadRequest', code: 'BAD_REQUEST' },
  conflict: { status: 400, name: 'BadRequest', code: 'BAD_REQUEST' },
  unauthenticated: { status: 401, name: 'UnauthorizedError', code: 'UNAUTHORIZED' },
  forbidden: { status: 403, name: 'ForbiddenError', code: 'FORBIDDEN' },
  not_found: { status: 404, name: 'NotFound', code: 'NOT_FOUND' },
  too_large: { status: 413, name: 'PayloadTooLarge', code: 'PAYLOAD_TOO_LARGE' },
  unsupported_media_type: { status: 415, name: 'UnsupportedMediaType', code: 'UNSUPPORTED_MEDIA_TYPE' },
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
  /** A fault of Coffer's own: the answer says nothing of it, the log all. */
  readonly isBug: boolean;
}

/** The one place where an error becomes an answer. */
export function publicError(error: unknown, reqId: string): PublicError {
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error;
  if (cause instanceof DomainError) {
    const { status, name, code } = KINDS[cause.kind];
    return {
      body: {
        reqId,
        statusCode: status,
        message: cause.message,
        error: cause.publicName ?? name,
        ...(cause.details !== undefined && { details: cause.details }),
      },
      code: cause.code,
      trpcCode: code,
      retryAfter: cause.retryAfter,
      isBug: false,
    };
  }
  if (cause instanceof z.ZodError && isInput(error)) {
    const { status, name, code } = KINDS.invalid;
    return {
      body: { reqId, statusCode: status, message: cause.issues.map(withoutInput), error: name },
      code: 'input.invalid',
      trpcCode: code,
      retryAfter: undefined,
      isBug: false,
    };
  }
  if (error instanceof TRPCError && error.code === 'NOT_FOUND') {
    return publicError(new DomainError('not_found', 'procedure.not_found', 'There is no such procedure'), reqId);
  }
  if (error instanceof TRPCError && (error.code === 'METHOD_NOT_SUPPORTED' || error.code === 'PARSE_ERROR' || error.code === 'BAD_REQUEST')) {
    return publicError(new DomainError('bad_request', 'request.malformed', 'The request is malformed'), reqId);
  }
  return {
    body: { reqId, statusCode: 500, message: 'Something went wrong on our side. The log has it under this reqId', error: 'InternalServerError' },
    code: 'internal',
    trpcCode: 'INTERNAL_SERVER_ERROR',
    retryAfter: undefined,
    isBug: true,
  };
}

/** tRPC reports a wrong input as BAD_REQUEST and a wrong output as INTERNAL_SERVER_ERROR; only the first is the caller's. */
const isInput = (error: unknown) => !(error instanceof TRPCError) || error.code === 'BAD_REQUEST';

/** What was sent is not sent back: it may be a secret. */
function withoutInput(issue: z.core.$ZodIssue): object {
  const { input: _input, ...rest } = issue as z.core.$ZodIssue & { input?: unknown };
  return rest;
}

/** The error of a tRPC answer: the same facts as over REST, in `data`. */
export function errorShape<Shape extends { data: object }>(shape: Shape, error: TRPCError, ctx: { request: { id: string } } | undefined) {
  const { body, code, trpcCode } = publicError(error, ctx?.request.id ?? 'req-none');
  const { message } = body;
  return {
    ...shape,
    message: typeof message === 'string' ? message : 'The input is not valid',
    data: {
      code: trpcCode,
      httpStatus: body.statusCode,
      error: body.error,
      reason: code,
      reqId: body.reqId,
      details: body.details,
      issues: typeof message === 'string' ? undefined : message,
    },
  };
}
