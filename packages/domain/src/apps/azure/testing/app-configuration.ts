import { AZURE_SCOPES } from '../login.ts';
import type { AzureApi, AzureCall } from './cloud.ts';

interface Item {
  readonly key: string;
  readonly value: string;
  readonly label: string | null;
  readonly content_type?: unknown;
  readonly tags?: unknown;
  readonly locked?: boolean;
}

const PAGE = 100;
const NO_LABEL = '\0';

/**
 * The key-values of a store (https://learn.microsoft.com/en-us/azure/azure-app-configuration/rest-api-key-value), which
 * refuses with problem details (RFC 9457).
 */
export class AppConfiguration implements AzureApi {
  readonly host = 'shop-prod.azconfig.io';
  readonly scope = AZURE_SCOPES.appConfiguration;
  readonly items: Item[] = [];

  fault = (title: string, detail: string) => ({ type: 'about:blank', title, detail });

  set(item: Item): void {
    const at = this.items.findIndex(({ key, label }) => key === item.key && label === item.label);
    if (at < 0) this.items.push(item);
    else this.items[at] = item;
  }

  held(label: string | null): Record<string, string> {
    return Object.fromEntries(this.items.flatMap((item) => (item.label === label ? [[item.key, item.value]] : [])));
  }

  serve(call: AzureCall): void {
    const { method, url } = call;
    if (url.searchParams.get('api-version') !== '1.0')
      return call.answer(400, this.fault('API version is not supported', ''));
    const [, encoded] = /^\/kv(?:\/([^/]+))?$/.exec(url.pathname) ?? [undefined, ''];
    const given = url.searchParams.get('label');
    const label = given === NO_LABEL ? null : given;
    if (encoded === undefined) return this.#list(call, label);
    const key = decodeURIComponent(encoded);
    const found = this.items.find((item) => item.key === key && item.label === label);
    if (method === 'PUT') return this.#put(call, key, label, found);
    if (method !== 'DELETE') return call.answer(404, this.fault('Not found', ''));
    if (found?.locked) return this.#locked(call, key);
    if (found) this.items.splice(this.items.indexOf(found), 1);
    call.answer(found ? 200 : 204, found);
  }

  #list(call: AzureCall, label: string | null): void {
    const after = call.url.searchParams.get('after') ?? '';
    const all = this.items.filter((item) => item.label === label).toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const page = all.filter(({ key }) => key > after).slice(0, PAGE);
    const last = page.at(-1)?.key;
    const hasMore = last !== undefined && last !== all.at(-1)?.key;
    const next = new URL(call.url);
    next.searchParams.set('after', last ?? '');
    call.answer(200, {
      items: page.map((item) => ({ content_type: null, tags: {}, locked: false, etag: 'x', ...item })),
      // It has no origin.
      ...(hasMore && { '@nextLink': `${next.pathname}${next.search}` }),
    });
  }

  #put(call: AzureCall, key: string, label: string | null, found: Item | undefined): void {
    const { value, tags, content_type, ...others } = call.body ?? {};
    const isTyped = call.headers['content-type'] === 'application/vnd.microsoft.appconfig.kv+json';
    if (!isTyped || typeof value !== 'string' || Object.keys(others).length > 0)
      return call.answer(400, this.fault('Invalid request', 'The body is no key-value'));
    if (found?.locked) return this.#locked(call, key);
    if (Buffer.byteLength(key + value) > 10_000) return call.answer(413, this.fault('The key-value is too large', ''));
    const isTagged = Object.keys(tags ?? {}).length > 0;
    this.set({ key, value, label, ...(isTagged && { tags }), ...(content_type !== undefined && { content_type }) });
    call.answer(200, { key, value, label, content_type: null, tags: {}, locked: false });
  }

  #locked(call: AzureCall, key: string): void {
    call.answer(
      409,
      this.fault(
        `Modifying key '${key}' is not allowed`,
        'The key is read-only. To allow modification unlock it first.',
      ),
    );
  }
}
