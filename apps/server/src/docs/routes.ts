import { readFileSync } from 'node:fs';
import { openApiDocument, type RouterLike } from '@coffer/api';
import { notFound } from '@coffer/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assetOf, largeAsset, sendAsset, type Asset } from '../http/asset.ts';
import { SEARCH, STYLE } from './assets.ts';
import { areaSlug, catalogueOf } from './catalogue.ts';
import { areaPage, indexPage } from './page.ts';

interface Docs {
  readonly router: RouterLike;
  readonly siteUrl: string;
}

const asset = (type: string, text: string) => assetOf(`${type}; charset=utf-8`, Buffer.from(text));

/** Everything comes from here: nothing inline, nothing from elsewhere. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The OpenAPI document at `/api/docs/json` and its pages at `/api/docs`: rendered on first use, then cached as text.
 */
export function registerDocs(app: FastifyInstance, { router, siteUrl }: Docs): void {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const document = once(() => openApiDocument(router, { version, serverUrl: siteUrl }));
  const json = once(async () => largeAsset('application/json; charset=utf-8', JSON.stringify(await document())));
  const pages = once(async () => {
    const made = await document();
    const areas = catalogueOf(made);
    return new Map([
      ['', asset('text/html', indexPage(areas, version))],
      ...[...areas].map(
        ([area, entries]) => [areaSlug(area), asset('text/html', areaPage(area, entries, made))] as const,
      ),
    ]);
  });
  const style = asset('text/css', STYLE);
  const search = asset('text/javascript', SEARCH);

  app.get('/api/docs/json', async (req, reply) => serve(req, reply, await json()));
  app.get('/api/docs', async (req, reply) => serve(req, reply, (await pages()).get('')));
  app.get<{ Params: { area: string } }>('/api/docs/areas/:area', async (req, reply) =>
    serve(req, reply, (await pages()).get(req.params.area)),
  );
  app.get('/api/docs/style.css', (req, reply) => serve(req, reply, style));
  app.get('/api/docs/search.js', (req, reply) => serve(req, reply, search));
}

function serve(req: FastifyRequest, reply: FastifyReply, found: Asset | undefined): FastifyReply {
  if (!found) throw notFound('page');
  return sendAsset(req, reply, found, {
    'cache-control': 'no-cache',
    'content-security-policy': CONTENT_SECURITY_POLICY,
  });
}

/** Creates a value on first use; a failure is not cached, and retried. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
