import { randomBytes } from 'node:crypto';
import { FOREVER } from '../../../../access/index.ts';
import { hashOf } from '../../../../crypto/index.ts';
import {
  at,
  badRequest,
  beforeLock,
  eventOf,
  fewIn,
  invalidate,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  statement,
  withUses,
  type Context,
} from '../../../../kernel/index.ts';
import { longestLife } from '../../../access-token/index.ts';
import {
  authorizeIdentity,
  identityFor,
  noteIssuer,
  requireAuthorityOver,
  type IdentityEntity,
  type IdentityRef,
} from '../../../identity/index.ts';
import type { AuthMethodEntity } from '../../auth-method.entity.ts';
import { findAttached } from '../../auth-method.service.ts';
import {
  clientSecretCreated,
  clientSecretRead,
  clientSecretRevoked,
  clientSecretsListed,
  type ClientSecret,
  type ClientSecretRef,
  type CreateClientSecret,
  type CreatedClientSecret,
} from './client-secret.ts';
import { IS_OVER } from './log-in.ts';
import { universalAuth } from './universal-auth.ts';

interface SecretRow {
  id: string;
  authMethodId: string;
  description: string;
  prefix: string;
  numUses: string;
  numUsesLimit: number;
  ttl: number;
  isRevoked: boolean;
  createdAt: string;
  updatedAt: string;
}

const COLUMNS = `id, auth_method_id as "authMethodId", description, prefix, num_uses as "numUses",
  num_uses_limit as "numUsesLimit", ttl, is_revoked as "isRevoked", created_at as "createdAt", updated_at as "updatedAt"`;

const INSERT = statement(
  'client_secrets.insert',
  `insert into client_secrets (id, organization_id, auth_method_id, identity_id, hash, prefix, description, num_uses_limit, ttl,
     created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning ${COLUMNS}`,
);
const LIST = statement(
  'client_secrets.list',
  `select ${COLUMNS} from client_secrets where auth_method_id = $1 and not is_revoked order by created_at desc, id desc`,
);
const GET = statement(
  'client_secrets.get',
  `select ${COLUMNS} from client_secrets where auth_method_id = $1 and id = $2`,
);
const REVOKE = statement(
  'client_secrets.revoke',
  `update client_secrets set is_revoked = true, revoked_at = $2, updated_at = $2 where id = $1 and revoked_at is null returning ${COLUMNS}`,
);

const PREFIX_LENGTH = 4;

/** Whoever makes a client secret for each run never revokes one: those that are over neither count nor are listed. */
const RETIRE_OVER = statement(
  'client_secrets.retire_over',
  `update client_secrets set is_revoked = true, updated_at = $2 where auth_method_id = $1 and not is_revoked and ${IS_OVER}`,
);

/** Their list has no pages. */
const requireFewSecrets = fewIn(
  'auth_method',
  {
    table: 'client_secrets',
    most: 1_000,
    code: 'client_secret.too_many',
    of: 'client secrets',
    instead: 'revoke others first',
  },
  'not is_revoked',
);

/**
 * Creates a client secret: 32 random bytes in hexadecimal, stored as SHA-256.
 *
 * @throws DomainError 404 unknown identity, 400 no universal auth or the maximum of client secrets, 403
 * (`PermissionBoundaryError` if the identity may do more than the caller during the lifetime of the secret and of the tokens that
 * it is exchanged for).
 */
export async function createClientSecret(
  ctx: Context,
  { identityId, description, numUsesLimit, ttl }: CreateClientSecret,
): Promise<CreatedClientSecret> {
  const identity = await identityFor(ctx, 'createClientSecret', identityId);
  const known = await findAttached(ctx, universalAuth, identity);
  await authorizeIdentity(ctx, 'createClientSecret', identity);
  // Its last login may be at its very end.
  const untilOf = (method: AuthMethodEntity) =>
    ttl === 0 ? FOREVER : ctx.now().getTime() + ttl * 1000 + longestLife(method);
  await requireAuthorityOver(beforeLock(ctx), identity, untilOf(known));
  const clientSecret = randomBytes(32).toString('hex');
  const prefix = clientSecret.slice(0, PREFIX_LENGTH);
  return inTransaction(ctx, async (tx) => {
    const method = await findAttached(tx, universalAuth, identity);
    await requireAuthorityOver(tx, identity, untilOf(method));
    await tx.sql(RETIRE_OVER, [method.id, tx.now()]);
    const [row] = await tx.sql<SecretRow>(INSERT, [
      newId(),
      identity.organizationId,
      method.id,
      identity.id,
      hashOf(clientSecret),
      prefix,
      description,
      numUsesLimit,
      ttl,
      tx.now(),
    ]);
    await requireFewSecrets(tx, method.id);
    const clientSecretData = toClientSecret(row!);
    await noteIssuer(tx, identity);
    const data = { ...eventData(identity, clientSecretData), ttl, numUsesLimit };
    record(tx, clientSecretCreated, data, { projectId: identity.projectId });
    return { clientSecret, clientSecretData };
  });
}

