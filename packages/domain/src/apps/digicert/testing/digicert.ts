import { randomBytes, randomInt } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Certified, CertifyingAuthority } from '../../testing/certifying-authority.ts';

const newKey = () => randomBytes(20).toString('hex').toUpperCase();

interface Order {
  status: string;
  readonly csr: string;
  readonly commonName: string;
  readonly createdAt: Date;
  /** What whoever ordered calls it. */
  readonly alternativeId: string | undefined;
  readonly days: number;
  certificateId: number | undefined;
}

/** A CertCentral account, as far as Coffer uses it: https://dev.digicert.com/certcentral-apis/services-api.html */
export class DigiCert {
  apiKey = newKey();
  readonly organizationId = 112_236;
  readonly accountId = randomInt(1e9);
  /** Whether it says in the answer of whom a key is. */
  namesAccount = true;
  readonly orders = new Map<number, Order>();
  readonly certificates = new Map<number, Certified>();
  /** Reasons, by the ID of the certificate. */
  readonly revoked = new Map<number, unknown>();
  /** Whether the answer to the next order, or revocation, is lost after it was made. */
  losesAnswer = false;
  now = (): number => Date.now();
  readonly #authority: CertifyingAuthority;

  constructor(authority: CertifyingAuthority) {
    this.#authority = authority;
  }

  /** Its owner makes another key, and ends this one. */
  replaceKey(): void {
    this.apiKey = newKey();
  }

  /** People have validated the domains of an order. */
  async validate(id: number): Promise<void> {
    const order = this.orders.get(id)!;
    order.certificateId = randomInt(1e9);
    this.certificates.set(order.certificateId, await this.#authority.certify(order.csr, order.days));
    order.status = 'issued';
  }

  readonly listener: RequestListener = (request, response) => {
    this.#answer(request).then(
      ([status, body]) => {
        if (status === 0) return request.socket.destroy();
        const isText = typeof body === 'string';
        response.writeHead(status, { 'content-type': isText ? 'application/x-pem-file' : 'application/json' });
        return response.end(isText ? body : JSON.stringify(body));
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  };

  async #answer(request: IncomingMessage): Promise<[number, unknown]> {
    const { method = '', url = '', headers } = request;
    const sent = await text(request);
    const refuse = (status: number, code: string): [number, unknown] => [status, { errors: [{ code, message: code }] }];
    if (headers['x-dc-devkey'] !== this.apiKey) return refuse(401, 'access_denied|invalid_auth_credentials');
    if (sent !== '' && headers['content-type'] !== 'application/json') return refuse(415, 'unsupported_media_type');
    const body = (sent === '' ? {} : JSON.parse(sent)) as Record<string, unknown>;
    const { pathname, searchParams } = new URL(url, 'https://www.digicert.com');
    const path = pathname.replace('/services/v2', '');
    if (path === '/user/me') return [200, { id: 1, ...(this.namesAccount && { account: { id: this.accountId } }) }];
    if (path === '/account') return [200, { id: this.accountId }];
    if (path === `/organization/${this.organizationId}`) return [200, { id: this.organizationId, is_active: true }];
    if (path === '/product/ssl_basic') return [200, { name_id: 'ssl_basic' }];
    if (method === 'POST' && path === '/order/certificate/ssl_basic') return this.#order(body);
    if (path === '/order/certificate') return [200, this.#page(searchParams)];
    const [, kind, id = '', what] = /^\/(order\/certificate|certificate)\/(\d+)(\/.*)?$/.exec(path) ?? [];
    const order = this.orders.get(Number(id));
    if (kind === 'order/certificate' && order) return this.#ofOrder(Number(id), order, method, what, body);
    const certified = this.certificates.get(Number(id));
    if (kind === 'certificate' && certified && what === '/download/format/pem_all')
      return [200, certified.certificate + this.#authority.root];
    if (kind === 'certificate' && certified && method === 'PUT' && what === '/revoke') {
      if (this.revoked.has(Number(id))) return refuse(400, 'certificate_already_revoked');
      this.revoked.set(Number(id), body['revocation_reason']);
      for (const one of this.orders.values()) if (one.certificateId === Number(id)) one.status = 'revoked';
      return this.#isLost() ? [0, ''] : [201, { id: 1, status: 'approved', type: 'revoke' }];
    }
    return refuse(404, 'not_found');
  }

  /** https://dev.digicert.com/certcentral-apis/services-api/orders/list-orders.html */
  #page(query: URLSearchParams): object {
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 1000)];
    const listed = [...this.orders].map(([id, { status, commonName, createdAt }]) => {
      const created = createdAt.toISOString().replace(/\.\d+Z$/, '+00:00');
      return { id, status, certificate: { common_name: commonName }, date_created: created };
    });
    if (query.get('sort') === '-date_created') listed.reverse();
    return { orders: listed.slice(offset, offset + limit), page: { total: listed.length, limit, offset } };
  }

  #order({ certificate, organization, order_validity: validity, ...more }: Record<string, unknown>): [number, unknown] {
    const { csr, common_name: name, dns_names: names } = certificate as Record<string, string | string[]>;
    const { id: organizationId } = organization as { id?: number };
    const { days } = validity as { days?: number };
    if (!csr || !name || !Array.isArray(names) || organizationId !== this.organizationId || !days)
      return [400, { errors: [{ code: 'missing_param', message: 'A parameter is missing' }] }];
    const id = randomInt(1e9);
    const alternativeId = more['alternative_order_id'] as string | undefined;
    const placed = { status: 'pending', csr: String(csr), commonName: String(name), createdAt: new Date(this.now()) };
    this.orders.set(id, { ...placed, alternativeId, days, certificateId: undefined });
    return this.#isLost() ? [0, ''] : [201, { id, requests: [{ id: 1, status: 'approved' }] }];
  }

  #isLost(): boolean {
    const isLost = this.losesAnswer;
    this.losesAnswer = false;
    return isLost;
  }

  #ofOrder(
    id: number,
    order: Order,
    method: string,
    what: string | undefined,
    body: Record<string, unknown>,
  ): [number, unknown] {
    if (method === 'PUT' && what === '/status') {
      order.status = String(body['status']).toLowerCase();
      return [204, ''];
    }
    const certificate = { csr: order.csr, ...(order.certificateId !== undefined && { id: order.certificateId }) };
    const { status, alternativeId } = order;
    return [200, { id, status, certificate, ...(alternativeId && { alternative_order_id: alternativeId }) }];
  }
}
