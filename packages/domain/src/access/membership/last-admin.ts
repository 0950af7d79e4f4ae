import { z } from 'zod';
import { badRequest, defineEvent, record, statement, type Transaction } from '../../kernel/index.ts';
import { rowsOf } from '../rows-of.ts';
import { recordingEnds } from './ended.ts';
import { endTokensOfLeavers } from './leavers.ts';

/**
 * Serializes changes of the administrators of a place. The locks are taken in one order, so that they cannot deadlock.
 */
const LOCK_ORGANIZATIONS = statement(
  'organizations.lock',
  'select id from organizations where id = any($1::uuid[]) order by id for no key update',
);
const LOCK_PROJECTS = statement(
  'project_members.lock',
  'select id from projects where organization_id = any($1::uuid[]) and id = any($2::uuid[]) order by id for no key update',
);

/**
 * Whether an administrator (`h`, by the role `r`) is under a rule that forbids anything, now ($2) or later, and comes after
 * that role (see `grants.ts` for the order).
 */
const IS_RESTRICTED = `exists (
  select 1 from effective_memberships f
  where f.actor_id = h.actor_id and f.organization_id = h.organization_id and f.project_id is not distinct from h.project_id
    and (exists (
      select 1 from (${rowsOf('membership_roles', 'membership_id = f.membership_id')}) x
      cross join lateral (${rowsOf('roles', 'id = x.custom_role_id')}) c
      where coalesce(x.temporary_access_end_time > $2, true) and c.permissions @> '[{"inverted": true}]'
        and (f.group_id is not null, x.created_at, x.id) > (h.group_id is not null, r.created_at, r.id)
    ) or exists (
      select 1 from (${rowsOf('additional_privileges', 'membership_id = f.membership_id')}) p
      where coalesce(p.temporary_access_end_time > $2, true) and p.permissions @> '[{"inverted": true}]'
    )))`;

/**
 * How far places are administered: 2 by an actor without forbidding rules, who can therefore grant everything to
 * everybody; 1 only by actors who cannot lift their own denials; absent if there are none. Temporary roles do not
 * count, because they end; nor do actors whom the organization does not admit, nor empty groups.
 */
const levels = (id: string, where: string): string => `
  select ${id} as id, max(case when ${IS_RESTRICTED} then 1 else 2 end) as level from effective_memberships h
  join membership_roles r on r.membership_id = h.membership_id and r.role = 'admin' and not r.is_temporary
    and r.organization_id = any($1::uuid[])
  where h.organization_id = any($1::uuid[]) and ${where} group by 1`;

const PROJECT_LEVELS = statement('project_members.levels', levels('h.project_id', 'h.project_id = any($3::uuid[])'));
/** An organization is administered by people. */
const ORGANIZATION_LEVELS = statement(
  'organizations.levels',
  levels(
    'h.organization_id',
    'h.project_id is null and exists (select 1 from users u where u.id = h.actor_id and u.is_accepted)',
  ),
);

interface LevelRow {
  id: string;
  level: number;
}

/** Organizations, or some of their projects. */
type Places = readonly [organizationIds: readonly string[], projectIds?: readonly string[]];

async function levelsOf(tx: Transaction, [organizationIds, projectIds]: Places): Promise<Map<string, number>> {
  const given = [organizationIds, tx.now()];
  const rows = await (projectIds
    ? tx.sql<LevelRow>(PROJECT_LEVELS, [...given, projectIds])
    : tx.sql<LevelRow>(ORGANIZATION_LEVELS, given));
  return new Map(rows.map(({ id, level }) => [id, level]));
}

/** Makes a change and returns the places that are administered less than before, with their new state. */
async function comparing<T>(
  tx: Transaction,
  places: Places,
  change: () => Promise<T>,
): Promise<{ result: T; lowered: LevelRow[] }> {
  const before = await levelsOf(tx, places);
  const result = await change();
  await tx.em.flush();
  const after = await levelsOf(tx, places);
  const lowered = [...before].map(([id, level]) => ({ id, before: level, level: after.get(id) ?? 0 }));
  return { result, lowered: lowered.filter((one) => one.level < one.before) };
}