/** Those that are not revoked, newest first. One that is over is listed until somebody shows it, or another one is created. */
export async function listClientSecrets(ctx: Context, { identityId }: IdentityRef): Promise<ClientSecret[]> {
  const identity = await identityFor(ctx, 'readToken', identityId);
  const method = await findAttached(ctx, universalAuth, identity);
  await authorizeIdentity(ctx, 'readToken', identity);
  const rows = await withUses(ctx, () => ctx.sql<SecretRow>(LIST, [method.id]));
  await ctx.commitRead(
    eventOf(clientSecretsListed, { identityId: identity.id }, { projectId: identity.projectId }),
    ctx,
  );
  return rows.map(toClientSecret);
}

/** One of them, including revoked ones. */
export async function getClientSecret(ctx: Context, ref: ClientSecretRef): Promise<ClientSecret> {
  const identity = await identityFor(ctx, 'readToken', ref.identityId);
  const method = await findAttached(ctx, universalAuth, identity);
  await authorizeIdentity(ctx, 'readToken', identity);
  const secret = await findClientSecret(ctx, method.id, ref.clientSecretId);
  await ctx.commitRead(eventOf(clientSecretRead, eventData(identity, secret), { projectId: identity.projectId }), ctx);
  return secret;
}

/**
 * Revokes a client secret and the tokens that it issued, all from the next request on. Expired and used-up ones can
 * still be revoked, because of their tokens.
 *
 * @throws DomainError 400 if it was already revoked.
 */
export async function revokeClientSecret(ctx: Context, ref: ClientSecretRef): Promise<ClientSecret> {
  const identity = await identityFor(ctx, 'revokeClientSecret', ref.identityId);
  const method = await findAttached(ctx, universalAuth, identity);
  await authorizeIdentity(ctx, 'revokeClientSecret', identity);
  await requireAuthorityOver(ctx, identity, 'now');
  const { id } = await findClientSecret(ctx, method.id, ref.clientSecretId);
  return inTransaction(ctx, async (tx) => {
    const [row] = await tx.sql<SecretRow>(REVOKE, [id, tx.now()]);
    if (!row) throw badRequest('client_secret.revoked', 'This client secret is already revoked');
    const secret = toClientSecret(row);
    record(tx, clientSecretRevoked, eventData(identity, secret), { projectId: identity.projectId });
    invalidate(tx, `client-secret:${id}`);
    return secret;
  });
}

async function findClientSecret(ctx: Context, authMethodId: string, clientSecretId: string): Promise<ClientSecret> {
  const read = () => ctx.sql<SecretRow>(GET, [authMethodId, clientSecretId]);
  const [row] = isId(clientSecretId) ? await withUses(ctx, read) : [];
  if (!row) throw notFound('client secret');
  return toClientSecret(row);
}

const eventData = (identity: IdentityEntity, { id, clientSecretPrefix: prefix }: ClientSecret) => ({
  identityId: identity.id,
  clientSecretId: id,
  prefix,
});

const toClientSecret = (row: SecretRow): ClientSecret => ({
  id: row.id,
  description: row.description,
  clientSecretPrefix: row.prefix,
  clientSecretNumUses: Number(row.numUses),
  clientSecretNumUsesLimit: row.numUsesLimit,
  clientSecretTTL: row.ttl,
  identityUAId: row.authMethodId,
  isClientSecretRevoked: row.isRevoked,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});
