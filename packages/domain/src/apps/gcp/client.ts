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

/** A page of secrets or projects. */
const MAX_BYTES = 8 * 1024 * 1024;

export interface GcpRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** JSON. */
  readonly body?: unknown;
  /** Further statuses that are results, such as 404. */
  readonly expected?: readonly number[];
}

export interface GcpAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The APIs of Google Cloud with an access token. */
export interface GcpClient {
  /** @throws DomainError `remote.*` with the status and message of the API for every other status than 2xx. */
  ask(url: string, request?: GcpRequest): Promise<GcpAnswer>;
  /** All pages of a list in the field with that name, which is absent where it is empty. @throws as `ask` */
  list<Item extends z.ZodType>(url: string, name: string, item: Item): Promise<z.output<Item>[]>;
}

/** https://cloud.google.com/apis/design/errors#http_mapping */
const Fault = z.object({ error: z.object({ status: z.string().catch(''), message: z.string().catch('') }) });

function faultOf(answer: OutboundResponse): string {
  const { data } = Fault.safeParse(jsonOf(answer));
  return data ? [data.error.status, data.error.message].filter(Boolean).join(': ') : wordsOf(answer);
}

export function gcpClient({ fetch, now }: RemoteIo, accessToken: string): GcpClient {
  async function ask(url: string, { method = 'GET', body, expected = [] }: GcpRequest = {}): Promise<GcpAnswer> {
    const answer = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${accessToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
    });
    const { status } = answer;
    requireServed(url, answer, now, faultOf);
    if (status !== 200 && !expected.includes(status)) throw failedRequest(url, status, faultOf(answer));
    const said = jsonOf(answer);
    if (status === 200 && said === undefined) throw malformed(url, 'something other than JSON');
    return { status, body: said };
  }

  return {
    ask,
    async list(url, name, item) {
      const Page = z.object({ [name]: z.array(item).default([]), nextPageToken: z.string().default('') });
      return allPages(async (token: string | undefined) => {
        const at = new URL(url);
        if (token !== undefined) at.searchParams.set('pageToken', token);
        const { data } = Page.safeParse((await ask(at.href)).body);
        if (!data) throw malformed(url, 'no list');
        return { items: data[name] as z.output<typeof item>[], next: data['nextPageToken'] as string };
      });
    },
  };
}
