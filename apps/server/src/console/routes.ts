import { notFound, unavailable, type Log } from '@coffer/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendAsset } from '../http/asset.ts';
import { preferredLanguage } from '../http/language.ts';
import { readConsole, type ConsoleFiles } from './files.ts';

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

/** Of the API reference, whose screen of the console stands where the description of the API does. */
const REFERENCE = /^\/api\/docs(?:[/?]|$)/;

/** At the root also whoever takes anything, like curl: there is nothing else. */
const takesPage = (url: string, accept: string | undefined): boolean =>
  accept?.includes('text/html') || (/^\/(?:\?|$)/.test(url) && (accept === undefined || accept.includes('*/*')));

const pageHeaders = (url: string) => ({
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy(url),
  'cross-origin-opener-policy': 'same-origin',
});
const FILE = { 'cache-control': 'public, max-age=31536000, immutable' };

export interface Console {
  /** Whether a request without a route is for the page: a browser's, for an address of one of its screens. */
  isForPage(req: FastifyRequest): boolean;
  sendPage(req: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** Where the web console is. */
export interface ConsoleSource {
  /** What it speaks; the first for those who take none of them. */
  readonly languages: readonly [string, ...string[]];
  /** The directory of the console in a language; it may have to be built first. */
  readonly directory: (language: string) => Promise<string>;
}

interface ConsoleOptions extends ConsoleSource {
  readonly log: Log;
}

/**
 * Serves the web console: its page at every address outside of `/api` that a browser opens and at `/api/docs`, and its files in
 * `/assets`. They are read when they are first asked for; in a changed checkout they are built as soon as the server listens, so that
 * nobody waits for that.
 */
export function registerConsole(app: FastifyInstance, { languages, directory, log }: ConsoleOptions): Console {
  const reading = new Map<string, Promise<ConsoleFiles>>();
  const read = (language: string) =>
    directory(language)
      .then(readConsole)
      .catch((error: unknown) => {
        log.error({ err: error }, 'The console cannot be served');
        // Anybody may ask for it: it is not built again for each request.
        setTimeout(() => reading.delete(language), REST_MS).unref();
        throw unavailable('console.unavailable', 'The console cannot be served: the log of the server has the reason');
      });
  const files = (language: string) => {
    const found = reading.get(language) ?? read(language);
    reading.set(language, found);
    return found;
  };

  app.addHook('onListen', async () => {
    // Why one cannot be built is logged when it is asked for.
    for (const language of languages) await directory(language).catch(() => undefined);
  });

  app.get<{ Params: { file: string } }>('/assets/:file', async (req, reply) => {
    for (const language of languages) {
      const file = (await files(language)).assets.get(req.params.file);
      if (file) return sendAsset(req, reply, file, FILE);
    }
    throw notFound('file');
  });

  return {
    isForPage: ({ method, url, headers }) =>
      (method === 'GET' || method === 'HEAD') &&
      (!/^\/(?:api|assets)(?:[/?]|$)/.test(url) || REFERENCE.test(url)) &&
      takesPage(url, headers.accept),
    async sendPage(req, reply) {
      const language = preferredLanguage(req.headers['accept-language'], languages);
      const { page } = await files(language);
      await sendAsset(req, reply, page, { ...pageHeaders(req.url), 'content-language': language });
    },
  };
}
