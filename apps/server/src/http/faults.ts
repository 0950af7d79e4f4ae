import type { Socket } from 'node:net';
import { publicError } from '@coffer/api';
import { clientGone, DomainError, isDatabaseConnectionError, type Log } from '@coffer/domain';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { closeAfterAnswer } from './linger.ts';
import { requestId } from './request-id.ts';

export type AnswerError = (error: unknown, req: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Sends any error in the published form, and logs internal errors and outages. */
export const answerErrors =
  (log: Log): AnswerError =>
  (error, req, reply) => {
    const { body, retryAfter, code } = reportError(log, fromFastify(error, req), req.id);
    if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
    if (body.statusCode === 401) void reply.header('www-authenticate', schemeOf(code));
    return reply
      .code(body.statusCode)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(body));
  };

/** Whether a request ended before it was complete, because its client has disconnected: nobody reads the answer. */
const isEndOfClient = (error: unknown, { raw }: FastifyRequest): boolean =>
  error instanceof Error &&
  (error as NodeJS.ErrnoException).code === 'ECONNRESET' &&
  !isDatabaseConnectionError(error) &&
  raw.destroyed &&
  !raw.complete;

/** Clients of EST have no tokens (RFC 7030, section 3.2.3). */
const schemeOf = (code: string | undefined) => (code?.startsWith('est.') ? 'Basic realm="EST"' : 'Bearer');

/** The error response to a caller; the log gets the details. */
export function reportError(log: Log, error: unknown, reqId: string): ReturnType<typeof publicError> {
  const result = publicError(error, reqId);
  // That streams end with the server, or a client before its answer, is no news to its log.
  if (result.code === 'watch.stopping' || result.code === 'request.closed') return result;
  if (result.isBug) log.error({ reqId, err: error }, 'A request failed by an internal error');
  else if (result.underlying !== undefined) log.warn({ reqId, err: result.underlying }, 'A request was rejected');
  return result;
}

const mediaType = (message: string) => new DomainError('unsupported_media_type', 'request.media_type', message);
const malformed = (message: string) => new DomainError('bad_request', 'request.malformed', message);

/** Errors of Fastify, and of reading the request, in Coffer's form; anything else unchanged. */
export function fromFastify(error: unknown, req: FastifyRequest): unknown {
  if (isEndOfClient(error, req)) return clientGone();
  const { code, statusCode } = error as FastifyError;
  if (error instanceof DomainError || typeof code !== 'string' || !code.startsWith('FST_')) return error;
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return mediaType('Send the body as application/json');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new DomainError('too_large', 'request.too_large', 'The body is too large');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return malformed('The body is not valid JSON');
    case 'FST_ERR_BAD_URL':
      return malformed('The path is not URL-encoded: a % must be followed by two hexadecimal digits and encode UTF-8');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return malformed('A path segment is too long');
    default:
      return statusCode !== undefined && statusCode < 500 ? malformed('The request is malformed') : error;
  }
}

const RAW_FAULTS: Readonly<Record<string, readonly [status: string, error: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'BadRequest', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'RequestTimeout', 'The request took too long to arrive'],
};

/** Responds to invalid and incomplete HTTP, and closes the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, name, message] = RAW_FAULTS[error.code ?? ''] ?? [
    '400 Bad Request',
    'BadRequest',
    'This is not an HTTP request',
  ];
  const body = JSON.stringify({ reqId: requestId(), statusCode: Number.parseInt(status, 10), message, error: name });
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}`;
  socket.write(`${head}\r\nconnection: close\r\n\r\n${body}`);
  closeAfterAnswer(socket);
}
