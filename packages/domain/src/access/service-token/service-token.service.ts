import { randomBytes } from 'node:crypto';
import { hashOf } from '../../crypto/index.ts';
import {
  at,
  atOrNull,
  badRequest,
  forbidden,
  invalidate,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  statement,
  withUses,
  type Context,
  type ServiceScope,
} from '../../kernel/index.ts';
import { authorize, authorizeById, organizationOf, unlessHidden } from '../access.ts';
import { requireMayGiveMachineRights } from '../approval-policy/index.ts';
import { requireNoEscalation } from '../boundary.ts';
import { requireLasting } from '../lasting.ts';
import { lockOrganization } from '../membership/index.ts';
import { FOREVER } from '../period.ts';
import { onlyFolder, serviceRules } from '../service-rules.ts';
import { serviceTokenCreated, serviceTokenDeleted } from '../service-token-events.ts';
import {
  DEFAULT_LIFETIME,
  SERVICE_TOKEN,
  serviceTokenPermissions as permissions,
  type CreatedServiceToken,
  type CreateServiceToken,
  type OwnServiceToken,
  type ServiceToken,
} from './service-token.ts';

interface Row {
  id: string;
  projectId: string;
  name: string;
  scopes: ServiceScope[];
  permissions: string[];
  lastUsedAt: string | null;
  expiresAt: string | null;
  createdBy: string;
  creator: ServiceToken['creator'];
  createdAt: string;
  updatedAt: string;
}

const COLUMNS = `t.id, t.project_id as "projectId", t.name, t.scopes, t.permissions, t.last_used_at as "lastUsedAt",
  t.expires_at as "expiresAt", t.created_by as "createdBy", t.created_at as "createdAt", t.updated_at as "updatedAt",
   (select json_build_object('id', c.id, 'username', c.username, 'email', c.email, 'firstName', c.first_name,
     'lastName', c.last_name) from users c where c.id = t.created_by) as creator`;

const LIST = statement(
  'service_tokens.list',
  `select ${COLUMNS} from service_tokens t where t.organization_id = $1 and t.project_id = $2 order by t.created_at, t.id`,
);
const GET = statement(
  'service_tokens.get',
  `select ${COLUMNS} from service_tokens t where t.organization_id = $1 and t.id = $2`,
);
const INSERT = statement(
  'service_tokens.insert',
  `insert into service_tokens as t (id, organization_id, project_id, name, hash, scopes, permissions, encrypted_key, iv, tag,
     created_by, expires_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13) returning ${COLUMNS}`,
);
/** The maximum number of valid tokens of one user in a project. */
const MAX_TOKENS = 200;
const COUNT = statement(
  'service_tokens.count_of_creator',
  `select count(*)::integer as count from service_tokens
   where organization_id = $1 and project_id = $2 and created_by = $3 and coalesce(expires_at > $4, true)`,
);
const DELETE = statement(
  'service_tokens.delete',
  `delete from service_tokens t where t.organization_id = $1 and t.id = $2 returning ${COLUMNS}`,
);
/** Locks the creator's membership until the token exists, because the token ends with it. */
const LOCK_PROJECT = statement(
  'service_tokens.lock_project',
  'select id from projects where organization_id = $1 and id = $2 for share',
);
/** Tokens that one user creates at the same time are counted one after the other. */
const LOCK_CREATOR = statement('service_tokens.lock_creator', 'select id from users where id = $1 for no key update');
const IS_MEMBER = statement(
  'service_tokens.is_member',
  'select 1 from effective_memberships where organization_id = $1 and project_id = $2 and actor_id = $3 limit 1',
);
const ENVIRONMENTS = statement(
  'service_tokens.environments',
  'select slug from environments where organization_id = $1 and project_id = $2 and slug = any($3::text[])',
);

/**
 * Creates a service token. It has the permissions of its scopes, limited to what its creator may do at the time of use,
 * and is deleted when the creator leaves the project. Holders of the right to delete service tokens can delete it.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if it would allow more, or for longer, than the caller may do, or
 * bypass a change policy that exempts machines and that the caller may not edit; 403 for callers other than users, and
 * for a token without an end if that is not allowed; 404 for an unknown environment.
 */
