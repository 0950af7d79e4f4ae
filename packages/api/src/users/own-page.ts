import type { Http } from '../kernel/index.ts';

/** What is asked for the page that makes a request. */
export interface PageCall {
  readonly http: Http;
  readonly settings: { readonly siteUrl: string };
}

/**
 * Whether a page of another site makes this request, by its `Origin` or by what the browser marks (`Sec-Fetch-Site`).
 * Programs send neither.
 */
export function isOfForeignPage({ http, settings }: PageCall): boolean {
  const origin = http.header('origin');
  if (origin !== undefined && !isOwn(origin, settings.siteUrl, http.header('host'))) return true;
  return http.header('sec-fetch-site') === 'cross-site';
}

function isOwn(origin: string, siteUrl: string, host: string | undefined): boolean {
  const url = URL.parse(origin);
  return url !== null && (url.origin === new URL(siteUrl).origin || url.host === host);
}
