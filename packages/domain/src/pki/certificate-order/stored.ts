import { columnSeal } from '../../crypto/index.ts';
import { statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { RunAs } from '../../secrets/import/replication/index.ts';
import type { Progress } from '../external-authority/index.ts';
import type { AltName, Subject } from '../x509.ts';
import type { OrderContent, CertificateOrderStatus } from './certificate-order.ts';

/** Private keys of certificates that are not issued yet, as PKCS #8. */
export const orderKeys = columnSeal('certificate_orders.private_key');

export interface OrderRow {
  id: string;
  organizationId: string;
  projectId: string;
  externalCaId: string;
  profileId: string | null;
  pkiSubscriberId: string | null;
  renewedFromId: string | null;
  certificateId: string | null;
  status: CertificateOrderStatus;
  commonName: string;
  names: AltName[];
  subject: Subject;
  friendlyName: string;
  content: OrderContent;
  csr: Buffer;
  privateKey: Buffer | null;
  progress: Progress;
  message: string | null;
  createdAt: string;
  /** Who has placed it; null: it was placed automatically, or by an earlier release. */
  requester: RunAs | null;
  /** Who has cancelled it, and needs the right to revoke; null: nobody, or with their project. */
  canceller: RunAs | null;
}

const SELECT = `select o.id, o.organization_id as "organizationId", o.project_id as "projectId",
  o.external_ca_id as "externalCaId", o.profile_id as "profileId", o.pki_subscriber_id as "pkiSubscriberId",
  o.renewed_from_id as "renewedFromId", o.certificate_id as "certificateId", o.status, o.common_name as "commonName",
  o.names, o.subject, o.friendly_name as "friendlyName", o.content, o.csr, o.private_key as "privateKey", o.progress,
  o.message, o.created_at as "createdAt", o.requester, o.canceller
  from certificate_orders o`;
const BY_ID = statement('certificate_orders.by_id', `${SELECT} where o.organization_id = $1 and o.id = $2`);
const LOCK = statement('certificate_orders.lock', `${SELECT} where o.organization_id = $1 and o.id = $2 for update`);

export async function orderById(ctx: Context, organizationId: string, id: string): Promise<OrderRow | undefined> {
  const [row] = await ctx.sql<OrderRow>(BY_ID, [organizationId, id]);
  return row;
}

/** The same, locked until the transaction ends; `undefined` if it was deleted meanwhile. */
export async function lockOrder(tx: Transaction, organizationId: string, id: string): Promise<OrderRow | undefined> {
  const [row] = await tx.sql<OrderRow>(LOCK, [organizationId, id]);
  return row;
}

/** Whether something of an order may be at its authority, or elsewhere. */
export const isBegun = ({ progress }: OrderRow): boolean => Object.keys(progress).length > 0;

/** For events. */
export const eventDataOf = ({ id, externalCaId, commonName }: OrderRow) => ({
  certificateOrderId: id,
  caId: externalCaId,
  commonName,
});
