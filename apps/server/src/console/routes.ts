import { notFound, unavailable, type Log } from '@coffer/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takesBrotli } from '../http/brotli.ts';
import { readConsole, type ConsoleFile, type ConsoleFiles } from './files.ts';

/** Everything comes from this server: nothing inline, and no script that a text could become. */
const contentSecurityPolicy = (url: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...commandLineAt(url)].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Where the page of a login may post to: the command line that expects tokens (docs/decisions/0046-browser-login.md). */
function commandLineAt(url: string): string[] {
  const { pathname, searchParams } = URL.parse(url, 'http://console') ?? {};
  const port = searchParams?.get('callback_port') ?? '';
  if (pathname !== '/login' || searchParams?.has('code_challenge') || !/^\d{4,5}$/.test(port)) return [];
  return Number(port) >= 1024 && Number(port) <= 65_535 ? [`http://127.0.0.1:${Number(port)}`] : [];
}

/** Milliseconds after a failed build before the next one. */
const REST_MS = 30_000;
const FOREVER = 'public, max-age=31536000, immutable';

export interface Console {
  /** Whether a request without a route is for the page: a browser's, for an address of one of its screens. */
  isForPage(req: FastifyRequest): boolean;
  sendPage(req: FastifyRequest, reply: FastifyReply): Promise<void>;
}

interface ConsoleOptions {
  /** The directory of the built console; it may have to be built first. */
  readonly directory: () => Promise<string>;
  readonly log: Log;
}

/**
 * Serves the web console: its page at every address outside of `/api` that a browser opens, and its files in `/assets`. They are
 * read, and in a changed checkout built, when they are first asked for.
 */
export function registerConsole(app: FastifyInstance, { directory, log }: ConsoleOptions): Console {
  let reading: Promise<ConsoleFiles> | undefined;
  const files = () =>
    (reading ??= directory()
      .then(readConsole)
      .catch((error: unknown) => {
        log.error({ err: error }, 'The console cannot be served');
        // Anybody may ask for it: it is not built again for each request.
        setTimeout(() => (reading = undefined), REST_MS).unref();
        throw unavailable('console.unavailable', 'The console cannot be served: the log of the server has the reason');
      }));

  app.get<{ Params: { file: string } }>('/assets/:file', async (req, reply) => {
    const file = (await files()).assets.get(req.params.file);
    if (!file) throw notFound('file');
    void reply.headers({ 'cache-control': FOREVER, 'cross-origin-resource-policy': 'same-origin' });
    return reply.send(bodyOf(file, req, reply));
  });

  return {
    isForPage: ({ method, url, headers }) =>
      (method === 'GET' || method === 'HEAD') &&
      !/^\/(?:api|assets)(?:[/?]|$)/.test(url) &&
      (headers.accept?.includes('text/html') ?? false),
    async sendPage(req, reply) {
      const { page } = await files();
      void reply.headers({
        'cache-control': 'no-cache',
        'content-security-policy': contentSecurityPolicy(req.url),
        'cross-origin-opener-policy': 'same-origin',
        etag: page.etag,
      });
      await (req.headers['if-none-match'] === page.etag
        ? reply.code(304).send()
        : reply.send(bodyOf(page, req, reply)));
    },
  };
}

function bodyOf({ type, bytes, brotli }: ConsoleFile, req: FastifyRequest, reply: FastifyReply): Buffer {
  void reply.headers({ 'content-type': type, vary: 'accept-encoding' });
  if (!brotli || !takesBrotli(req)) return bytes;
  void reply.header('content-encoding', 'br');
  return brotli;
}
