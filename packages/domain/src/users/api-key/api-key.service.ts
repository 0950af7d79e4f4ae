import { randomBytes } from 'node:crypto';
import { organizationOf } from '../../access/index.ts';
import { hashOf } from '../../crypto/index.ts';
import {
  at,
  atOrNull,
  badRequest,
  invalidate,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  statement,
  withUses,
  type Context,
  type SessionActor,
  type Transaction,
} from '../../kernel/index.ts';
import { LOCK_USER, longestLifetime, notActive, sessionIsOver, sessionOf } from '../session/index.ts';
import {
  API_KEY,
  apiKeyCreated,
  apiKeyDeleted,
  MAX_API_KEYS,
  type ApiKey,
  type CreateApiKey,
  type CreatedApiKey,
  type DeleteApiKey,
} from './api-key.ts';

interface Row {
  id: string;
  userId: string;
  name: string;
  lastUsedAt: string | null;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
}

const COLUMNS = `id, user_id as "userId", name, last_used_at as "lastUsedAt", expires_at as "expiresAt",
  created_at as "createdAt", updated_at as "updatedAt"`;

const LIST = statement(
  'user_api_keys.list',
  `select ${COLUMNS} from user_api_keys where user_id = $1 and organization_id = $2 order by created_at, id`,
);
const OWNER = statement(
  'user_api_keys.owner',
  `select m.id as "membershipId", m.is_active and m.status = 'accepted' as "isActive",
     o.user_token_expiration as "userTokenExpiration",
     exists (select 1 from user_sessions s where s.id = $3 and s.user_id = $1 and s.expires_at > $4) as "hasSession",
     (select count(*)::int from user_api_keys k
      where k.user_id = $1 and k.organization_id = $2 and k.expires_at > $4) as keys
   from memberships m join organizations o on o.id = m.organization_id
   where m.user_id = $1 and m.organization_id = $2 and m.project_id is null`,
);
const INSERT = statement(
  'user_api_keys.insert',
  `insert into user_api_keys (id, organization_id, user_id, membership_id, name, hash, expires_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning ${COLUMNS}`,
);
const DELETE = statement(
  'user_api_keys.delete',
  `delete from user_api_keys where id = $1 and user_id = $2 and organization_id = $3 returning ${COLUMNS}`,
);

/**
 * Creates an API key for the calling user in the organization of the session. The key acts as the user, with the user's
 * rights there at the time of each call.
 *
 * @throws DomainError 403 for callers without a session; 400 if the user has too many keys, or if the key would live
 * longer than the organization permits for tokens of its users.
 */
export async function createApiKey(ctx: Context, { name, expiresIn }: CreateApiKey): Promise<CreatedApiKey> {
  const user = sessionOf(ctx);
  const organizationId = organizationOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const membershipId = await requireMayCreate(tx, user, organizationId, expiresIn);
    const now = tx.now();
    const secret = randomBytes(32).toString('hex');
    const expiresAt = new Date(now.getTime() + expiresIn * 1000);
    const values = [newId(), organizationId, user.id, membershipId, name, hashOf(secret), expiresAt, now];
    const [row] = await tx.sql<Row>(INSERT, values);
    record(tx, apiKeyCreated, eventData(row!));
    return { apiKey: `${API_KEY}${row!.id}.${secret}`, apiKeyData: publish(row!) };
  });
}

interface OwnerRow {
  membershipId: string;
  isActive: boolean;
  userTokenExpiration: string | null;
  hasSession: boolean;
  keys: number;
}

/** Checked under the lock of ending all credentials: a session that is being ended cannot create a key. */
async function requireMayCreate(
  tx: Transaction,
  user: SessionActor,
  organizationId: string,
  expiresIn: number,
): Promise<string> {
  const { id: userId, sessionId } = user;
  await tx.sql(LOCK_USER, [userId]);
  const [owner] = await tx.sql<OwnerRow>(OWNER, [userId, organizationId, sessionId, tx.now()]);
  if (!owner?.isActive) throw notActive({ ...user, organizationId });
  if (!owner.hasSession) throw sessionIsOver();
  if (owner.keys >= MAX_API_KEYS)
    throw badRequest(
      'api_key.too_many',
      `You have ${owner.keys} API keys in this organization; the maximum is ${MAX_API_KEYS}. Delete one first`,
    );
  const longest = longestLifetime(owner.userTokenExpiration);
  if (expiresIn * 1000 > longest)
    throw badRequest(
      'api_key.lifetime',
      `expiresIn is ${expiresIn}; the maximum in this organization is ${Math.floor(longest / 1000)} seconds`,
    );
  return owner.membershipId;
}

/** The calling user's API keys in the organization of the session, in the order in which they were created. */
export async function listApiKeys(ctx: Context): Promise<ApiKey[]> {
  const { id: userId } = sessionOf(ctx);
  const organizationId = organizationOf(ctx);
  return (await withUses(ctx, () => ctx.sql<Row>(LIST, [userId, organizationId]))).map(publish);
}

/** Deletes one of the calling user's API keys: it is invalid here immediately, in other processes within a second. */
export async function deleteApiKey(ctx: Context, { apiKeyDataId }: DeleteApiKey): Promise<ApiKey> {
  const { id: userId } = sessionOf(ctx);
  const organizationId = organizationOf(ctx);
  if (!isId(apiKeyDataId)) throw notFound('api key');
  await ctx.usage.flush();
  return inTransaction(ctx, async (tx) => {
    const [row] = await tx.sql<Row>(DELETE, [apiKeyDataId, userId, organizationId]);
    if (!row) throw notFound('api key');
    invalidate(tx, `api-key:${row.id}`);
    record(tx, apiKeyDeleted, eventData(row));
    return publish(row);
  });
}

const eventData = ({ id, userId, name, expiresAt }: Row) => ({
  apiKeyId: id,
  userId,
  name,
  expiresAt: at(expiresAt).toISOString(),
});

const publish = (row: Row): ApiKey => ({
  id: row.id,
  name: row.name,
  lastUsed: atOrNull(row.lastUsedAt),
  expiresAt: at(row.expiresAt),
  userId: row.userId,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});
