import { z } from 'zod';
import { defineEvent, defineUpdate } from '../../kernel/schema.ts';

/** RFC 8555, section 7.1.6. Orders are issued synchronously, so `processing` never occurs. */
export type AccountStatus = 'valid' | 'deactivated' | 'revoked';
export type OrderStatus = 'pending' | 'ready' | 'valid' | 'invalid';
export type AuthorizationStatus = 'pending' | 'valid' | 'invalid' | 'deactivated' | 'expired' | 'revoked';
export type ChallengeStatus = 'pending' | 'processing' | 'valid' | 'invalid';

/** RFC 8555, sections 8.3 and 8.4, and RFC 8737. */
export const CHALLENGE_TYPES = ['http-01', 'dns-01', 'tls-alpn-01'] as const;
export type ChallengeType = (typeof CHALLENGE_TYPES)[number];

/** The identifiers of orders: DNS names. */
export interface Identifier {
  readonly type: 'dns';
  /** A-labels in lower case, with a leading `*.` for wildcards. */
  readonly value: string;
}

/** Lifetime of an order before it is finalized, and of a validation; milliseconds. */
export const ORDER_LIFE = 7 * 86_400_000;
/** Maximum number of open orders of one account. */
export const MAX_OPEN_ORDERS = 300;
export const MAX_IDENTIFIERS = 100;
/** Of accounts without a binding for which nothing was issued, a profile keeps this many, and this many of their orders. */
export const MAX_UNPROVED_ACCOUNTS = 10_000;
export const MAX_UNPROVED_ORDERS = 5_000;

const account = { acmeAccountId: z.string(), certificateProfileId: z.string() };

export const acmeAccountCreated = defineEvent(
  'acme_account.created',
  'create-acme-account',
  z.object({ ...account, isExternallyBound: z.boolean() }),
);
export const acmeAccountUpdated = defineUpdate('acme_account.updated', 'update-acme-account', z.object(account));
export const acmeAccountKeyChanged = defineEvent(
  'acme_account.key_changed',
  'change-acme-account-key',
  z.object(account),
);
export const acmeAccountDeactivated = defineEvent(
  'acme_account.deactivated',
  'deactivate-acme-account',
  z.object(account),
);
export const acmeOrderCreated = defineEvent(
  'acme_order.created',
  'create-acme-order',
  z.object({ ...account, acmeOrderId: z.string(), identifiers: z.array(z.string()) }),
);
export const acmeOrderFinalized = defineEvent(
  'acme_order.finalized',
  'finalize-acme-order',
  z.object({ ...account, acmeOrderId: z.string(), certificateId: z.string(), serialNumber: z.string() }),
);
export const acmeChallengeEnded = defineEvent(
  'acme_challenge.ended',
  'validate-acme-challenge',
  z.object({
    ...account,
    acmeOrderId: z.string(),
    identifier: z.string(),
    type: z.enum(CHALLENGE_TYPES),
    isValid: z.boolean(),
    problem: z.string().nullable(),
  }),
);
export const acmeAuthorizationDeactivated = defineEvent(
  'acme_authorization.deactivated',
  'deactivate-acme-authorization',
  z.object({ ...account, acmeOrderId: z.string(), identifier: z.string() }),
);
export const acmeEabSecretRevealed = defineEvent(
  'acme_eab_secret.revealed',
  'reveal-acme-eab-secret',
  z.object({ certificateProfileId: z.string(), slug: z.string() }),
);
