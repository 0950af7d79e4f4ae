import type { OutboundRequest, OutboundResponse } from '../../../../kernel/index.ts';
import { z } from 'zod';
import type { Remote } from '../../destination.ts';
import { malformed, rejected, throttled } from '../../../../family/index.ts';
import { jsonOf, wordsOf } from '../../remote.ts';

/** The secrets of Actions at one place, as GitHub's REST API (version 2022-11-28) has them. */
export class SecretsApi {
  readonly #remote: Remote;
  readonly #token: string;
  /** Of the secrets. */
  readonly #url: string;
  #key: SealingKey | undefined;

  /** `server` is the URL of a server, github.com where it is absent; `place` such as `/repos/acme/web/actions`. */
  constructor(remote: Remote, token: string, server: string | undefined, place: string) {
    this.#remote = remote;
    this.#token = token;
    this.#url = `${apiOf(server)}${place}/secrets`;
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const { success, data } = Page.safeParse(jsonOf(await this.#ask(`?per_page=${PAGE}&page=${page}`)));
      if (!success) throw malformed(this.#url, 'no list of secrets');
      names.push(...data.secrets.map(({ name }) => name));
      if (data.secrets.length < PAGE) return names;
    }
    throw malformed(this.#url, 'more secrets than there can be');
  }

  async put(name: string, value: string, visibility: object): Promise<void> {
    this.#key ??= await sealingKey(this.#url, await this.#ask('/public-key'));
    const body = JSON.stringify({ encrypted_value: this.#key.seal(value), key_id: this.#key.id, ...visibility });
    await this.#ask(`/${name}`, { method: 'PUT', body });
  }

  async remove(name: string): Promise<void> {
    await this.#ask(`/${name}`, { method: 'DELETE' });
  }

  async #ask(path: string, request: OutboundRequest = {}): Promise<OutboundResponse> {
    const url = this.#url + path;
    const answer = await this.#remote.fetch(url, {
      ...request,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${this.#token}`,
        'x-github-api-version': '2022-11-28',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
    });
    if (DONE[request.method ?? 'GET']?.includes(answer.status)) return answer;
    throw this.#limited(url, answer) ?? rejected(url, answer.status, wordsOf(answer));
  }

  /** GitHub says with a 403 as well that it is asked too often. */
  #limited(url: string, { status, headers }: OutboundResponse): Error | undefined {
    const { 'retry-after': after, 'x-ratelimit-remaining': left, 'x-ratelimit-reset': reset } = headers;
    if (status !== 403 || (after === undefined && left !== '0')) return undefined;
    const seconds = after === undefined ? Number(reset) - this.#remote.now.getTime() / 1000 : Number(after);
    return throttled(url, seconds || undefined);
  }
}

const PAGE = 100;
const MAX_PAGES = 20;
const Page = z.object({ secrets: z.array(z.object({ name: z.string() })) });

/** What GitHub answers where it has done as it was asked: also to take away what is not there. */
const DONE: Readonly<Record<string, readonly number[]>> = { GET: [200], PUT: [201, 204], DELETE: [204, 404] };

/** GitHub itself has a host for its API, and one for each enterprise on ghe.com; other servers have it below `/api/v3`. */
function apiOf(server: string | undefined): string {
  const { hostname, href } = new URL(server ?? 'https://github.com');
  if (/^(?:api\.)?github\.com$/.test(hostname)) return 'https://api.github.com';
  if (/^[a-z0-9-]+\.ghe\.com$/.test(hostname)) return `https://api.${hostname}`;
  return `${href.replace(/\/+(api\/v3\/*)?$/, '')}/api/v3`;
}

interface SealingKey {
  readonly id: string;
  seal(value: string): string;
}

const PublicKey = z.object({ key_id: z.string().max(64), key: z.base64() });

/** GitHub takes values in a sealed box (libsodium) that only it can open. */
async function sealingKey(url: string, answer: OutboundResponse): Promise<SealingKey> {
  const { success, data } = PublicKey.safeParse(jsonOf(answer));
  const bytes = Buffer.from(data?.key ?? '', 'base64');
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  if (!success || bytes.length !== sodium.crypto_box_PUBLICKEYBYTES) throw malformed(url, 'no public key to seal with');
  return {
    id: data.key_id,
    seal: (value) => Buffer.from(sodium.crypto_box_seal(Buffer.from(value), bytes)).toString('base64'),
  };
}