const refusal = (what: 'organization' | 'project', lowered: readonly LevelRow[]) => {
  const isLost = lowered.some(({ level }) => level === 0);
  return badRequest(
    `${what}.last_admin`,
    `This is the only administrator of the ${what}${isLost ? '' : ' without forbidding rules'}; appoint another one first`,
    what === 'organization' ? { organizationIds: lowered.map(({ id }) => id) } : undefined,
  );
};

/**
 * Makes a change so that each organization with a user as administrator still has one afterwards, and one without
 * forbidding rules if it had one, also if two administrators remove each other at the same time.
 *
 * @throws DomainError 400 `organization.last_admin` with the organizations that would be left without one.
 */
export async function keepingOrganizationAdmins<T>(
  tx: Transaction,
  organizationIds: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  await tx.sql(LOCK_ORGANIZATIONS, [organizationIds]);
  const { result, lowered } = await comparing(tx, [organizationIds], change);
  if (lowered.length > 0) throw refusal('organization', lowered);
  return result;
}

/**
 * The same for some projects of an organization, whose administrators may be machine identities. Service tokens of
 * actors who leave the projects are deleted.
 *
 * @throws DomainError 400 `project.last_admin`.
 */
export async function keepingAdmins<T>(
  tx: Transaction,
  organizationId: string,
  projectIds: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  const places = [[organizationId], [...projectIds]] as const;
  await tx.sql(LOCK_PROJECTS, places);
  const { result, lowered } = await comparing(tx, places, change);
  if (lowered.length > 0) throw refusal('project', lowered);
  await endTokensOfLeavers(tx, { organizationIds: [organizationId], projectIds });
  return result;
}

/** The same for one project. */
export const keepingAnAdmin = <T>(
  tx: Transaction,
  organizationId: string,
  projectId: string,
  change: () => Promise<T>,
): Promise<T> => keepingAdmins(tx, organizationId, [projectId], change);

/** The same for the place of a role: an organization (no project) or a project. */
export const keepingAdminsOf = <T>(
  tx: Transaction,
  { organizationId, projectId }: { organizationId: string; projectId: string | null },
  change: () => Promise<T>,
): Promise<T> =>
  projectId === null
    ? keepingOrganizationAdmins(tx, [organizationId], change)
    : keepingAnAdmin(tx, organizationId, projectId, change);

/** A project without any administrator; those who may enter all projects can take it over. */
const projectAbandoned = defineEvent(
  'project.abandoned',
  'project-left-without-admin',
  z.object({ projectId: z.string() }),
);

const ADMINISTERED_BY = statement(
  'project_members.administered_by',
  `select distinct h.project_id as id, h.organization_id as "organizationId" from effective_memberships h
   join membership_roles r on r.membership_id = h.membership_id and r.organization_id = h.organization_id
     and r.role = 'admin' and not r.is_temporary
   where h.organization_id = any($1::uuid[]) and h.actor_id = any($2::uuid[]) and h.project_id is not null`,
);

/**
 * Removes users or machine identities from organizations. Their projects do not prevent that, because a leaving actor
 * must lose access at once. Memberships that end, and projects left without an administrator, are recorded. The service
 * tokens of the actors are deleted.
 */
export async function notingAbandoned<T>(
  tx: Transaction,
  organizationIds: readonly string[],
  actorIds: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  const own = await tx.sql<{ id: string; organizationId: string }>(ADMINISTERED_BY, [organizationIds, actorIds]);
  const places = [organizationIds, own.map(({ id }) => id)] as const;
  await tx.sql(LOCK_PROJECTS, places);
  const ending = () => recordingEnds(tx, { organizationIds, holderIds: actorIds }, change);
  const { result, lowered } = await comparing(tx, places, ending);
  await endTokensOfLeavers(tx, { organizationIds, actorIds });
  const abandoned = new Set(lowered.filter(({ level }) => level === 0).map(({ id }) => id));
  for (const { id: projectId, organizationId } of own)
    if (abandoned.has(projectId)) record(tx, projectAbandoned, { projectId }, { projectId, organizationId });
  return result;
}
