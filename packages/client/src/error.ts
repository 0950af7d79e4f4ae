/** One thing that is wrong with an input. What was sent is not repeated. */
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

/** What a call that failed is rejected with. Holds nothing that was sent: no token, no header, no value. */
export class CofferError extends Error {
  override readonly name = 'CofferError';
  /** The HTTP status, and 0 where no answer came. */
  readonly status: number;
  /** The kind: `NOT_FOUND`, `FORBIDDEN`, `UNPROCESSABLE_CONTENT`, … and `UNREACHABLE`, `TIMEOUT`, `NOT_COFFER` of the client itself. */
  readonly code: string;
  /** What exactly, and stable: `secret.not_found`. Begins with `client.` where the client itself says it. */
  readonly reason: string;
  /** More of it, where there is more. */
  readonly details: unknown;
  /** Of a refusal (403): which rule decided, and the smallest grant that would allow it. */
  readonly explanation: unknown;
  /** What is wrong with the input, field by field, where that is the reason. */
  readonly issues: readonly Issue[] | undefined;
  /** What to look for in Coffer's log. */
  readonly reqId: string | undefined;
  /** Seconds after which the server takes calls again, where it said so. */
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

/**
 * No answer came. Of what the platform says only its code is kept (`ECONNREFUSED`): its message may quote a header.
 */
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

/** An answer came, but not from Coffer: from a proxy in front of it, or from something else at that address. */
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
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

/** The published body of an error of the REST API; `undefined` where it is none. */
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

/** The `error` of a tRPC answer; `undefined` where it is none of Coffer's. */
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
