import { z } from 'zod';
import { allPages, failedRequest, faultsOf, jsonOf, malformed, type RemoteIo } from '../../family/index.ts';

const HOST = 'https://api.cloudflare.com';
const BASE = `${HOST}/client/v4`;

const Envelope = z.object({
  result: z.unknown(),
  result_info: z.object({ total_pages: z.int().optional() }).nullish(),
});

interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: object;
  /** Whether a 404 is an answer: of what is deleted. */
  readonly isGoneFine?: boolean;
}

/** Cloudflare's API (version 4) with a token: https://developers.cloudflare.com/api/ */
export class CloudflareClient {
  readonly #io: RemoteIo;
  readonly #token: string;

  constructor(io: RemoteIo, token: string) {
    this.#io = io;
    this.#token = token;
  }

  /** The result of a call, as its schema reads it. @throws DomainError `remote.*` */
  async ask<Schema extends z.ZodType>(path: string, schema: Schema, call: Call = {}): Promise<z.output<Schema>> {
    const { success, data } = schema.safeParse((await this.#call(path, call))?.result);
    if (!success) throw malformed(HOST, 'something else than documented');
    return data;
  }

  /** A call whose result is not used. */
  async tell(path: string, call: Call): Promise<void> {
    await this.#call(path, call);
  }

  /** All pages of a list. `path` has a query. */
  list<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>[]> {
    return allPages(async (page: number = 1) => {
      const answer = await this.#call(`${path}&page=${page}&per_page=50`, {});
      const { success, data } = z.array(schema).safeParse(answer?.result);
      if (!success) throw malformed(HOST, 'something other than a list');
      const isLast = page >= (answer?.result_info?.total_pages ?? 1);
      return { items: data, next: isLast ? null : page + 1 };
    });
  }

  async #call(
    path: string,
    { method = 'GET', body, isGoneFine }: Call,
  ): Promise<z.output<typeof Envelope> | undefined> {
    const url = BASE + path;
    const answer = await this.#io.fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      maxRedirects: 0,
    });
    if (isGoneFine && answer.status === 404) return undefined;
    if (answer.status !== 200) throw failedRequest(url, answer.status, faultsOf(answer));
    const { success, data } = Envelope.safeParse(jsonOf(answer));
    if (!success) throw malformed(HOST, 'something other than JSON');
    return data;
  }
}