export async function createServiceToken(ctx: Context, input: CreateServiceToken): Promise<CreatedServiceToken> {
  const { workspaceId: projectId, name, scopes, permissions: given, expiresIn } = input;
  const organizationId = organizationOf(ctx);
  const { actor } = ctx;
  if (actor.type !== 'user')
    throw forbidden('auth.wrong_actor', 'Only users can create service tokens', { name: 'ForbiddenError' });
  await authorize(ctx, permissions.create, { projectId });
  const isEndless = expiresIn === 0;
  if (isEndless) {
    const permission = permissions['create-without-expiry'];
    await authorize(ctx, permission, { projectId });
    await requireLasting(ctx, projectId, { permission, fields: { projectId } });
  }
  const granted = [...new Set(given)];
  return inTransaction(ctx, async (tx) => {
    await lockOrganization(tx);
    await tx.sql(LOCK_PROJECT, [organizationId, projectId]);
    await tx.sql(LOCK_CREATOR, [actor.id]);
    if ((await tx.sql(IS_MEMBER, [organizationId, projectId, actor.id])).length === 0) throw notFound('project');
    const now = tx.now();
    const end = isEndless ? null : new Date(now.getTime() + (expiresIn ?? DEFAULT_LIFETIME) * 1000);
    const until = end?.getTime() ?? FOREVER;
    const environments = scopes.map(({ environment }) => environment);
    if (granted.includes('write'))
      await requireMayGiveMachineRights(tx, { projectIds: [projectId], environments, until });
    const rules = serviceRules({ scopes, permissions: granted });
    await requireNoEscalation(tx, { organizationId, projectId, until, rules });
    await requireEnvironments(tx, projectId, scopes);
    const secret = randomBytes(16).toString('hex');
    const [row] = await tx.sql<Row>(INSERT, [
      newId(),
      organizationId,
      projectId,
      name,
      hashOf(secret),
      JSON.stringify(scopes),
      JSON.stringify(granted),
      input.encryptedKey ?? null,
      input.iv ?? null,
      input.tag ?? null,
      actor.id,
      end,
      now,
    ]);
    const [own] = await tx.sql<{ count: number }>(COUNT, [organizationId, projectId, actor.id, now]);
    if (own!.count > MAX_TOKENS)
      throw badRequest(
        'service_token.too_many',
        `A user can have at most ${MAX_TOKENS} valid service tokens in one project; delete others first, or use machine identities`,
      );
    record(tx, serviceTokenCreated, eventData(row!), { projectId });
    return { serviceToken: `${SERVICE_TOKEN}${row!.id}.${secret}`, serviceTokenData: publish(row!) };
  });
}

async function requireEnvironments(ctx: Context, projectId: string, scopes: readonly ServiceScope[]): Promise<void> {
  const slugs = [...new Set(scopes.map(({ environment }) => environment))];
  const rows = await ctx.sql<{ slug: string }>(ENVIRONMENTS, [organizationOf(ctx), projectId, slugs]);
  const known = new Set(rows.map(({ slug }) => slug));
  const environments = slugs.filter((slug) => !known.has(slug));
  if (environments.length > 0) throw notFound('environment', { environments });
}

/** The service tokens of a project, including expired ones, in the order of creation. */
export async function listServiceTokens(ctx: Context, { projectId }: { projectId: string }): Promise<ServiceToken[]> {
  await authorize(ctx, permissions.read, { projectId });
  return (await withUses(ctx, () => ctx.sql<Row>(LIST, [organizationOf(ctx), projectId]))).map(publish);
}

