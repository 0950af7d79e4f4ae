import { z } from 'zod';
import type { DigiCertClient } from '../../../../apps/digicert/index.ts';
import { digicert as connector } from '../../../../connections/apps/digicert/index.ts';
import { allPages, malformed, rejectedBy, remoteError } from '../../../../family/index.ts';
import { DAY, Id, text } from '../../../../kernel/index.ts';
import { refused } from '../../../constraint/index.ts';
import { toPem } from '../../../x509.ts';
import {
  defineIssuer,
  unlessRejected,
  type Attempt,
  type IssuedElsewhere,
  type OpenAuthority,
  type OrderToIssue,
  type Step,
  type ToRevoke,
} from '../../issuer.ts';

/** Milliseconds between questions: people validate orders. */
const PAUSE = 60_000;
const USUAL_DAYS = 90;

/** Milliseconds in which a request whose answer is lost may still be carried out. */
const ARRIVAL = 60_000;
/** Milliseconds by which clocks differ at most. */
const SKEW = 3_600_000;
/** A page of the list of orders. */
const PAGE = 100;
const UNCONFIRMED = 'DigiCert has not confirmed the order yet';

const Ordered = z.object({ id: z.int() });
const Begun = z.object({
  /** Whether it may have been ordered. */
  isOrdered: z.boolean().default(false),
  /** When it was sent: milliseconds. */
  sentAt: z.number().optional(),
  orderId: z.int().optional(),
});
type Begun = z.output<typeof Begun>;
const OrderInfo = z.object({
  status: z.string(),
  alternative_order_id: z.string().nullish(),
  certificate: z.object({ id: z.int().optional() }),
});
const Listed = z.object({
  id: z.int(),
  date_created: z.string().optional(),
  certificate: z.object({ common_name: z.string().optional() }).optional(),
});
const Page = z.object({ orders: z.array(Listed).default([]) });
const Organization = z.object({ id: z.int() });

/** Once its certificate is revoked: DigiCert refuses to revoke that again. */
const REVOKED = 'revoked';
/** What ends an order without a certificate. */
const ENDED = ['rejected', 'canceled', 'expired', REVOKED];

/** RFC 5280, section 5.3.1, in the words of DigiCert. */
const REASONS: Readonly<Record<number, string>> = {
  0: 'unspecified',
  1: 'key_compromise',
  3: 'affiliation_changed',
  4: 'superseded',
  5: 'cessation_of_operation',
};

/** What is kept: whose certificates they are. */
interface Keys {
  readonly account: string;
}

interface Wanted {
  readonly productNameId: string;
  readonly organizationId: number;
  readonly now: Date;
}

/** What an order is called there: a certificate without a common name gets its first name. */
const commonNameOf = ({ subject, altNames }: OrderToIssue): string => subject.commonName ?? altNames[0]!.value;

/** https://dev.digicert.com/certcentral-apis/services-api/orders.html */
class DigiCertOrders implements OpenAuthority {
  readonly #client: DigiCertClient;
  readonly #wanted: Wanted;

  constructor(client: DigiCertClient, wanted: Wanted) {
    this.#client = client;
    this.#wanted = wanted;
  }

