import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { shownCertificate, ZoneCertificates } from './zone-certificates.ts';

export interface CloudflareRecord {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly content: string;
}

interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers: Record<string, string>;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** In place of a status. */
const LOST = 0;

const newIdentifier = () => randomBytes(16).toString('hex');

/** An account of Cloudflare with zones, as far as Coffer uses them. */
export class Cloudflare {
  readonly accountId = newIdentifier();
  readonly token = randomBytes(20).toString('hex');
  /** The domains of zones, by ID. */
  readonly zones = new Map<string, string>();
  records: CloudflareRecord[] = [];
  /** What was called: `POST /zones/…/dns_records`. */
  readonly calls: string[] = [];
  readonly certificates = new ZoneCertificates();
  /** Answers a call in place of the account, or loses its answer. */
  fault: (call: string) => 'lost' | { status: number; headers?: Record<string, string> } | undefined = () => undefined;
  /** Called for each name whose TXT records have changed, with their values. */
  published: (name: string, values: readonly string[]) => Promise<void> = async () => undefined;

  readonly listener: RequestListener = (request, response) => {
    this.#answer(request).then(
      ({ status, body, headers }) =>
        status === LOST
          ? void request.socket.destroy()
          : void response
              .writeHead(status, { 'content-type': 'application/json', ...headers })
              .end(JSON.stringify(body)),
      (error: unknown) => void response.writeHead(500).end(String(error)),
    );
  };

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '', headers } = request;
    const sent = await text(request);
    const { pathname, searchParams } = new URL(url, 'https://api.cloudflare.com');
    this.calls.push(`${method} ${pathname}`);
    const accident = this.fault(`${method} ${pathname}`);
    if (typeof accident === 'object') return { body: failure(10_000, 'No'), headers: {}, ...accident };
    try {
      if (headers.authorization !== `Bearer ${this.token}`) throw new Refusal(403, 9109, 'Invalid access token');
      if (sent !== '' && headers['content-type'] !== 'application/json')
        throw new Refusal(400, 6003, 'Invalid headers');
      const body = sent === '' ? {} : (JSON.parse(sent) as Record<string, unknown>);
      const answered = await this.#act(method, pathname, searchParams, body);
      return { status: accident === 'lost' ? LOST : 200, headers: {}, body: answered };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, headers: {}, body: failure(error.code, error.message) };
    }
  }

  async #act(method: string, path: string, query: URLSearchParams, body: Record<string, unknown>): Promise<object> {
    const [, , , kind, id = '', what, own] = path.split('/');
    if (!path.startsWith('/client/v4/')) throw new Refusal(404, 7003, 'Could not route');
    if (kind === 'accounts') {
      if (id !== this.accountId) throw new Refusal(404, 7003, 'Could not route to the account');
      return success({ id, name: 'Acme' });
    }
    if (kind === 'zones' && id === '' && method === 'GET') {
      if (query.get('account.id') !== this.accountId) throw new Refusal(400, 1_001, 'Invalid account');
      return paged(
        Array.from(this.zones, ([zone, name]) => ({ id: zone, name, status: 'active' })),
        query,
      );
    }
    const domain = this.zones.get(id);
    if (kind !== 'zones' || domain === undefined) throw new Refusal(404, 7003, 'Could not route to the zone');
    if (what === 'dns_records') return this.#records(domain, { method, own, query, body });
    if (what === 'custom_certificates') return this.#certificates({ method, own, query, body });
    throw new Refusal(404, 7000, 'No route for that URI');
  }

  async #records(domain: string, { method, own, query, body }: Call): Promise<object> {
    if (method === 'GET') {
      const [type, name] = [query.get('type'), query.get('name.exact')];
      const found = this.records.filter((one) => one.type === type && one.name === name);
      return paged(found, query);
    }
    if (method === 'POST') {
      const { type, name, content, ttl } = body as { type: string; name: string; content: string; ttl: number };
      if (type !== 'TXT' || !(ttl === 1 || ttl >= 60))
        throw new Refusal(400, 9005, 'Content for the record is invalid');
      // The name is completed with that of the zone.
      const whole = name === domain || name.endsWith(`.${domain}`) ? name : `${name}.${domain}`;
      if (this.records.some((one) => one.name === whole && one.content === content))
        throw new Refusal(400, 81_058, 'An identical record already exists.');
      const record = { id: newIdentifier(), type, name: whole, content };
      this.records.push(record);
      await this.#publish(whole);
      return success(record);
    }
    const found = this.records.find(({ id }) => id === own);
    if (method !== 'DELETE' || !found) throw new Refusal(404, 81_044, 'Record does not exist.');
    this.records = this.records.filter((one) => one !== found);
    await this.#publish(found.name);
    return success({ id: found.id });
  }

  #certificates({ method, own = '', query, body }: Call): object {
    const { certificates } = this;
    if (method === 'GET') return paged(certificates.all.map(shownCertificate), query);
    if (method === 'DELETE') {
      if (!certificates.remove(own)) throw new Refusal(404, 1_002, 'Certificate not found.');
      return success({ id: own });
    }
    const read = certificates.read(body);
    if (typeof read === 'string') throw new Refusal(400, 1_400, read);
    const stored = method === 'POST' ? certificates.add(read) : certificates.replace(own, read);
    if (!stored) throw new Refusal(404, 1_002, 'Certificate not found.');
    return success(shownCertificate(stored));
  }

  #publish(name: string): Promise<void> {
    const values = this.records.filter((one) => one.name === name).map(({ content }) => content.replaceAll('"', ''));
    return this.published(`${name}.`, values);
  }
}

interface Call {
  readonly method: string;
  readonly own: string | undefined;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

const success = (result: unknown) => ({ success: true, errors: [], messages: [], result });
const failure = (code: number, message: string) => ({
  success: false,
  errors: [{ code, message }],
  messages: [],
  result: null,
});

function paged(all: readonly unknown[], query: URLSearchParams) {
  const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))];
  if (!(page >= 1) || !(size >= 5 && size <= 50)) throw new Refusal(400, 9207, 'Invalid page');
  const total = Math.ceil(all.length / size);
  return {
    ...success(all.slice((page - 1) * size, page * size)),
    result_info: { page, per_page: size, total_pages: total },
  };
}
