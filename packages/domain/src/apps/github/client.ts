import { allPages, jsonOf, malformed, rejected, throttled, wordsOf, type RemoteIo } from '../../family/index.ts';
import type { z } from 'zod';
import type { OutboundRequest, OutboundResponse } from '../../kernel/index.ts';

/** GitHub's REST API (version 2022-11-28) with a token. */
export class GitHubClient {
  readonly #io: RemoteIo;
  readonly #token: string;
  readonly #api: string;

  /** Whether it acts as an installation of a GitHub App, not as a user. */
  readonly isInstallation: boolean;

  /** `server` is the URL of a server; default: github.com. */
  constructor(io: RemoteIo, token: string, server: string | undefined, { isInstallation = false } = {}) {
    this.isInstallation = isInstallation;
    this.#io = io;
    this.#token = token;
    this.#api = apiOf(server);
  }

  urlOf(path: string): string {
    return this.#api + path;
  }

  async ask(path: string, request: OutboundRequest = {}): Promise<OutboundResponse> {
    const url = this.urlOf(path);
    const answer = await this.#io.fetch(url, {
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

  /** All elements of a list in pages: https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api */
  all<Item>(path: string, page: z.ZodType<readonly Item[]>): Promise<Item[]> {
    return allPages(async (number: number = 1) => {
      const answer = await this.ask(`${path}?per_page=${PAGE}&page=${number}`);
      const { success, data } = page.safeParse(jsonOf(answer));
      if (!success) throw malformed(this.urlOf(path), 'no list');
      return { items: data, next: data.length < PAGE ? null : number + 1 };
    });
  }

  /** GitHub also uses 403 for rate limits. */
  #limited(url: string, { status, headers }: OutboundResponse): Error | undefined {
    const { 'retry-after': after, 'x-ratelimit-remaining': left, 'x-ratelimit-reset': reset } = headers;
    if (status !== 403 || (after === undefined && left !== '0')) return undefined;
    const seconds = after === undefined ? Number(reset) - this.#io.now.getTime() / 1000 : Number(after);
    return throttled(url, seconds || undefined);
  }
}

/** Its largest page. */
const PAGE = 100;

/** GitHub's status codes for success, including the deletion of something that does not exist. */
const DONE: Readonly<Record<string, readonly number[]>> = {
  GET: [200],
  POST: [200, 201],
  PUT: [201, 204],
  DELETE: [204, 404],
};

/**
 * GitHub has a separate host for its API, and one for each enterprise on ghe.com; other servers have it below
 * `/api/v3`.
 */
export function apiOf(server: string | undefined): string {
  const { hostname, href } = new URL(server ?? 'https://github.com');
  if (/^(?:api\.)?github\.com$/.test(hostname)) return 'https://api.github.com';
  if (/^[a-z0-9-]+\.ghe\.com$/.test(hostname)) return `https://api.${hostname}`;
  return `${href.replace(/\/+(api\/v3\/*)?$/, '')}/api/v3`;
}
