import { z } from 'zod';
import { defineEvent, Uuid, type Metadata } from '../../kernel/index.ts';
import type { PolicyRules } from '../policy/index.ts';
import type { ExtendedKeyUsage, KeyAlgorithm, KeyUsage } from '../x509.ts';

/** An order is pending until its certificate is stored, it fails for good, or somebody cancels it. */
export type CertificateOrderStatus = 'pending' | 'issued' | 'failed' | 'cancelled';

/** What is wanted of a certificate besides its names. */
export interface OrderContent {
  readonly keyAlgorithm: KeyAlgorithm;
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  /** Milliseconds. */
  readonly ttl?: number | undefined;
  readonly source: 'issue' | 'sign' | 'subscriber';
  readonly renewBeforeDays?: number | undefined;
  readonly metadata: Metadata;
  /** Of the policy when it was ordered: the certificate has to follow them. */
  readonly rules?: PolicyRules | undefined;
  readonly isAutomatic: boolean;
  /** Whether it renews a certificate, which may be deleted meanwhile. */
  readonly isRenewal?: boolean | undefined;
}

/** An order that was accepted here. */
export interface PlacedOrder {
  readonly orderId: string;
  readonly status: 'pending';
}

/** The answer of a renewal that an external authority carries out. */
export const OrderedRenewal = z.object({
  certificateRequestId: Uuid,
  status: z.literal('pending'),
  message: z.string(),
});

const data = z.object({ certificateOrderId: z.string(), caId: z.string(), commonName: z.string() });
export const certificateOrdered = defineEvent(
  'certificate_order.placed',
  'order-cert',
  data.extend({ profileId: z.string().nullable(), pkiSubscriberId: z.string().nullable() }),
);
export const certificateOrderFailed = defineEvent('certificate_order.failed', 'fail-cert-order', data);
/** What was issued for it may not be stored, and was revoked. */
export const certificateOrderRevoked = defineEvent(
  'certificate_order.revoked',
  'revoke-cert-order',
  data.extend({ serialNumber: z.string() }),
);
/** What its authority issues for it is not known here, and stays. */
export const certificateOrderLeft = defineEvent(
  'certificate_order.left',
  'leave-cert-order',
  data.extend({ records: z.array(z.string()).optional().describe('Names of records in DNS that stay') }),
);
export const certificateOrderCancelled = defineEvent('certificate_order.cancelled', 'cancel-cert-order', data);
