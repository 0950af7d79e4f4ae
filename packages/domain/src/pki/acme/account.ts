import { z } from 'zod';
import {
  databaseFault,
  DomainError,
  explainConstraint,
  newId,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { acmeAccountCreated, acmeAccountDeactivated, acmeAccountKeyChanged, acmeAccountUpdated } from './acme.ts';
import { checkExternalBinding } from './eab.ts';
import { inAccountTransaction, inProfileTransaction } from './hold.ts';
import { readJwk, readMessage, readPayload, verifyMessage, type PublicJwk } from './jws.ts';
import {
  accountById,
  accountByKey,
  accountUrl,
  requireValid,
  type AcmeAccount,
  type AcmeRequest,
  type KeyMessage,
} from './message.ts';
import { problem } from './problem.ts';
import type { AcmeProfile } from './profile.ts';
import { makeRoomForAccounts, proveAccount } from './unproved.ts';

explainConstraint('acme_accounts_key_unique', 'The key belongs to another account');

const NewAccount = z.object({
  contact: z.array(z.string()).max(10).default([]),
  onlyReturnExisting: z.boolean().default(false),
  externalAccountBinding: z.unknown().optional(),
});
const UpdateAccount = z.object({
  contact: z.array(z.string()).max(10).optional(),
  status: z.string().optional(),
});

/** RFC 8555, section 7.1.2. */
export const accountObject = (ctx: Context, account: AcmeAccount) => ({
  status: account.status,
  contact: account.contacts,
  ...(account.externalBinding !== null && { externalAccountBinding: account.externalBinding }),
  orders: `${accountUrl(ctx, account)}/orders`,
});

/**
 * Parses a payload.
 *
 * @throws AcmeProblem `malformed`, with the first invalid member.
 */
export function parsed<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.output<Schema> {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw problem('malformed', `${issue?.path.join('.') || 'The payload'}: ${issue?.message ?? 'is malformed'}`);
}

/** One address, without the header fields that a mailto URL may have (RFC 8555, section 7.3). */
function readContacts(contacts: readonly string[]): string[] {
  return contacts.map((contact) => {
    const address = /^mailto:(.*)$/i.exec(contact)?.[1];
    if (address === undefined) throw problem('unsupportedContact', 'Contacts must be mailto: addresses');
    if (!z.email().max(254).safeParse(address).success)
      throw problem('invalidContact', 'A contact must be exactly one e-mail address');
    return `mailto:${address}`;
  });
}

const INSERT = statement(
  'acme_accounts.insert',
  `insert into acme_accounts (id, organization_id, project_id, profile_id, jwk, thumbprint, contacts, external_binding,
     is_proved, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $8::jsonb is not null, $9, $9) on conflict (profile_id, thumbprint) do nothing returning id`,
);

const locationOf = ({ organizationId, projectId }: AcmeAccount) => ({ organizationId, projectId });
const idsOf = ({ id, profileId }: AcmeAccount) => ({ acmeAccountId: id, certificateProfileId: profileId });

/**
 * Creates an account, or returns the existing one of the key: for that, only the key is checked, not the external
 * binding (RFC 8555, section 7.3.1). An existing account without binding is bound by the given one.
 *
 * @throws AcmeProblem
 */
export async function newAccount(
  ctx: Context,
  { profile, url }: AcmeRequest,
  { key, payload }: KeyMessage,
): Promise<{ account: AcmeAccount; isNew: boolean }> {
  const input = parsed(NewAccount, payload);
  const known = await accountByKey(ctx, profile.id, key.thumbprint);
  const binding = input.externalAccountBinding;
  if (known) {
    requireValid(known);
    if (known.externalBinding !== null || binding === undefined) return { account: known, isNew: false };
    await checkExternalBinding(ctx, profile, binding, { url, key });
    return { account: await bindAccount(ctx, profile, known, binding), isNew: false };
  }
  if (input.onlyReturnExisting) throw problem('accountDoesNotExist', 'No account has this key');
  const contacts = readContacts(input.contact);
  if (!profile.skipEabBinding || binding !== undefined) await checkExternalBinding(ctx, profile, binding, { url, key });
  return inProfileTransaction(ctx, profile, async (tx) => {
    const { organizationId, projectId } = profile;
    const [made] = await tx.sql<{ id: string }>(INSERT, [
      newId(),
      organizationId,
      projectId,
      profile.id,
      JSON.stringify(key.jwk),
      key.thumbprint,
      JSON.stringify(contacts),
      binding === undefined ? null : JSON.stringify(binding),
      tx.now(),
    ]);
    const account = (await accountByKey(tx, profile.id, key.thumbprint))!;
    if (!made) {
      requireValid(account);
      return { account, isNew: false };
    }
    if (binding === undefined) await makeRoomForAccounts(tx, profile);
    record(
      tx,
      acmeAccountCreated,
      { ...idsOf(account), isExternallyBound: binding !== undefined },
      locationOf(account),
    );
    return { account, isNew: true };
  });
}

const BIND = statement(
  'acme_accounts.bind',
  'update acme_accounts set external_binding = $2, updated_at = $3 where id = $1',
);

/** An account that was created before the profile required a binding. */
const bindAccount = (
  ctx: Context,
  profile: AcmeProfile,
  account: AcmeAccount,
  binding: unknown,
): Promise<AcmeAccount> =>
  inAccountTransaction(ctx, profile, account, async (tx) => {
    const { id, profileId } = account;
    await tx.sql(BIND, [id, JSON.stringify(binding), tx.now()]);
    await proveAccount(tx, id);
    record(tx, acmeAccountUpdated, { ...idsOf(account), changed: ['externalAccountBinding'] }, locationOf(account));
    return (await accountById(tx, profileId, id))!;
  });

const SET_CONTACTS = statement(
  'acme_accounts.set_contacts',
  'update acme_accounts set contacts = $2, updated_at = $3 where id = $1',
);
const DEACTIVATE = statement(
  'acme_accounts.deactivate',
  `update acme_accounts set status = 'deactivated', updated_at = $2 where id = $1`,
);
/** Its pending orders end (RFC 8555, section 7.3.6), and its validations no longer count. */
const END_ORDERS = statement(
  'acme_orders.end_of_account',
  `update acme_orders set status = 'invalid', updated_at = $2 where account_id = $1 and status in ('pending', 'ready')`,
);
const END_AUTHORIZATIONS = statement(
  'acme_authorizations.end_of_account',
  `update acme_authorizations set status = 'deactivated' where account_id = $1 and status in ('pending', 'valid')`,
);

/**
 * Updates the contacts of an account, or deactivates it.
 *
 * @throws AcmeProblem
 */
export async function updateAccount(
  ctx: Context,
  profile: AcmeProfile,
  account: AcmeAccount,
  payload: unknown,
): Promise<AcmeAccount> {
  const { contact, status } = parsed(UpdateAccount, payload);
  if (status !== undefined && status !== 'deactivated' && status !== account.status)
    throw problem('malformed', 'Clients can only set the account status to deactivated');
  const contacts = contact && readContacts(contact);
  return inAccountTransaction(ctx, profile, account, async (tx) => {
    if (contacts) {
      await tx.sql(SET_CONTACTS, [account.id, JSON.stringify(contacts), tx.now()]);
      record(tx, acmeAccountUpdated, { ...idsOf(account), changed: ['contact'] }, locationOf(account));
    }
    if (status === 'deactivated') {
      await tx.sql(DEACTIVATE, [account.id, tx.now()]);
      await tx.sql(END_ORDERS, [account.id, tx.now()]);
      await tx.sql(END_AUTHORIZATIONS, [account.id]);
      record(tx, acmeAccountDeactivated, idsOf(account), locationOf(account));
    }
    return (await accountById(tx, account.profileId, account.id))!;
  });
}

const KeyChange = z.object({ account: z.string(), oldKey: z.record(z.string(), z.unknown()) });
const CHANGE_KEY = statement(
  'acme_accounts.change_key',
  'update acme_accounts set jwk = $2, thumbprint = $3, updated_at = $4 where id = $1',
);

/**
 * Changes the key of an account (RFC 8555, section 7.3.5): signed by the old key, and by the new one.
 *
 * @throws AcmeProblem; 409 with the other account's address if the new key has one.
 */
export async function changeKey(
  ctx: Context,
  { url, profile }: AcmeRequest,
  account: AcmeAccount,
  payload: unknown,
): Promise<AcmeAccount> {
  const inner = readMessage(payload);
  const { jwk } = inner.header;
  if (!jwk || inner.header.kid !== undefined || inner.header.nonce !== undefined)
    throw problem('malformed', 'The inner message must be signed with the jwk of the new key, without kid and nonce');
  if (inner.header.url !== url)
    throw problem('malformed', 'The inner message must be signed for the same URL as the outer message');
  const key = await readJwk(jwk);
  await verifyMessage(inner, key);
  const said = parsed(KeyChange, readPayload(inner));
  if (said.account !== accountUrl(ctx, account)) throw problem('malformed', 'The inner message is for another account');
  if ((await readJwk(said.oldKey)).thumbprint !== account.thumbprint)
    throw problem('malformed', 'The old key of the inner message is not the key of the account');
  const taken = await accountByKey(ctx, profile.id, key.thumbprint);
  if (taken) throw keyTaken(ctx, taken);
  try {
    await inAccountTransaction(ctx, profile, account, (tx) => setKey(tx, account, key));
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw keyTaken(ctx, (await accountByKey(ctx, profile.id, key.thumbprint)) ?? account);
  }
  return (await accountById(ctx, profile.id, account.id))!;
}

async function setKey(tx: Transaction, account: AcmeAccount, key: PublicJwk): Promise<void> {
  await tx.sql(CHANGE_KEY, [account.id, JSON.stringify(key.jwk), key.thumbprint, tx.now()]);
  record(tx, acmeAccountKeyChanged, idsOf(account), locationOf(account));
}

const isTaken = (error: unknown) =>
  (error instanceof DomainError && error.code === 'acme_accounts_key_unique') ||
  databaseFault(error)?.constraint === 'acme_accounts_key_unique';

const keyTaken = (ctx: Context, taken: AcmeAccount) =>
  problem('malformed', 'The new key belongs to another account', { status: 409, location: accountUrl(ctx, taken) });
