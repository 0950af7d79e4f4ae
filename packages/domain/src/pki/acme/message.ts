import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWK } from 'jose';
import { isId, statement, type Context } from '../../kernel/index.ts';
import { acmeBase } from '../profile/index.ts';
import type { AccountStatus } from './acme.ts';
import { readJwk, readMessage, readPayload, verifyMessage, type Message, type PublicJwk } from './jws.ts';
import { consumeNonce, readNonce } from './nonce.ts';
import { problem } from './problem.ts';
import type { AcmeProfile } from './profile.ts';

/** The received request. */
export interface AcmeRequest {
  readonly profile: AcmeProfile;
  /** The URL as the client knows it, with the server's public address. */
  readonly url: string;
  /** The JSON of the body. */
  readonly body: unknown;
}

export interface AcmeAccount {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly profileId: string;
  readonly status: AccountStatus;
  readonly jwk: JWK;
  readonly thumbprint: string;
  readonly contacts: readonly string[];
  readonly externalBinding: unknown;
}

/** A message of an account that is valid. */
export interface AccountMessage {
  readonly account: AcmeAccount;
  /** Absent: POST-as-GET. */
  readonly payload: Record<string, unknown> | undefined;
}
/** A message that is signed by a key. */
export interface KeyMessage {
  readonly key: PublicJwk;
  readonly payload: Record<string, unknown> | undefined;
}

const COLUMNS = `id, organization_id as "organizationId", project_id as "projectId", profile_id as "profileId",
  status, jwk, thumbprint, contacts, external_binding as "externalBinding"`;
const FIND = statement('acme_accounts.find', `select ${COLUMNS} from acme_accounts where profile_id = $1 and id = $2`);
const FIND_BY_KEY = statement(
  'acme_accounts.find_by_key',
  `select ${COLUMNS} from acme_accounts where profile_id = $1 and thumbprint = $2`,
);

export async function accountById(ctx: Context, profileId: string, id: string): Promise<AcmeAccount | undefined> {
  const [row] = isId(id) ? await ctx.sql<AcmeAccount>(FIND, [profileId, id]) : [];
  return row;
}

export async function accountByKey(
  ctx: Context,
  profileId: string,
  thumbprint: string,
): Promise<AcmeAccount | undefined> {
  const [row] = await ctx.sql<AcmeAccount>(FIND_BY_KEY, [profileId, thumbprint]);
  return row;
}

export const accountUrl = (ctx: Context, { profileId, id }: Pick<AcmeAccount, 'profileId' | 'id'>) =>
  `${acmeBase(ctx, profileId)}/accounts/${id}`;

const deactivated = (accountId: string) =>
  problem('unauthorized', 'The account is deactivated', {
    status: 401,
    refusal: { reason: 'deactivated', accountId },
  });

/** Refuses a deactivated account, as RFC 8555, section 7.3.6 requires. */
export function requireValid(account: AcmeAccount): void {
  if (account.status !== 'valid') throw deactivated(account.id);
}

/**
 * The profile may have begun to ask for it when the account was there already. It can be bound still, by a message for
 * a new account.
 *
 * @throws AcmeProblem `externalAccountRequired`
 */
export function requireBound({ skipEabBinding }: AcmeProfile, { id, externalBinding }: AcmeAccount): void {
  if (!skipEabBinding && externalBinding === null)
    throw problem('externalAccountRequired', 'The account is not bound to the external key of the profile', {
      refusal: { isBinding: true, accountId: id },
    });
}

/**
 * Reads a message by an account (RFC 8555, section 6.2): the nonce is used up by a message that its account has signed,
 * and by no other.
 *
 * @throws AcmeProblem
 */
export async function fromAccount(ctx: Context, request: AcmeRequest): Promise<AccountMessage> {
  const message = readMessage(request.body);
  const { kid, jwk } = message.header;
  if (kid === undefined || jwk) throw problem('malformed', 'Sign with the kid of an account, without a jwk');
  const account = await byKid(ctx, request, message);
  return { account, payload: readPayload(message) };
}

/** Reads a message by a key that it brings along. @throws AcmeProblem */
export async function fromKey(ctx: Context, request: AcmeRequest): Promise<KeyMessage> {
  const message = readMessage(request.body);
  const { kid, jwk } = message.header;
  if (!jwk || kid !== undefined) throw problem('malformed', 'Sign with the jwk of the key, without a kid');
  const key = await byJwk(ctx, request, message, jwk);
  return { key, payload: readPayload(message) };
}

/** Reads a message by either; see `fromAccount` and `fromKey`. @throws AcmeProblem */
export async function fromEither(ctx: Context, request: AcmeRequest): Promise<AccountMessage | KeyMessage> {
  const { header } = readMessage(request.body);
  return header.jwk ? fromKey(ctx, request) : fromAccount(ctx, request);
}

async function byKid(ctx: Context, request: AcmeRequest, message: Message): Promise<AcmeAccount> {
  const { profile } = request;
  requireUrl(request, message);
  const nonce = await readNonce(ctx, profile, message.header.nonce);
  const prefix = `${acmeBase(ctx, profile.id)}/accounts/`;
  const { kid = '' } = message.header;
  const account = kid.startsWith(prefix) ? await accountById(ctx, profile.id, kid.slice(prefix.length)) : undefined;
  if (!account) throw problem('accountDoesNotExist', 'The account does not exist');
  await verifyMessage(message, {
    accountId: account.id,
    jwk: account.jwk,
    key: createPublicKey({ key: account.jwk as JsonWebKey, format: 'jwk' }),
  });
  await consumeNonce(ctx, profile, nonce);
  requireValid(account);
  return account;
}

async function byJwk(
  ctx: Context,
  request: AcmeRequest,
  message: Message,
  jwk: Readonly<Record<string, unknown>>,
): Promise<PublicJwk> {
  requireUrl(request, message);
  const nonce = await readNonce(ctx, request.profile, message.header.nonce);
  const key = await readJwk(jwk);
  await verifyMessage(message, key);
  await consumeNonce(ctx, request.profile, nonce);
  return key;
}

/** RFC 8555, section 6.4: what was signed for another place is not taken here. */
function requireUrl({ url }: AcmeRequest, { header }: Message): void {
  if (header.url !== url)
    throw problem('unauthorized', `The message is signed for another URL; this is ${url}`, {
      status: 401,
      refusal: { reason: 'url' },
    });
}

/**
 * The payload of an operation that requires one.
 *
 * @throws AcmeProblem
 */
export function requirePayload({ payload }: AccountMessage | KeyMessage): Record<string, unknown> {
  if (!payload) throw problem('malformed', 'This resource needs a payload; POST-as-GET is not supported');
  return payload;
}

/** @throws AcmeProblem if a read request has a payload. */
export function requireNoPayload({ payload }: AccountMessage): void {
  if (payload) throw problem('malformed', 'This resource is read with an empty payload (POST-as-GET)');
}
