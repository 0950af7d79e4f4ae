import { addMember } from '../../access/membership/index.ts';
import {
  authorize,
  FOREVER,
  organizationOf,
  organizationPermissions,
  requireAuthorityOverEverybody,
  requireLasting,
  requireNoEscalation,
} from '../../access/index.ts';
import {
  actorIdOf,
  givenFields,
  badRequest,
  explainConstraint,
  invalidate,
  inTransaction,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { countNewOrganization } from '../../mail/index.ts';
import { endPastLimit, longestLifetime, sessionOf } from '../../users/session/index.ts';
import { createOrganizationRow } from './create.ts';
import { OrganizationEntity } from './organization.entity.ts';
import {
  organizationCreated,
  organizationUpdated,
  toOrganization,
  type CreateOrganization,
  type ListOrganizationProjects,
  type Organization,
  type OrganizationProject,
  type OrganizationRef,
  type UpdateOrganization,
} from './organization.ts';
import { ownOrganization } from './own.ts';

explainConstraint('organizations_slug_unique', 'An organization with this slug already exists');

const settings = organizationPermissions('settings');

const OWN = statement(
  'organizations.own',
  `select organization_id as "organizationId" from memberships
     where user_id = $1 and project_id is null and status = 'accepted' and is_active`,
);

/** The organizations that a user may choose from; of an API key and a machine identity, their own. */
export async function listOrganizations(ctx: Context): Promise<Organization[]> {
  const { actor } = ctx;
  const ids =
    actor.type === 'user' && actor.sessionId !== undefined
      ? (await ctx.sql<{ organizationId: string }>(OWN, [actor.id])).map((row) => row.organizationId)
      : [organizationOf(ctx)];
  const rows = await ctx.em.find(OrganizationEntity, { id: { $in: ids } }, { orderBy: { name: 'asc', id: 'asc' } });
  return rows.map(toOrganization);
}

export async function getOrganization(ctx: Context, input: OrganizationRef): Promise<Organization> {
  return toOrganization(await loadOrganization(ctx, ownOrganization(ctx, input.organizationId)));
}

/**
 * A further organization of a person, who administers it.
 *
 * @throws DomainError 400 `organization.too_many_today`
 */
export function createOrganization(ctx: Context, { name }: CreateOrganization): Promise<Organization> {
  const { id } = sessionOf(ctx);
  return inTransaction(ctx, async (tx) => {
    await countNewOrganization(tx, id);
    return toOrganization(await foundOrganization(tx, name, id));
  });
}

/** A new organization with its first administrator. */
export async function foundOrganization(tx: Transaction, name: string, userId: string): Promise<OrganizationEntity> {
  const organization = await createOrganizationRow(tx, name);
  await addMember(tx, { organizationId: organization.id, userId, roles: [{ role: 'admin', isTemporary: false }] });
  await tx.em.flush();
  record(tx, organizationCreated, eventData(organization), { organizationId: organization.id });
  return organization;
}

const LOCK = statement('organizations.lock_to_update', 'select id from organizations where id = $1 for no key update');

/**
 * @throws DomainError 400 for an existing slug, and for settings that Coffer cannot enforce; 403
 * `PermissionBoundaryError` for a default role that allows more than the caller may do, for a longer limit of tokens or a
 * retention of events by a right that ends, and for a shorter one by somebody who holds less than an administrator; 404 for an unknown role.
 */
export async function updateOrganization(ctx: Context, input: UpdateOrganization): Promise<Organization> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await authorize(ctx, settings.edit);
  refuseUnenforceable(input);
  const { defaultMembershipRoleSlug: role } = input;
  return inTransaction(ctx, async (tx) => {
    // What it is compared with stays until it is stored.
    await tx.sql(LOCK, [organizationId]);
    const organization = await loadOrganization(tx, organizationId);
    if (role !== undefined && role !== organization.defaultMembershipRole)
      await requireNoEscalation(tx, { organizationId, until: FOREVER, roles: [role] });
    await limitTokens(tx, organization, input);
    // Events are removed by it every day.
    if (input.auditLogsRetentionDays !== undefined)
      await requireLasting(tx, undefined, { permission: settings.edit, fields: {} });
    tx.em.assign(organization, {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.slug !== undefined && { slug: input.slug }),
      ...(input.defaultMembershipRoleSlug !== undefined && { defaultMembershipRole: input.defaultMembershipRoleSlug }),
      ...(input.userTokenExpiration !== undefined && { userTokenExpiration: input.userTokenExpiration }),
      ...(input.auditLogsRetentionDays !== undefined && { auditLogsRetentionDays: input.auditLogsRetentionDays }),
    });
    await tx.em.flush();
    invalidate(tx, `access:${organizationId}`);
    const { organizationId: _, auditLogsRetentionDays, ...others } = input;
    const data = {
      ...eventData(organization),
      changed: givenFields({ ...others, auditLogsRetentionDays }),
      ...(auditLogsRetentionDays !== undefined && { auditLogsRetentionDays }),
      ...(role !== undefined && { defaultMembershipRoleSlug: role }),
    };
    record(tx, organizationUpdated, data, { organizationId });
    return toOrganization(organization);
  });
}

/**
 * Call it before another limit is stored. A longer one stays when the right to set it ends. A shorter one ends credentials of
 * everybody, who cannot get them back.
 *
 * @throws DomainError 403
 */
async function limitTokens(
  tx: Transaction,
  { id, userTokenExpiration: before = null }: OrganizationEntity,
  { userTokenExpiration: after }: UpdateOrganization,
): Promise<void> {
  if (after === undefined || after === before) return;
  const [was, is] = [longestLifetime(before), longestLifetime(after)];
  if (is > was) await requireLasting(tx, undefined, { permission: settings.edit, fields: {} });
  if (is < was) await requireAuthorityOverEverybody(tx, { organizationId: id });
  await endPastLimit(tx, id, before);
}

/** Better a refusal than a protection that is believed to be there. */
function refuseUnenforceable({ authEnforced, scimEnabled, enforceMfa }: UpdateOrganization): void {
  if (authEnforced || scimEnabled || enforceMfa) {
    throw badRequest(
      'organization.not_offered',
      'Enforced single sign-on, SCIM and enforced second factors are not supported',
    );
  }
}

const PROJECTS = statement(
  'organizations.projects',
  `select p.id, p.name, p.slug, p.type, p.organization_id as organization, coalesce((
     select json_agg(json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) order by e.position, e.id)
     from environments e where e.project_id = p.id), '[]') as environments
   from projects p
   where p.organization_id = $1 and ($2::text is null or p.type = $2) and p.id in (
     select h.project_id from effective_memberships h where h.organization_id = $1 and h.actor_id = $3)
   order by p.name, p.id`,
);

/** The projects of the organization that the caller belongs to. */
export async function listOrganizationProjects(
  ctx: Context,
  input: ListOrganizationProjects,
): Promise<OrganizationProject[]> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  const actorId = actorIdOf(ctx.actor);
  return ctx.sql<OrganizationProject>(PROJECTS, [organizationId, input.type ?? null, actorId]);
}

export const loadOrganization = (ctx: Pick<Context, 'em'>, id: string): Promise<OrganizationEntity> =>
  ctx.em.findOneOrFail(OrganizationEntity, { id }, { failHandler: () => notFound('organization') });

const eventData = ({ id, name, slug }: OrganizationEntity) => ({ organizationId: id, name, slug });
