import type { Context } from '../../kernel/index.ts';
import { acmeBase } from '../profile/index.ts';
import { accountObject, changeKey, newAccount, updateAccount } from './account.ts';
import {
  answerChallenge,
  authorizationObject,
  authorizationUrl,
  challengeObject,
  findAuthorization,
  findChallenge,
  updateAuthorization,
  type ChallengeOf,
} from './authorization.ts';
import { downloadCertificate, finalizeOrder } from './finalize.ts';
import {
  accountUrl,
  fromAccount,
  fromEither,
  fromKey,
  requireNoPayload,
  requirePayload,
  type AcmeRequest,
} from './message.ts';
import { findOrder, listOrders, newOrder, orderObject, orderUrl, statusOf, type AcmeOrder } from './order.ts';
import { problem } from './problem.ts';
import type { AcmeProfile } from './profile.ts';
import { ASK_AGAIN, renewalInfo } from './renewal.ts';
import { revokeByMessage } from './revoke.ts';

/** The response to a client. */
export interface AcmeAnswer {
  readonly status: number;
  /** An object (JSON) or a chain of certificates (PEM). */
  readonly body?: object | string;
  readonly location?: string;
  /** By relation: `up`, `next`. */
  readonly links?: Readonly<Record<string, string>>;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** What follows the operation in its path. */
export interface AcmeParameters {
  readonly id?: string;
  readonly cursor?: string | undefined;
}
export type AcmeOperation = (ctx: Context, request: AcmeRequest, parameters: AcmeParameters) => Promise<AcmeAnswer>;

/** RFC 8555, section 7.1.1. */
export function acmeDirectory(ctx: Context, profile: AcmeProfile): object {
  const base = acmeBase(ctx, profile.id);
  return {
    newNonce: `${base}/new-nonce`,
    newAccount: `${base}/new-account`,
    newOrder: `${base}/new-order`,
    revokeCert: `${base}/revoke-cert`,
    keyChange: `${base}/key-change`,
    renewalInfo: `${base}/renewal-info`,
    meta: { externalAccountRequired: !profile.skipEabBinding },
  };
}

/** RFC 9773, section 4.1; anybody may ask. @throws AcmeProblem 404 */
export async function acmeRenewalInfo(ctx: Context, profile: AcmeProfile, certId: string): Promise<AcmeAnswer> {
  return { status: 200, body: await renewalInfo(ctx, profile, certId), retryAfter: ASK_AGAIN };
}

const answerOrder = (ctx: Context, order: AcmeOrder, status = 200): AcmeAnswer => ({
  status,
  body: orderObject(ctx, order),
  location: orderUrl(ctx, order),
  ...(statusOf(ctx, order) === 'pending' && { retryAfter: 1 }),
});

const answerOfChallenge = (ctx: Context, found: ChallengeOf): AcmeAnswer => ({
  status: 200,
  body: challengeObject(ctx, found),
  links: { up: authorizationUrl(ctx, found.authorization) },
  ...(found.challenge.status === 'processing' && { retryAfter: 1 }),
});

/** All message endpoints, by their path below the profile's address (RFC 8555, section 7.1). */
export const acmeOperations: Readonly<Record<string, AcmeOperation>> = {
  // These two are read by GET as well (RFC 8555, section 6.3).
  directory: async (ctx, request) => {
    requireNoPayload(await fromAccount(ctx, request));
    return { status: 200, body: acmeDirectory(ctx, request.profile) };
  },
  'new-nonce': async (ctx, request) => {
    requireNoPayload(await fromAccount(ctx, request));
    return { status: 204 };
  },
  'new-account': async (ctx, request) => {
    const message = await fromKey(ctx, request);
    requirePayload(message);
    const { account, isNew } = await newAccount(ctx, request, message);
    return { status: isNew ? 201 : 200, body: accountObject(ctx, account), location: accountUrl(ctx, account) };
  },
  'accounts/:id': async (ctx, request, { id }) => {
    const { account, payload } = await fromAccount(ctx, request);
    requireOwn(account.id, id);
    const now = payload ? await updateAccount(ctx, request.profile, account, payload) : account;
    return { status: 200, body: accountObject(ctx, now), location: accountUrl(ctx, account) };
  },
  'accounts/:id/orders': async (ctx, request, { id, cursor }) => {
    const message = await fromAccount(ctx, request);
    requireNoPayload(message);
    requireOwn(message.account.id, id);
    const { orders, next } = await listOrders(ctx, message.account, cursor);
    return { status: 200, body: { orders }, ...(next !== undefined && { links: { next } }) };
  },
  'key-change': async (ctx, request) => {
    const message = await fromAccount(ctx, request);
    const account = await changeKey(ctx, request, message.account, requirePayload(message));
    return { status: 200, body: accountObject(ctx, account), location: accountUrl(ctx, account) };
  },
  'new-order': async (ctx, request) => {
    const message = await fromAccount(ctx, request);
    const order = await newOrder(ctx, request.profile, message.account, requirePayload(message));
    return answerOrder(ctx, order, 201);
  },
  'orders/:id': async (ctx, request, { id = '' }) => {
    const message = await fromAccount(ctx, request);
    requireNoPayload(message);
    return answerOrder(ctx, await findOrder(ctx, message.account, id));
  },
  'orders/:id/finalize': async (ctx, request, { id = '' }) => {
    const message = await fromAccount(ctx, request);
    const payload = requirePayload(message);
    return answerOrder(ctx, await finalizeOrder(ctx, request.profile, message.account, { id, payload }));
  },
  'authorizations/:id': async (ctx, request, { id = '' }) => {
    const { account, payload } = await fromAccount(ctx, request);
    const found = await findAuthorization(ctx, account, id);
    const authorization = payload ? await updateAuthorization(ctx, request.profile, account, found, payload) : found;
    const isBusy = authorization.challenges.some(({ status }) => status === 'processing');
    return { status: 200, body: authorizationObject(ctx, authorization), ...(isBusy && { retryAfter: 1 }) };
  },
  'challenges/:id': async (ctx, request, { id = '' }) => {
    const { account, payload } = await fromAccount(ctx, request);
    const found = await findChallenge(ctx, account, id);
    return answerOfChallenge(ctx, payload ? await answerChallenge(ctx, request.profile, account, found) : found);
  },
  'certificates/:id': async (ctx, request, { id = '' }) => {
    const message = await fromAccount(ctx, request);
    requireNoPayload(message);
    return { status: 200, body: await downloadCertificate(ctx, message.account, id) };
  },
  'revoke-cert': async (ctx, request) => {
    const message = await fromEither(ctx, request);
    requirePayload(message);
    await revokeByMessage(ctx, request.profile, message);
    return { status: 200 };
  },
};

function requireOwn(accountId: string, id: string | undefined): void {
  if (accountId !== id)
    throw problem('unauthorized', 'This URL belongs to another account', {
      refusal: { reason: 'another-account', accountId },
    });
}
