import { z } from 'zod';
import {
  allPages,
  jsonOf,
  malformed,
  failedRequest,
  requireServed,
  wordsOf,
  type RemoteIo,
} from '../../family/index.ts';
import type { OutboundResponse } from '../../kernel/index.ts';

/** A page of secrets, or of users. */
const MAX_BYTES = 8 * 1024 * 1024;

export interface AzureRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further statuses that are results, such as 404. */
  readonly expected?: readonly number[];
}

export interface AzureAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `{}` where there is no body. */
  readonly body: unknown;
}

/** The APIs of Azure with an access token: the resource manager, Graph, Key Vault, App Configuration. */
export interface AzureClient {
  /** @throws DomainError `remote.*` with the code and message of the API for every other status than 2xx. */
  ask(url: string, request?: AzureRequest): Promise<AzureAnswer>;
  /**
   * All pages of a list. `next` is the name of the field with the URL of the next page, which has the same origin.
   *
   * @throws as `ask`; `remote.malformed`.
   */
  list<Item extends z.ZodType>(url: string, item: Item, next?: string): Promise<z.output<Item>[]>;
}

/** Most answer `{error: {code, message}}`; App Configuration answers problem details (RFC 9457). */
const Fault = z.object({ error: z.object({ code: z.string().catch(''), message: z.string().catch('') }) });
/** Anything else is a page without items. */
const Page = z.record(z.string(), z.unknown()).catch({});
const Problem = z.object({ title: z.string(), detail: z.string().optional() });

function faultOf(answer: OutboundResponse): string {
  const said = jsonOf(answer);
  const { data: fault } = Fault.safeParse(said);
  if (fault) return [fault.error.code, fault.error.message].filter(Boolean).join(': ');
  const { data: problem } = Problem.safeParse(said);
  return problem ? [problem.title, problem.detail].filter(Boolean).join(': ') : wordsOf(answer);
}

export function azureClient({ fetch, now }: RemoteIo, accessToken: string): AzureClient {
  async function ask(url: string, request: AzureRequest = {}): Promise<AzureAnswer> {
    const { method = 'GET', body, headers, expected = [] } = request;
    const answer = await fetch(url, {
      method,
      headers: {
        // App Configuration has media types of its own.
        accept: 'application/json, */*;q=0.5',
        authorization: `Bearer ${accessToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
    });
    const { status } = answer;
    requireServed(url, answer, now, faultOf);
    const isDone = status >= 200 && status < 300;
    if (!isDone && !expected.includes(status)) throw failedRequest(url, status, faultOf(answer));
    const said = answer.body.length === 0 ? {} : jsonOf(answer);
    if (isDone && said === undefined) throw malformed(url, 'something other than JSON');
    return { status, headers: answer.headers, body: said };
  }

  return {
    ask,
    async list(url, item, next = 'nextLink') {
      const Items = z.array(item);
      const { origin } = new URL(url);
      return allPages(async (at: string = url) => {
        const body = Page.parse((await ask(at)).body);
        // App Configuration names them `items`, all others `value`.
        const { data: items } = Items.safeParse(body['value'] ?? body['items']);
        if (!items) throw malformed(url, 'no list');
        const following: unknown = body[next];
        if (typeof following !== 'string' || following === '') return { items };
        const further = URL.parse(following, at);
        // The token goes nowhere else.
        if (further?.origin !== origin) throw malformed(url, 'a next page at another address');
        return { items, next: further.href };
      });
    },
  };
}
