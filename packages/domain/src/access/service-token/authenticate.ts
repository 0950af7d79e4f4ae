import type { TaggedCache } from '../../cache/index.ts';
import { hashOf, sameHash } from '../../crypto/index.ts';
import {
  atOrNull,
  isId,
  refusedToken,
  statement,
  type Context,
  type ServiceActor,
  type ServiceScope,
} from '../../kernel/index.ts';
import { creatorTags } from '../grants.ts';
import { SERVICE_TOKEN } from './service-token.ts';

interface TokenRow {
  id: string;
  organizationId: string;
  projectId: string;
  name: string;
  hash: Buffer;
  scopes: ServiceScope[];
  permissions: string[];
  expiresAt: string | null;
  createdBy: string;
}

const FIND = statement(
  'service_tokens.find',
  `select t.id, t.organization_id as "organizationId", t.project_id as "projectId", t.name, t.hash, t.scopes, t.permissions,
     t.expires_at as "expiresAt", t.created_by as "createdBy"
   from service_tokens t where t.id = $1 and (
     select true from effective_memberships h
     where h.organization_id = t.organization_id and h.project_id = t.project_id and h.actor_id = t.created_by limit 1)`,
);

/** A valid token. */
export interface KnownServiceToken {
  readonly actor: ServiceActor;
}

/** 32 hexadecimal digits; 128 random bits. */
const SECRET = /^[0-9a-f]{32}$/;

/** A bearer token without the part that clients may append to a service token; calls are counted by this. */
export const withoutFourthPart = (token: string): string =>
  token.startsWith(SERVICE_TOKEN) ? token.split('.', 3).join('.') : token;

/** The comparison value for unknown tokens, for constant time. */
const NONE = Buffer.alloc(32);

/**
 * The service token for `st.<id>.<secret>`. A fourth part, which some clients append, is ignored.
 *
 * @throws DomainError the same 401 for an unknown ID, a wrong secret, an expired token, and one whose creator has left
 * the project.
 */
export async function authenticateService(
  ctx: Context,
  cache: TaggedCache<KnownServiceToken>,
  token: string,
): Promise<ServiceActor> {
  const [, id = '', secret = ''] = token.split('.', 3);
  // The canonical form: a token with several accepted spellings would count as several callers.
  if (!isId(id) || id !== id.toLowerCase() || !SECRET.test(secret)) throw refusedToken();
  const hash = hashOf(secret);
  const key = `${id}.${hash.toString('base64')}`;
  const now = ctx.now();
  const known =
    cache.get(key, now.getTime()) ?? (await cache.load(key, now.getTime(), () => findToken(ctx, id, hash, now)));
  if (!known) throw refusedToken();
  ctx.usage.addService(known.actor.id, now);
  return known.actor;
}

async function findToken(ctx: Context, id: string, hash: Buffer, now: Date) {
  const [row] = await ctx.sql<TokenRow>(FIND, [id]);
  const isRight = sameHash(row?.hash ?? NONE, hash);
  const until = atOrNull(row?.expiresAt ?? null)?.getTime() ?? Infinity;
  if (!row || !isRight || until <= now.getTime()) return undefined;
  const { organizationId, projectId, createdBy } = row;
  const { name, scopes, permissions } = row;
  const actor = { type: 'service' as const, id, name, organizationId, projectId, scopes, permissions, createdBy };
  return {
    value: { actor },
    until,
    tags: [`token:${id}`, `actor:${id}`, `access:${projectId}`, `access:${organizationId}`, ...creatorTags(createdBy)],
  };
}