/** Revokes a service token: in this process at once, in other processes within a second. */
export async function deleteServiceToken(
  ctx: Context,
  { serviceTokenId }: { serviceTokenId: string },
): Promise<ServiceToken> {
  const organizationId = organizationOf(ctx);
  const [known] = isId(serviceTokenId) ? await ctx.sql<Row>(GET, [organizationId, serviceTokenId]) : [];
  if (!known) throw notFound('service token');
  const { projectId } = known;
  await unlessHidden('service token', authorizeById(ctx, permissions.delete, { projectId }));
  await ctx.usage.flush();
  return inTransaction(ctx, async (tx) => {
    const [row] = await tx.sql<Row>(DELETE, [organizationId, serviceTokenId]);
    if (!row) throw notFound('service token');
    invalidate(tx, `token:${row.id}`, `actor:${row.id}`);
    record(tx, serviceTokenDeleted, eventData(row), { projectId });
    return publish(row);
  });
}

interface OwnRow extends Row {
  encryptedKey: string | null;
  iv: string | null;
  tag: string | null;
  username: string | null;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  userCreatedAt: string | null;
  userUpdatedAt: string | null;
}

const OWN = statement(
  'service_tokens.own',
  `select ${COLUMNS}, t.encrypted_key as "encryptedKey", t.iv, t.tag, u.username, u.email, u.first_name as "firstName",
     u.last_name as "lastName",
     u.created_at as "userCreatedAt", u.updated_at as "userUpdatedAt"
   from service_tokens t left join users u on u.id = t.created_by where t.organization_id = $1 and t.id = $2`,
);

/** The service token of the caller. @throws DomainError 403 for other callers. */
export async function getOwnServiceToken(ctx: Context): Promise<OwnServiceToken> {
  const { actor } = ctx;
  if (actor.type !== 'service')
    throw forbidden('auth.wrong_actor', 'This operation is only for service tokens', {
      name: 'ForbiddenError',
    });
  await ctx.usage.flush();
  const [row] = await ctx.sql<OwnRow>(OWN, [actor.organizationId, actor.id]);
  if (!row) throw notFound('service token');
  return {
    ...publish(row),
    _id: row.id,
    __v: 0,
    workspace: row.projectId,
    secretHash: '',
    encryptedKey: row.encryptedKey,
    iv: row.iv,
    tag: row.tag,
    user: creatorOf(row),
  };
}

function creatorOf(row: OwnRow): OwnServiceToken['user'] {
  const { createdBy: id, username, userCreatedAt: createdAt, userUpdatedAt: updatedAt } = row;
  if (username === null || createdAt === null || updatedAt === null) return null;
  return {
    id,
    _id: id,
    __v: 0,
    username,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    authMethods: ['email'],
    mfaMethods: null,
    devices: null,
    createdAt: at(createdAt),
    updatedAt: at(updatedAt),
  };
}

interface GivenPlace {
  workspaceId?: string | undefined;
  workspaceSlug?: string | undefined;
  projectSlug?: string | undefined;
  environment?: string | undefined;
  secretPath: string;
}

/**
 * The location of a legacy read. A service token for one folder fills in a missing project and environment, and its own
 * folder in place of the root, which it cannot see.
 *
 * @throws DomainError 400 if the environment is unknown.
 */
export function placeOfRead<Given extends GivenPlace>(
  { actor }: Context,
  given: Given,
): Given & { environment: string } {
  const folder = actor.type === 'service' ? onlyFolder(actor) : undefined;
  const environment = given.environment ?? folder?.environment;
  if (environment === undefined)
    throw badRequest('environment.unnamed', '`environment` is required: the slug of the environment');
  if (actor.type !== 'service' || !folder) return { ...given, environment };
  const isNamed = (given.workspaceId ?? given.workspaceSlug ?? given.projectSlug) !== undefined;
  const isOwn = environment === folder.environment && given.secretPath === '/';
  return {
    ...given,
    environment,
    ...(!isNamed && { workspaceId: actor.projectId }),
    ...(isOwn && { secretPath: folder.secretPath }),
  };
}

const eventData = ({ id, name, scopes, permissions: granted }: Row) => ({
  serviceTokenId: id,
  name,
  scopes,
  permissions: granted,
});

const publish = (row: Row): ServiceToken => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  permissions: row.permissions,
  lastUsed: atOrNull(row.lastUsedAt),
  expiresAt: atOrNull(row.expiresAt),
  createdBy: row.createdBy,
  creator: row.creator,
  projectId: row.projectId,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});
