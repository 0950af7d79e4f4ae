import type { OutboundFetch } from '@coffer/domain';

type Contents = Readonly<Record<string, string>>;

/** Vault servers in memory, by host: they have one kv engine, `secret`. One of them accepts only some tokens. */
export class Vaults {
  readonly #host: string;
  readonly #tokens: readonly string[];
  readonly #documents = new Map<string, { version: number; data: Contents }>();
  /** Whether calls fail now: all of them, or those that write. */
  failing: 'nothing' | 'writes' | 'all' = 'nothing';

  constructor(host: string, tokens: readonly string[]) {
    this.#host = host;
    this.#tokens = tokens;
  }

  held(host: string, path: string): Contents {
    return this.#documents.get(`${host} ${path}`)?.data ?? {};
  }

  readonly fetch: OutboundFetch = async (url, { method = 'GET', headers, body } = {}) => {
    const { hostname, pathname } = new URL(url);
    const token = new Headers(headers).get('x-vault-token') ?? '';
    const isKnown = hostname !== this.#host || this.#tokens.includes(token);
    const [status, answer] = isKnown
      ? this.#answer(hostname, pathname, method, body === undefined ? '' : String(body))
      : [403, { errors: ['permission denied'] }];
    const text = JSON.stringify(answer);
    return { status, headers: {}, body: Buffer.from(text), text: () => text, json: () => answer };
  };

  #answer(host: string, path: string, method: string, body: string): [status: number, body: unknown] {
    if (this.failing === 'all' || (this.failing === 'writes' && method !== 'GET')) return [500, { errors: ['broken'] }];
    if (path === '/v1/sys/internal/ui/mounts/secret') return [200, { data: { type: 'kv', options: { version: '2' } } }];
    const key = `${host} ${path.replace('/v1/secret/data/', '')}`;
    const found = this.#documents.get(key);
    if (method === 'GET')
      return found
        ? [200, { data: { data: found.data, metadata: { version: found.version } } }]
        : [404, { errors: [] }];
    const version = (found?.version ?? 0) + 1;
    this.#documents.set(key, { version, data: (JSON.parse(body) as { data: Contents }).data });
    return [200, { data: { version } }];
  }
}
