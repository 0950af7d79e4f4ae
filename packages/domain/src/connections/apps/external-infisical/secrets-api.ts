import { z } from 'zod';
import { jsonOf, malformed, rejected, wordsOf } from '../../../family/index.ts';
import { withoutSlashes, type OutboundResponse } from '../../../kernel/index.ts';
import type { Remote } from '../../connection/index.ts';

const LoggedIn = z.object({ accessToken: z.string().min(1) });
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The published API of a server like this one, as a machine identity. */
export class SecretsApi {
  readonly #fetch: Remote['fetch'];
  readonly #server: string;
  readonly #token: string;

  private constructor(remote: Remote, server: string, token: string) {
    this.#fetch = (url, request) => remote.fetch(url, request);
    this.#server = server;
    this.#token = token;
  }

  /** Logs in by Universal Auth. @throws DomainError 400 where the server refuses. */
  static async open(remote: Remote, instanceUrl: string, login: { clientId: string; clientSecret: string }) {
    const server = withoutSlashes(instanceUrl);
    const url = `${server}/api/v1/auth/universal-auth/login`;
    const headers = { 'content-type': 'application/json' };
    const answer = await remote.fetch(url, { method: 'POST', headers, body: JSON.stringify(login) });
    requireDone(url, answer);
    const { success, data } = LoggedIn.safeParse(jsonOf(answer));
    if (!success) throw malformed(url, 'no access token');
    remote.hide(data.accessToken);
    return new SecretsApi(remote, server, data.accessToken);
  }

  urlOf(path: string): string {
    return this.#server + path;
  }

  async ask(method: Method, path: string, body?: object): Promise<OutboundResponse> {
    const url = this.urlOf(path);
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const answer = await this.#fetch(url, {
      ...{ method, headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    requireDone(url, answer);
    return answer;
  }
}

function requireDone(url: string, answer: OutboundResponse): void {
  if (answer.status >= 300) throw rejected(url, answer.status, wordsOf(answer));
}
