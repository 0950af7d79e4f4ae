import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import type { DestinationExample } from '../../testing/example.ts';

const HOST = 'secrets.example.com';

interface Batch {
  projectId?: string;
  environment?: string;
  secretPath?: string;
  mode?: string;
  secrets: { secretKey: string; secretValue: string }[];
}

/** A server with one folder. */
class OtherServer {
  readonly login = { clientId: randomUUID(), clientSecret: randomUUID() };
  readonly place = { projectId: randomUUID(), environment: 'prod', secretPath: '/web' };
  readonly secrets = new Map<string, string>();
  readonly #token = randomUUID();

  readonly listener: RequestListener = async (request, response) => {
    const { method = '', headers, url = '' } = request;
    const { pathname, searchParams } = new URL(url, `https://${HOST}`);
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const body = method === 'GET' ? undefined : ((await json(request)) as Batch & typeof this.login);
    if (pathname === '/api/v1/auth/universal-auth/login')
      return body?.clientId === this.login.clientId && body.clientSecret === this.login.clientSecret
        ? answer(200, { accessToken: this.#token, expiresIn: 60, tokenType: 'Bearer' })
        : answer(401, { message: 'Invalid credentials' });
    if (headers.authorization !== `Bearer ${this.#token}`) return answer(401, { message: 'Token missing' });
    const given = body ?? Object.fromEntries(searchParams);
    const isHere = Object.entries(this.place).every(([name, value]) => given[name as keyof typeof given] === value);
    if (!isHere) return answer(404, { message: 'Folder not found' });
    if (pathname === '/api/v4/secrets' && method === 'GET')
      return answer(200, {
        secrets: Array.from(this.secrets, ([secretKey, secretValue]) => ({ secretKey, secretValue, type: 'shared' })),
      });
    if (pathname !== '/api/v4/secrets/batch' || !body) return answer(404, { message: 'No such route' });
    if (method === 'PATCH' && body.mode !== 'upsert') return answer(404, { message: 'Secret not found' });
    for (const { secretKey, secretValue } of body.secrets)
      if (method === 'PATCH') this.secrets.set(secretKey, secretValue);
      else if (!this.secrets.delete(secretKey)) return answer(404, { message: 'Secret not found' });
    return answer(200, { secrets: body.secrets });
  };
}

export const example: DestinationExample = {
  target() {
    const server = new OtherServer();
    return {
      credentials: {
        ...{ method: 'machine-identity-universal-auth', instanceUrl: `https://${HOST}` },
        machineIdentityClientId: server.login.clientId,
        machineIdentityClientSecret: server.login.clientSecret,
      },
      config: server.place,
      serve: (standIns) => standIns.serve(HOST, server.listener),
      held: () => Object.fromEntries(server.secrets),
      put: (name, value) => void server.secrets.set(name, value),
    };
  },
};
