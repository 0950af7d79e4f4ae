import { readFileSync } from 'node:fs';
import { openApiDocument, type RouterLike } from '@coffer/api';
import type { FastifyInstance } from 'fastify';
import { largeAsset, sendAsset } from './http/asset.ts';

interface Docs {
  readonly router: RouterLike;
  readonly siteUrl: string;
}

/** The OpenAPI document at `/api/docs/json`, made on first use. The console shows it at `/api/docs`. */
export function registerDocs(app: FastifyInstance, { router, siteUrl }: Docs): void {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const document = once(async () =>
    largeAsset(
      'application/json; charset=utf-8',
      JSON.stringify(await openApiDocument(router, { version, serverUrl: siteUrl })),
    ),
  );
  app.get('/api/docs/json', async (req, reply) =>
    sendAsset(req, reply, await document(), { 'cache-control': 'no-cache' }),
  );
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