  async advance(attempt: Attempt): Promise<Step> {
    const begun = Begun.parse(attempt.progress);
    if (begun.orderId === undefined) return this.#order(attempt, begun);
    const { status, certificate } = await this.#client.ask(`/order/certificate/${begun.orderId}`, OrderInfo);
    if (ENDED.includes(status)) throw rejectedBy(this.#host, `the status of order ${begun.orderId} is ${status}`);
    if (status !== 'issued') {
      const message = `The order ${begun.orderId} is ${status}: its domains have to be validated in CertCentral`;
      return { is: 'waiting', forMs: PAUSE, message };
    }
    return { is: 'issued', ...(await this.#issued(certificate.id)) };
  }

  async #issued(certificateId: number | undefined): Promise<IssuedElsewhere> {
    if (certificateId === undefined) throw malformed(this.#client.base, 'an issued order without a certificate');
    const answer = await this.#client.call('GET', `/certificate/${certificateId}/download/format/pem_all`);
    return { chain: answer.text(), reference: String(certificateId) };
  }

  get #host(): string {
    return new URL(this.#client.base).hostname;
  }

  async #order(attempt: Attempt, begun: Begun): Promise<Step> {
    const { order, keep } = attempt;
    // An answer was lost, perhaps after it was ordered.
    const found = begun.isOrdered ? await this.#find(order) : undefined;
    if (found === undefined && this.#mayArrive(begun)) return { is: 'waiting', forMs: ARRIVAL, message: UNCONFIRMED };
    await keep({ isOrdered: true, sentAt: this.#wanted.now.getTime(), ...(found !== undefined && { orderId: found }) });
    const orderId = found ?? (await this.#place(order).catch(unlessRejected(attempt)));
    if (found === undefined) await keep({ isOrdered: true, orderId });
    return { is: 'waiting', forMs: 0, message: 'DigiCert has the order' };
  }

  /** The ID of a new order. */
  async #place(order: OrderToIssue): Promise<number> {
    const { productNameId, organizationId } = this.#wanted;
    const { id } = await this.#client.ask(`/order/certificate/${productNameId}`, Ordered, {
      certificate: {
        common_name: commonNameOf(order),
        dns_names: order.altNames.map(({ value }) => value),
        csr: toPem('CERTIFICATE REQUEST', order.csr),
        signature_hash: 'sha256',
        server_platform: { id: -1 },
      },
      organization: { id: organizationId },
      order_validity: { days: Math.max(1, Math.floor((order.ttl ?? USUAL_DAYS * DAY) / DAY)) },
      alternative_order_id: order.id,
      payment_method: 'balance',
      skip_approval: true,
      disable_renewal_notifications: true,
    });
    return id;
  }

  /**
   * The order that was made for this one, among all of this name that were made since. Others may have ordered by the same request.
   * https://dev.digicert.com/certcentral-apis/services-api/orders/list-orders.html
   */
  async #find(order: OrderToIssue): Promise<number | undefined> {
    const since = order.createdAt.getTime() - SKEW;
    const listed = await allPages(async (offset: number = 0) => {
      const query = `limit=${PAGE}&offset=${offset}&sort=-date_created`;
      const { orders } = await this.#client.ask(`/order/certificate?${query}`, Page);
      const isLast = orders.length < PAGE || orders.some(({ date_created: made = '' }) => Date.parse(made) < since);
      return { items: orders, next: isLast ? undefined : offset + orders.length };
    });
    const wanted = commonNameOf(order).toLowerCase();
    for (const { id, certificate } of listed) {
      if ((certificate?.common_name ?? wanted).toLowerCase() !== wanted) continue;
      const { alternative_order_id: name } = await this.#client.ask(`/order/certificate/${id}`, OrderInfo);
      if (name === order.id) return id;
    }
    return undefined;
  }

  /** Whether an order that is not there may still be made by the request whose answer was lost. */
  #mayArrive({ isOrdered, sentAt }: Begun): boolean {
    return isOrdered && sentAt !== undefined && Math.abs(this.#wanted.now.getTime() - sentAt) < ARRIVAL;
  }

  /** What is not issued is cancelled. */
  async withdraw({ order, progress }: Attempt): Promise<IssuedElsewhere | undefined> {
    const begun = Begun.parse(progress);
    const orderId = begun.orderId ?? (begun.isOrdered ? await this.#find(order) : undefined);
    if (orderId === undefined && this.#mayArrive(begun)) throw remoteError('unavailable', UNCONFIRMED);
    if (orderId === undefined) return undefined;
    const { status, certificate } = await this.#client.ask(`/order/certificate/${orderId}`, OrderInfo);
    if (status === REVOKED && certificate.id !== undefined)
      return { ...(await this.#issued(certificate.id)), isRevoked: true };
    if (ENDED.includes(status)) return undefined;
    if (status === 'issued') return this.#issued(certificate.id);
    await this.#client.call('PUT', `/order/certificate/${orderId}/status`, { status: 'CANCELED', note: 'Cancelled' });
    return undefined;
  }

  async revoke({ reference, reason }: ToRevoke): Promise<void> {
    const revocationReason = REASONS[reason];
    if (revocationReason === undefined || reference === null)
      throw refused('digicert.reason', 'DigiCert has no such reason for a revocation');
    const body = { revocation_reason: revocationReason, comments: 'Revoked in Coffer', skip_approval: true };
    await this.#client.call('PUT', `/certificate/${reference}/revoke`, body);
  }
}

export const digicert = defineIssuer({
  type: 'digicert',
  title: 'DigiCert',
  config: z.object({
    appConnectionId: Id.describe('The app connection to DigiCert'),
    organizationId: z.int().min(1).describe('The ID of a validated organization in CertCentral'),
    productNameId: text(64)
      .trim()
      .regex(/^[a-z0-9_]+$/, 'Expected the name ID of a product, such as ssl_basic')
      .meta({ examples: ['ssl_basic'] }),
  }),
  identity: [],
  isSameAccount: ({ account }: Partial<Keys>, now) => account === now.account,
  connectionOf: ({ appConnectionId: id }) => ({ connector, id }),
  async prepare({ organizationId, productNameId }, { client }): Promise<Keys> {
    const certCentral = client as DigiCertClient;
    await certCentral.findAccount();
    await certCentral.ask(`/organization/${organizationId}`, Organization);
    await certCentral.call('GET', `/product/${productNameId}`);
    return { account: `${certCentral.base}/account/${certCentral.accountId}` };
  },
  requireIssuable({ altNames, keyAlgorithm }) {
    if (altNames.length === 0 || altNames.some(({ type }) => type !== 'dns'))
      throw refused('digicert.names', 'DigiCert issues for DNS names, at least one, and for nothing else');
    if (keyAlgorithm === 'ED25519') throw refused('digicert.key', 'DigiCert certifies no Ed25519 keys');
  },
  open: ({ organizationId, productNameId }, _keys, { client, io: { now } }) =>
    new DigiCertOrders(client as DigiCertClient, { organizationId, productNameId, now }),
});
