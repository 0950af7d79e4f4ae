import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import sodium from 'libsodium-wrappers';

interface Stored {
  value: string;
  visibility?: string;
  repositories?: number[];
}

/**
 * GitHub's API of the secrets of Actions: repositories, organizations and environments. Values have to come in a sealed
 * box for its own key, which it really opens.
 */
export class GitHub {
  readonly token: string;
  /** By their place, such as `/repos/acme/web/actions`, then by name. */
  readonly secrets = new Map<string, Map<string, Stored>>();
  /** Further lists by their paths, such as `/user/repos`. */
  readonly lists = new Map<string, readonly object[]>();
  readonly calls: string[] = [];
  /** Prefix of all paths: that of an enterprise server, or nothing. */
  readonly base: string;
  fault: (method: string, path: string, response: ServerResponse) => boolean = () => false;
  readonly #pair = sodium.ready.then(() => sodium.crypto_box_keypair());

  constructor(token: string, base = '') {
    this.token = token;
    this.base = base;
  }

  at(place: string): Map<string, Stored> {
    let secrets = this.secrets.get(place);
    if (!secrets) this.secrets.set(place, (secrets = new Map()));
    return secrets;
  }

  /** The values at a place. */
  values(place: string): Record<string, string> {
    return Object.fromEntries([...this.at(place)].map(([name, { value }]) => [name, value]));
  }

  readonly listener: RequestListener = (request, response) => {
    void this.#answer(request, response).catch(() => response.writeHead(500).end());
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '/', 'http://github');
    this.calls.push(`${method} ${url.pathname}`);
    const json = (status: number, body?: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
    if (headers.authorization !== `Bearer ${this.token}`) return void json(401, { message: 'Bad credentials' });
    if (headers['x-github-api-version'] !== '2022-11-28' || headers.accept !== 'application/vnd.github+json')
      return void json(415, { message: 'Name a version' });
    if (!headers['user-agent']) return void json(403, { message: 'Name yourself' });
    if (this.fault(method, url.pathname, response)) return;
    const path = url.pathname.slice(this.base.length);
    if (method === 'GET' && url.pathname === `${this.base}/user`) return void json(200, { login: 'octocat', id: 1 });
    const list = method === 'GET' ? this.lists.get(path) : undefined;
    if (list) {
      const size = Number(url.searchParams.get('per_page') ?? 30);
      const from = (Number(url.searchParams.get('page') ?? 1) - 1) * size;
      const page = list.slice(from, from + size);
      return void json(200, path.endsWith('/environments') ? { total_count: list.length, environments: page } : page);
    }
    const found =
      /^(\/repos\/[^/]+\/[^/]+\/actions|\/orgs\/[^/]+\/actions|\/repos\/[^/]+\/[^/]+\/environments\/[^/]+)\/secrets(?:\/([^/]+))?$/.exec(
        path,
      );
    if (!url.pathname.startsWith(this.base) || !found) return void json(404, { message: 'Not Found' });
    const [, place = '', name] = found;
    const secrets = this.at(decodeURIComponent(place));
    const pair = await this.#pair;
    if (method === 'GET' && name === 'public-key')
      return void json(200, { key_id: '568250167242549743', key: Buffer.from(pair.publicKey).toString('base64') });
    if (method === 'GET' && name === undefined) {
      const size = Number(url.searchParams.get('per_page') ?? 30);
      const from = (Number(url.searchParams.get('page') ?? 1) - 1) * size;
      const page = [...secrets.keys()].slice(from, from + size);
      return void json(200, { total_count: secrets.size, secrets: page.map((one) => ({ name: one })) });
    }
    if (method === 'DELETE' && name) return void json(secrets.delete(name) ? 204 : 404);
    if (method !== 'PUT' || !name || !/^(?!GITHUB_)[A-Z_][A-Z0-9_]*$/.test(name))
      return void json(422, { message: 'No' });
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const isOrganization = place.startsWith('/orgs/');
    if (body['key_id'] !== '568250167242549743' || isOrganization !== 'visibility' in body)
      return void json(422, { message: 'No' });
    const opened = sodium.crypto_box_seal_open(
      Buffer.from(String(body['encrypted_value']), 'base64'),
      pair.publicKey,
      pair.privateKey,
    );
    const isNew = !secrets.has(name);
    secrets.set(name, {
      value: Buffer.from(opened).toString(),
      ...(isOrganization && {
        visibility: String(body['visibility']),
        repositories: (body['selected_repository_ids'] as number[] | undefined) ?? [],
      }),
    });
    json(isNew ? 201 : 204);
  }
}
