import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

interface Versioned {
  version: number;
  /** `null`: deleted in this version. */
  data: Record<string, unknown> | null;
}

/** A HashiCorp Vault server with kv engines of both versions, in one namespace. */
export class Vault {
  readonly token: string;
  readonly namespace: string | undefined;
  /** An AppRole that can log in for a token. */
  readonly role = { roleId: randomBytes(16).toString('hex'), secretId: randomBytes(16).toString('hex') };
  readonly issued: string[] = [];
  /** By mount, then by path. */
  readonly two = new Map<string, Map<string, Versioned>>();
  readonly one = new Map<string, Map<string, Record<string, unknown>>>();
  readonly calls: string[] = [];
  fault: (method: string, path: string, response: ServerResponse) => boolean = () => false;

  constructor(token: string, namespace?: string) {
    this.token = token;
    this.namespace = namespace;
  }

  readonly listener: RequestListener = (request, response) => {
    void this.#answer(request, response).catch(() => response.writeHead(500).end());
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', headers } = request;
    const path = decodeURIComponent((request.url ?? '').replace(/^\/v1\//, ''));
    this.calls.push(`${method} ${path}`);
    const text = Buffer.concat(chunks).toString();
    const json = (status: number, body?: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body === undefined ? '' : write(body));
    const errors = (status: number, ...messages: string[]) => json(status, { errors: messages });
    if (headers['x-vault-namespace'] !== this.namespace) return void errors(404, 'no handler for route');
    if (method === 'POST' && path === 'auth/approle/login') {
      const { role_id: roleId, secret_id: secretId } = JSON.parse(text) as Record<string, unknown>;
      if (roleId !== this.role.roleId || secretId !== this.role.secretId)
        return void errors(400, 'invalid role or secret ID');
      const token = `hvs.${randomBytes(24).toString('base64url')}`;
      this.issued.push(token);
      return void json(200, { auth: { client_token: token, lease_duration: 60 } });
    }
    if (![this.token, ...this.issued].includes(String(headers['x-vault-token'])))
      return void errors(403, 'permission denied');
    if (this.fault(method, path, response)) return;
    if (method === 'GET' && path === 'auth/token/lookup-self')
      return void json(200, { data: { id: headers['x-vault-token'], policies: ['default'] } });
    if (method === 'GET' && path === 'sys/internal/ui/mounts') {
      const engines = [...this.two.keys(), ...this.one.keys()].map((at) => [`${at}/`, { type: 'kv', description: '' }]);
      const secret = Object.fromEntries([...engines, ['cubbyhole/', { type: 'cubbyhole' }]]) as object;
      return void json(200, { data: { secret, auth: {} } });
    }
    const mount = /^sys\/internal\/ui\/mounts\/(.+)$/.exec(path)?.[1];
    if (mount !== undefined) {
      const version = this.two.has(mount) ? '2' : this.one.has(mount) ? '1' : undefined;
      if (version === undefined) return void errors(403, 'preflight capability check returned 403');
      return void json(200, { data: { type: 'kv', path: `${mount}/`, options: version === '2' ? { version } : null } });
    }
    for (const [engine, secrets] of this.two) {
      if (path.startsWith(`${engine}/data/`)) {
        const at = path.slice(`${engine}/data/`.length);
        this.#versioned(method, secrets, at, text, json);
        return;
      }
    }
    for (const [engine, secrets] of this.one) {
      if (!path.startsWith(`${engine}/`)) continue;
      const at = path.slice(engine.length + 1);
      const known = secrets.get(at);
      if (method === 'GET') return void (known ? json(200, { data: known }) : errors(404));
      secrets.set(at, read(text) as Record<string, unknown>);
      return void json(204);
    }
    errors(404);
  }

  #versioned(
    method: string,
    secrets: Map<string, Versioned>,
    at: string,
    text: string,
    json: (status: number, body?: unknown) => unknown,
  ): void {
    const known = secrets.get(at);
    if (method === 'GET') {
      if (!known) return void json(404, { errors: [] });
      const metadata = { version: known.version, destroyed: false };
      return void json(known.data ? 200 : 404, { data: { data: known.data, metadata } });
    }
    const { options, data } = read(text) as { options?: { cas?: number }; data: Record<string, unknown> };
    if (options?.cas !== (known?.version ?? 0))
      return void json(400, { errors: ['check-and-set parameter did not match the current version'] });
    secrets.set(at, { version: (known?.version ?? 0) + 1, data });
    json(200, { data: { version: (known?.version ?? 0) + 1 } });
  }
}

/** Large numbers are not rounded, so that a test sees what was sent. */
const read = (text: string): unknown => JSON.parse(text.replace(/:(\d{17,})/g, ':"number $1"'));
const write = (value: unknown): string => JSON.stringify(value).replace(/"number (\d{17,})"/g, '$1');
