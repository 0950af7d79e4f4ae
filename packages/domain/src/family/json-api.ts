import type { z } from 'zod';
import { jsonOf, wordsOf } from './remote-answer.ts';
import { failedRequest, malformed, requireServed } from './remote-error.ts';
import type { RemoteIo } from './remote-session.ts';
import { badRequest, type OutboundResponse } from '../kernel/index.ts';

export interface JsonApiOptions {
  /** Without a slash at its end: all paths are below it. */
  readonly url: string;
  /** Of every call, such as `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** What its bodies are; default: `application/json`. */
  readonly mediaType?: string;
  /** PEM of the root that the server is trusted by; default: those of the system. */
  readonly ca?: string | null | undefined;
  /** The error message in a response; default: under one of the usual names. */
  readonly words?: (answer: OutboundResponse) => string;
}

export interface JsonRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `undefined` ones are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  /** Statuses other than 2xx that are no errors, such as 404 of the deletion of something that does not exist. */
  readonly accepts?: readonly number[];
}

/** A service that speaks JSON over HTTP below one URL. */
export class JsonApi {
  readonly #io: RemoteIo;
  readonly #options: JsonApiOptions;

  constructor(io: RemoteIo, options: JsonApiOptions) {
    this.#io = io;
    this.#options = options;
  }

  /**
   * @throws DomainError `remote.*` for statuses other than 2xx and those that the request accepts; `remote.ambiguous` for
   *   5xx, with which something may have been done.
   */
  async ask(
    path: string,
    { method = 'GET', query = {}, body, accepts = [] }: JsonRequest = {},
  ): Promise<OutboundResponse> {
    const { headers, mediaType = 'application/json', ca, words = wordsOf } = this.#options;
    const url = this.#urlOf(path, query);
    const answer = await this.#io.fetch(url, {
      method,
      headers: { accept: mediaType, ...headers, ...(body && { 'content-type': mediaType }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(ca && { ca }),
      maxRedirects: 0,
    });
    const { status } = answer;
    if ((status >= 200 && status < 300) || accepts.includes(status)) return answer;
    requireServed(url, answer, this.#io.now, words);
    throw failedRequest(url, status, words(answer));
  }

  /** The response as a schema reads it. @throws DomainError `remote.*` also where it does not fit. */
  async read<Schema extends z.ZodType>(schema: Schema, path: string, request?: JsonRequest): Promise<z.output<Schema>> {
    const { success, data } = schema.safeParse(jsonOf(await this.ask(path, request)));
    if (!success) throw malformed(this.#options.url, `something else than expected at ${path}`);
    return data;
  }

  #urlOf(path: string, query: NonNullable<JsonRequest['query']>): string {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    return `${this.#options.url}${path}${given.length > 0 ? `?${new URLSearchParams(given).toString()}` : ''}`;
  }
}

/** A path of a URL: the texts between its fixed parts are encoded. @throws DomainError 400 for `.` and `..` */
export function pathTo(parts: TemplateStringsArray, ...names: readonly string[]): string {
  return String.raw(
    { raw: parts },
    ...names.map((name) => {
      if (name === '.' || name === '..')
        throw badRequest('remote.name', `${name} cannot be the name of something there`);
      return encodeURIComponent(name);
    }),
  );
}
