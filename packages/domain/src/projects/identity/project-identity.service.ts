import {
  authorize,
  authorizeById,
  FOREVER,
  lastEndOf,
  organizationOf,
  projectPermissions,
  readablePart,
  requireMayGiveRoles,
  requireNoEscalation,
  filterInTurns,
} from '../../access/index.ts';
import { requireMayGiveMachineRights } from '../../access/approval-policy/index.ts';
import { addMember, recordedRoles } from '../../access/membership/index.ts';
import {
  addIdentity,
  deleteIdentity,
  HAS_METADATA,
  identityCreated,
  metadataOfListed,
  NO_ACCESS,
  updateIdentity,
  type PublishedMetadata,
} from '../../identities/identity/index.ts';
import {
  at,
  definePages,
  inTransaction,
  isId,
  newId,
  notFound,
  readInRoom,
  record,
  statement,
  type Context,
} from '../../kernel/index.ts';
import { identityMemberAdded } from '../member/index.ts';
import type {
  CreateProjectIdentity,
  ListProjectIdentities,
  ProjectIdentity,
  ProjectIdentityRef,
  UpdateProjectIdentity,
} from './project-identity.ts';

export const projectIdentityPermissions = projectPermissions('identity');

interface Row {
  id: string;
  name: string;
  organizationId: string;
  projectId: string;
  hasDeleteProtection: boolean;
  hasMetadata: boolean;
  authMethods: string[];
  lockedMethods: string[];
  createdAt: string;
  updatedAt: string;
}

const FIND = statement(
  'project_owned_identities.find',
  `select id from identities
   where organization_id = $1 and project_id = $2 and ($3::text is null or position(lower($3) in lower(name)) > 0)
   order by name, id`,
);
/** Guesses are counted by client id, or by identity and name; see the login methods. */
const selectAt = (now: string) => `with locked as materialized (
     select split_part(subject, ':', 1) as kind, split_part(subject, ':', 2) as whose, split_part(subject, ':', 3) as name
     from lockouts where locked_until > ${now})
   select i.id, i.name, i.organization_id as "organizationId", i.project_id as "projectId",
     i.has_delete_protection as "hasDeleteProtection", ${HAS_METADATA}, i.created_at as "createdAt", i.updated_at as "updatedAt",
     array(select a.kind from identity_auth_methods a where a.identity_id = i.id order by a.created_at, a.id) as "authMethods",
     array(select a.kind from identity_auth_methods a
       where a.identity_id = i.id and coalesce((a.config ->> 'lockoutEnabled')::boolean, true) and exists (
         select 1 from locked l where l.kind = a.kind
           and (l.whose = a.client_id::text and l.name = '' or l.whose = i.id::text and l.name <> ''))
       order by a.created_at, a.id) as "lockedMethods"
   from identities i`;
const READ = statement(
  'project_owned_identities.read',
  `${selectAt('$4')} where i.organization_id = $1 and i.project_id = $2 and i.id = any($3::uuid[])
   order by array_position($3::uuid[], i.id)`,
);
const FOUND = `i.organization_id = w.organization_id and i.project_id = w.project_id
  and (w.search is null or position(lower(w.search) in lower(i.name)) > 0)`;
const PAGES = definePages<Row>(
  'project_owned_identities.list',
  { organization_id: 'uuid', project_id: 'uuid', search: 'text', now: 'timestamptz' },
  {
    select: `${selectAt('w.now')} where ${FOUND} order by i.name, i.id offset w.skipped limit w.most`,
    count: `(select count(*)::integer from identities i where ${FOUND})`,
  },
);

/** The identities of a project that the caller may see, by name. */
export async function listProjectIdentities(
  ctx: Context,
  { projectId, search, offset, limit }: ListProjectIdentities,
): Promise<{ identities: ProjectIdentity[]; totalCount: number }> {
  const isReadable = await readablePart(ctx, projectIdentityPermissions.read, { projectId });
  if (!isReadable) {
    const key = [organizationOf(ctx), projectId, search || null, ctx.now()];
    const { rows, totalCount } = await PAGES.read(ctx, key, { offset, limit }, search !== undefined);
    return { identities: await withMetadata(ctx, rows), totalCount };
  }
  const all = await ctx.sql<{ id: string }>(FIND, [organizationOf(ctx), projectId, search || null]);
  const ids = all.map(({ id }) => id);
  const readable = await filterInTurns(ids, (identityId) => isReadable({ projectId, identityId }));
  const identities = await read(ctx, projectId, readable.slice(offset, offset + limit));
  return { identities, totalCount: readable.length };
}

