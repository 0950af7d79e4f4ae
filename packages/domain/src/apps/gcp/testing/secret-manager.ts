import type { RequestListener } from 'node:http';
import type { GcpCall, GcpCloud } from './cloud.ts';

interface Stored {
  readonly replication: unknown;
  readonly versions: string[];
  readonly bytes: Buffer[];
  isEnabled: boolean;
}

/** Secret Manager with one project, global or of a region (https://cloud.google.com/secret-manager/docs/reference/rest). */
export class GcpSecretManager {
  readonly project = 'acme-shop';
  readonly secrets = new Map<string, Stored>();
  readonly locations = ['europe-west3', 'europe-west4', 'us-east1'];
  /** What the caller may not, as `POST KEY:addVersion`. */
  readonly denied = new Set<string>();
  readonly #location: string | undefined;

  constructor(location?: string) {
    this.#location = location;
  }

  set(name: string, value?: string | Buffer, { isEnabled = true } = {}): void {
    const secret: Stored = this.secrets.get(name) ?? { replication: {}, versions: [], bytes: [], isEnabled };
    this.secrets.set(name, { ...secret, isEnabled });
    if (value === undefined) return;
    secret.versions.push(value.toString());
    secret.bytes.push(Buffer.from(value));
  }

  held(): Record<string, string> {
    return Object.fromEntries(Array.from(this.secrets, ([name, { versions }]) => [name, versions.at(-1) ?? '']));
  }

  serveBy(cloud: GcpCloud): RequestListener {
    return cloud.api((call) => this.#serve(call, cloud));
  }

  #serve(call: GcpCall, cloud: GcpCloud): void {
    const { method, url } = call;
    if (method === 'GET' && url.pathname === `/v1/projects/${this.project}/locations`) {
      const all = this.locations.map((locationId) => ({ locationId, displayName: locationId.toUpperCase() }));
      return call.answer(200, cloud.page(call, 'locations', all));
    }
    const place = this.#location ? `/locations/${this.#location}` : '';
    const base = `/v1/projects/${this.project}${place}/secrets`;
    if (!url.pathname.startsWith(base)) return call.refuse(404, 'NOT_FOUND', 'Project not found.');
    const path = url.pathname.slice(base.length + 1);
    if (this.denied.has(`${method} ${path}`))
      return call.refuse(403, 'PERMISSION_DENIED', 'Permission denied on resource.');
    if (path === '' && method === 'GET') {
      const all = [...this.secrets.keys()].map((name) => ({ name: `projects/1${place}/secrets/${name}` }));
      return call.answer(200, cloud.page(call, 'secrets', all));
    }
    if (path === '' && method === 'POST') return this.#create(call, url.searchParams.get('secretId') ?? '');
    const [, name = '', action] = /^([\w-]+)(\/versions\/latest:access|:addVersion)?$/.exec(path) ?? [];
    const secret = this.secrets.get(name);
    if (!secret) return call.refuse(404, 'NOT_FOUND', `Secret [${name}] not found or has no versions.`);
    if (method === 'GET' && action?.startsWith('/')) return this.#access(call, name, secret);
    if (method === 'POST' && action === ':addVersion') return this.#add(call, name, secret);
    if (method !== 'DELETE' || action) return call.refuse(404, 'NOT_FOUND', 'Not found.');
    this.secrets.delete(name);
    call.answer(200, {});
  }

  #create(call: GcpCall, name: string): void {
    const { replication, ...others } = call.body ?? {};
    const isRight = this.#location ? replication === undefined : typeof replication === 'object';
    if (!/^[\w-]{1,255}$/.test(name) || !isRight || Object.keys(others).length > 0)
      return call.refuse(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.');
    if (this.secrets.has(name)) return call.refuse(409, 'ALREADY_EXISTS', `Secret [${name}] already exists.`);
    this.secrets.set(name, { replication, versions: [], bytes: [], isEnabled: true });
    call.answer(200, { name: `projects/1/secrets/${name}`, replication });
  }

  #access(call: GcpCall, name: string, { bytes, isEnabled }: Stored): void {
    const newest = bytes.at(-1);
    if (!newest) return call.refuse(404, 'NOT_FOUND', `Secret [${name}] not found or has no versions.`);
    if (!isEnabled) return call.refuse(400, 'FAILED_PRECONDITION', `Secret Version [${name}] is in DISABLED state.`);
    call.answer(200, { name: `${name}/versions/1`, payload: { data: newest.toString('base64'), dataCrc32c: '0' } });
  }

  #add(call: GcpCall, name: string, secret: Stored): void {
    const { data } = (call.body?.['payload'] ?? {}) as { data?: string };
    const bytes = Buffer.from(data ?? '', 'base64');
    if (typeof data !== 'string' || bytes.length === 0 || bytes.length > 65_536 || bytes.toString('base64') !== data)
      return call.refuse(400, 'INVALID_ARGUMENT', 'Secret Payload cannot be empty, and has at most 65536 bytes.');
    secret.bytes.push(bytes);
    secret.versions.push(bytes.toString());
    secret.isEnabled = true;
    call.answer(200, { name: `projects/1/secrets/${name}/versions/${secret.bytes.length}`, state: 'ENABLED' });
  }
}
