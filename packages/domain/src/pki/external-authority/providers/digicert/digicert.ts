import { z } from 'zod';
import type { DigiCertClient } from '../../../../apps/digicert/index.ts';
import { digicert as connector } from '../../../../connections/apps/digicert/index.ts';
import { malformed, rejectedBy } from '../../../../family/index.ts';
import { DAY, Id, text } from '../../../../kernel/index.ts';
import { refused } from '../../../constraint/index.ts';
import { toPem } from '../../../x509.ts';
import {
  defineIssuer,
  type Attempt,
  type IssuedElsewhere,
  type OpenAuthority,
  type Step,
  type ToRevoke,
} from '../../issuer.ts';

/** Milliseconds between questions: people validate orders. */
const PAUSE = 60_000;
const USUAL_DAYS = 90;

const Ordered = z.object({ id: z.int() });
const Begun = z.object({ isOrdered: z.boolean().default(false), orderId: z.int().optional() });
const OrderInfo = z.object({
  status: z.string(),
  alternative_order_id: z.string().nullish(),
  certificate: z.object({ id: z.int().optional() }),
});
const Page = z.object({ orders: z.array(z.object({ id: z.int() })).default([]) });
const Organization = z.object({ id: z.int() });

/** What ends an order without a certificate. */
const ENDED = ['rejected', 'canceled', 'expired', 'revoked'];

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
}

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
    if (begun.orderId === undefined) return this.#order(attempt, begun.isOrdered);
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

  async #order({ order, keep }: Attempt, isOrdered: boolean): Promise<Step> {
    // An answer was lost, perhaps after it was ordered.
    const found = isOrdered ? await this.#find(order.id) : undefined;
    await keep({ isOrdered: true, ...(found !== undefined && { orderId: found }) });
    const message = 'DigiCert has the order';
    if (found !== undefined) return { is: 'waiting', forMs: 0, message };
    const { productNameId, organizationId } = this.#wanted;
    const names = order.altNames.map(({ value }) => value);
    const { id } = await this.#client.ask(`/order/certificate/${productNameId}`, Ordered, {
      certificate: {
        common_name: order.subject.commonName ?? names[0],
        dns_names: names,
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
    await keep({ isOrdered: true, orderId: id });
    return { is: 'waiting', forMs: 0, message };
  }

  /** The order that was made for this one, among the newest ones. Others may have ordered by the same request. */
  async #find(own: string): Promise<number | undefined> {
    const { orders } = await this.#client.ask('/order/certificate?limit=20&sort=-date_created', Page);
    for (const { id } of orders) {
      const { alternative_order_id: name } = await this.#client.ask(`/order/certificate/${id}`, OrderInfo);
      if (name === own) return id;
    }
    return undefined;
  }

  /** What is not issued is cancelled. */
  async withdraw({ order, progress }: Attempt): Promise<IssuedElsewhere | undefined> {
    const begun = Begun.parse(progress);
    const orderId = begun.orderId ?? (begun.isOrdered ? await this.#find(order.id) : undefined);
    if (orderId === undefined) return undefined;
    const { status, certificate } = await this.#client.ask(`/order/certificate/${orderId}`, OrderInfo);
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
  open: ({ organizationId, productNameId }, _keys, { client }) =>
    new DigiCertOrders(client as DigiCertClient, { organizationId, productNameId }),
});
