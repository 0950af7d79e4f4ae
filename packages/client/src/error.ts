/** One fault of an input, without the sent value. */
export interface Issue {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface CofferErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  readonly details?: unknown;
  readonly explanation?: unknown;
  readonly issues?: readonly Issue[] | undefined;
  readonly reqId?: string | undefined;
  readonly retryAfter?: number | undefined;
}

/** The error of a failed call. Contains nothing that was sent: no token, no header, no value. */
export class CofferError extends Error {
  override readonly name = 'CofferError';
  /** The HTTP status, and 0 where no answer came. */
  readonly status: number;
  /** The kind: `NOT_FOUND`, `FORBIDDEN`, `UNPROCESSABLE_CONTENT`, … and `UNREACHABLE`, `TIMEOUT`, `NOT_COFFER` of the client itself. */
  readonly code: string;
  /** A stable code: `secret.not_found`. Begins with `client.` for errors of the client itself. */
  readonly reason: string;
  /** Further details, if any. */
  readonly details: unknown;
  /** Of a refusal (403): which rule decided, and the smallest grant that would allow it. */
  readonly explanation: unknown;
  /** The faults of the input by field, if that is the reason. */
  readonly issues: readonly Issue[] | undefined;
  /** The request ID in Coffer's log. */
  readonly reqId: string | undefined;
  /** The delay in seconds that the server asks for, if any. */
  readonly retryAfter: number | undefined;

  constructor({ message, status, code, reason, details, explanation, issues, reqId, retryAfter }: CofferErrorFacts) {
    super(message);
    this.status = status;
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.explanation = explanation;
    this.issues = issues;
    this.reqId = reqId;
    this.retryAfter = retryAfter;
  }
}

/** There was no response. Only the platform's error code is kept (`ECONNREFUSED`): its message may quote a header. */
export function unreachable(cause: unknown): CofferError {
  const code = systemCode(cause);
  const why = code ? ` (${code})` : '';
  return new CofferError({
    status: 0,
    code: 'UNREACHABLE',
    reason: 'client.unreachable',
    message: `Coffer could not be reached${why}`,
  });
}

export const timedOut = (): CofferError =>
  new CofferError({ status: 0, code: 'TIMEOUT', reason: 'client.timeout', message: 'Coffer did not respond in time' });

/** A response, but not from Coffer: from a proxy in front of it, or from something else at that address. */
export const notCoffer = (status: number, retryAfter: number | undefined): CofferError =>
  new CofferError({
    status,
    code: 'NOT_COFFER',
    reason: 'client.not_coffer',
    message: `The response (${status}) is not from Coffer`,
    retryAfter,
  });

function systemCode(cause: unknown): string | undefined {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  }
  return undefined;
}

const CODES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

/** The published error body of the REST API; `undefined` if it is not one. */
export function fromRest(body: unknown, retryAfter: number | undefined): CofferError | undefined {
  if (!isRecord(body) || typeof body['statusCode'] !== 'number' || body['message'] === undefined) return undefined;
  const { statusCode: status, message, details, explanation } = body;
  const code = CODES[status] ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR');
  return new CofferError({
    status,
    code,
    reason: `http.${status}`,
    message: typeof message === 'string' ? message : 'The input is not valid',
    details,
    explanation,
    issues: Array.isArray(message) ? (message as Issue[]) : undefined,
    reqId: text(body['reqId']),
    retryAfter,
  });
}

/** The `error` of a tRPC response; `undefined` if it is not one of Coffer's. */
export function fromTrpc(shape: unknown, retryAfter: number | undefined): CofferError | undefined {
  if (!isRecord(shape) || !isRecord(shape['data'])) return undefined;
  const { httpStatus, code, reason, details, explanation, issues, reqId } = shape['data'];
  if (typeof httpStatus !== 'number') return undefined;
  return new CofferError({
    status: httpStatus,
    code: text(code) ?? CODES[httpStatus] ?? 'INTERNAL_SERVER_ERROR',
    reason: text(reason) ?? `http.${httpStatus}`,
    message: text(shape['message']) ?? 'The call failed',
    details,
    explanation,
    issues: Array.isArray(issues) ? (issues as Issue[]) : undefined,
    reqId: text(reqId),
    retryAfter,
  });
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