export async function getProjectIdentity(
  ctx: Context,
  { projectId, identityId }: ProjectIdentityRef,
): Promise<ProjectIdentity> {
  await authorize(ctx, projectIdentityPermissions.read, { projectId, identityId });
  return readOne(ctx, projectId, identityId);
}

/**
 * Creates an identity that belongs to a project. It cannot log in before a login method is attached.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if its roles allow more than the caller may do; 404 for an unknown
 * role.
 */
export async function createProjectIdentity(
  ctx: Context,
  { projectId, roles, ...input }: CreateProjectIdentity,
): Promise<ProjectIdentity> {
  const organizationId = organizationOf(ctx);
  const identityId = newId();
  // The id is made up here, and means nothing to the caller.
  await authorizeById(ctx, projectIdentityPermissions.create, { projectId, identityId });
  await requireMayGiveRoles(ctx, projectIdentityPermissions, { projectId, identityId }, roles);
  return inTransaction(ctx, async (tx) => {
    await requireNoEscalation(tx, { organizationId, projectId, until: FOREVER, roles });
    await requireMayGiveMachineRights(tx, { projectIds: [projectId], until: lastEndOf(roles) });
    await addIdentity(tx, { id: identityId, organizationId, projectId, ...input });
    await addMember(tx, { organizationId, identityId, roles: [{ role: NO_ACCESS, isTemporary: false }] });
    const { id: membershipId } = await addMember(tx, { organizationId, projectId, identityId, roles });
    await tx.em.flush();
    record(tx, identityCreated, { identityId, name: input.name, role: NO_ACCESS }, { projectId });
    record(tx, identityMemberAdded, { membershipId, identityId, ...recordedRoles(roles) }, { projectId });
    return readOne(tx, projectId, identityId);
  });
}

/** Updates the given fields; roles are changed like those of every member. */
export async function updateProjectIdentity(
  ctx: Context,
  { projectId, identityId, ...changes }: UpdateProjectIdentity,
): Promise<ProjectIdentity> {
  await authorize(ctx, projectIdentityPermissions.edit, { projectId, identityId });
  await readOne(ctx, projectId, identityId);
  await updateIdentity(ctx, { identityId, ...changes });
  return readOne(ctx, projectId, identityId);
}

/** @throws DomainError 400 while it is protected, and for the only administrator of the project. */
export async function deleteProjectIdentity(
  ctx: Context,
  { projectId, identityId }: ProjectIdentityRef,
): Promise<ProjectIdentity> {
  await authorize(ctx, projectIdentityPermissions.delete, { projectId, identityId });
  const last = await readOne(ctx, projectId, identityId);
  await deleteIdentity(ctx, { identityId });
  return last;
}

async function readOne(ctx: Context, projectId: string, identityId: string): Promise<ProjectIdentity> {
  const [identity] = isId(identityId) ? await read(ctx, projectId, [identityId]) : [];
  if (!identity) throw notFound('identity');
  return identity;
}

async function read(ctx: Context, projectId: string, ids: readonly string[]): Promise<ProjectIdentity[]> {
  const rows = ids.length > 0 ? await ctx.sql<Row>(READ, [organizationOf(ctx), projectId, ids, ctx.now()]) : [];
  return withMetadata(ctx, rows);
}

const withMetadata = (ctx: Context, rows: readonly Row[]): Promise<ProjectIdentity[]> =>
  readInRoom(ctx, async (room) => {
    const metadata = await metadataOfListed(ctx, organizationOf(ctx), rows, room);
    return rows.map((row) => publish(row, metadata.get(row.id) ?? []));
  });

const publish = (row: Row, metadata: PublishedMetadata): ProjectIdentity => ({
  id: row.id,
  name: row.name,
  orgId: row.organizationId,
  projectId: row.projectId,
  hasDeleteProtection: row.hasDeleteProtection,
  metadata,
  authMethods: row.authMethods,
  activeLockoutAuthMethods: row.lockedMethods,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});
