import { randomBytes } from 'node:crypto';
import { appRouter, ApiCall } from '@coffer/api';
import { clientAddress, DomainError, type Coffer } from '@coffer/domain';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { registerRest, sendError } from './rest.ts';

export interface AppOptions {
  readonly coffer: Coffer;
  readonly logger?: FastifyBaseLogger;
  /** Whether an address is a proxy whose `X-Forwarded-For` counts. */
  readonly isTrustedProxy?: (address: string) => boolean;
  /** Bytes; larger bodies are refused before they are parsed. */
  readonly bodyLimit?: number;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** `req-` and 14 letters and digits. */
const requestId = (): string => `req-${Array.from(randomBytes(14), (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;

/** The HTTP application on an open Coffer: every published path, tRPC beside it. It does not listen yet. */
export async function createApp({ coffer, logger, isTrustedProxy = () => false, bodyLimit = 10 * 1024 * 1024 }: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    genReqId: requestId,
    bodyLimit,
    routerOptions: { maxParamLength: 2048, ignoreTrailingSlash: true, caseSensitive: true },
    disableRequestLogging: true,
    requestTimeout: 60_000,
  }) as unknown as FastifyInstance;
  await app.register(cookie);
  await app.register(formbody);
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error: FastifyError, req, reply) => sendError(httpFault(error), req, reply));
  app.setNotFoundHandler((req, reply) => sendError(new DomainError('not_found', 'route.not_found', `There is no ${req.method} ${req.url.split('?')[0]}`), req, reply));

  const callFor = (req: FastifyRequest, reply: FastifyReply): ApiCall =>
    new ApiCall(
      coffer,
      {
        id: req.id,
        ipAddress: clientAddress(req.socket.remoteAddress ?? '', req.headers['x-forwarded-for'], isTrustedProxy),
        userAgent: req.headers['user-agent'] ?? '',
      },
      {
        bearer: bearerOf(req.headers.authorization),
        cookie: (name) => req.cookies[name],
        setCookie: (name, value, maxAge) =>
          void reply.setCookie(name, value ?? '', { httpOnly: true, path: '/', sameSite: 'strict', secure: coffer.settings.siteUrl.startsWith('https:'), maxAge: value === undefined ? 0 : maxAge }),
      },
    );
  registerRest(app, appRouter, callFor);
  return app;
}

/** Only the scheme `Bearer` counts (RFC 6750, section 2.1); its name is compared without case (RFC 9110, section 11.1). */
function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

/** What Fastify itself refuses, as Coffer says it. */
function httpFault(error: FastifyError): unknown {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new DomainError('unsupported_media_type', 'request.media_type', 'Send the body as application/json');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new DomainError('too_large', 'request.too_large', 'The body is too large');
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? new DomainError('bad_request', 'request.malformed', 'The request is malformed: its body is not valid JSON')
        : error;
  }
}
