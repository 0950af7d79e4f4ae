import { z } from 'zod';
import { JsonApi, jsonOf, malformed, pathTo, type RemoteIo } from '../../family/index.ts';
import type { OutboundFetch, OutboundResponse } from '../../kernel/index.ts';
import { digestFor } from './digest.ts';

/** An API key of a project of MongoDB Atlas. */
export interface AtlasKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

export interface AtlasUser {
  readonly username: string;
  readonly password: string;
  readonly roles: readonly object[];
  readonly scopes: readonly object[];
}

const Failure = z.object({ detail: z.string().optional(), reason: z.string().optional() });
const wordsOf = (answer: OutboundResponse): string => {
  const { data } = Failure.safeParse(jsonOf(answer));
  return data?.detail ?? data?.reason ?? '';
};

/** Asks for the challenge first: a digest is for one request (RFC 7616). */
const digesting =
  ({ fetch }: RemoteIo, { publicKey, privateKey }: AtlasKey): OutboundFetch =>
  async (url, request = {}) => {
    const { pathname, search } = new URL(url);
    const method = request.method ?? 'GET';
    const challenge = await fetch(url, { method, headers: { ...request.headers }, maxRedirects: 0 });
    if (challenge.status < 300) throw malformed(url, 'without asking for the API key');
    if (challenge.status !== 401) return challenge;
    const header = challenge.headers['www-authenticate'] ?? '';
    const user = { username: publicKey, password: privateKey };
    const authorization = digestFor(header, user, { method, uri: pathname + search });
    if (authorization === undefined) return challenge;
    return fetch(url, { ...request, headers: { ...request.headers, authorization } });
  };

/** The database users of a project: https://www.mongodb.com/docs/api/doc/atlas-admin-api-v2/group/endpoint-database-users */
export class AtlasUsers {
  readonly #api: JsonApi;
  readonly #project: string;
  readonly #path: string;

  constructor(io: RemoteIo, key: AtlasKey, project: string) {
    this.#project = project;
    this.#path = pathTo`/groups/${project}/databaseUsers`;
    this.#api = new JsonApi(
      { ...io, fetch: digesting(io, key) },
      {
        url: 'https://cloud.mongodb.com/api/atlas/v2',
        headers: { accept: 'application/vnd.atlas.2023-01-01+json' },
        words: wordsOf,
      },
    );
  }

  /** One user: shows that the key may read them. */
  async check(): Promise<void> {
    await this.#api.ask(this.#path, { query: { itemsPerPage: 1 } });
  }

  async create(user: AtlasUser): Promise<void> {
    const body = { databaseName: 'admin', groupId: this.#project, ...user };
    await this.#api.ask(this.#path, { method: 'POST', body });
  }

  /** Also of one that does not exist. */
  async remove(username: string): Promise<void> {
    await this.#api.ask(this.#path + pathTo`/admin/${username}`, { method: 'DELETE', accepts: [404] });
  }

  async has(username: string): Promise<boolean> {
    return (await this.#api.ask(this.#path + pathTo`/admin/${username}`, { accepts: [404] })).status !== 404;
  }
}
