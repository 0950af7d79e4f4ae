import { randomUUID } from 'node:crypto';
import type { Coffer } from '../app/coffer.ts';
import type { AccessWorld, WorldMembership } from './arbitrary-world.ts';
import { nameOf } from './naive-access.ts';

type Row = Readonly<Record<string, unknown>>;

/** Writes a world into the database row by row, without operations and their checks. */
export async function storeWorld(coffer: Coffer, world: AccessWorld): Promise<void> {
  const { organizationId: organization_id, projectIds, actors, groups, memberships } = world;
  const people = actors.filter(({ type }) => type === 'user');
  const roles = new Map(
    memberships
      .flatMap((one) => one.roles)
      .flatMap(({ role }) => (typeof role === 'string' ? [] : [[role.id, role] as const])),
  );
  const belonging = new Map(
    memberships
      .filter((one) => one.projectId === null && 'actorId' in one.holder)
      .map((one) => [(one.holder as { actorId: string }).actorId, one.id]),
  );
  const typeOf = new Map(actors.map(({ id, type }) => [id, type]));
  const metadataOf = new Map(actors.map(({ id, metadata }) => [id, metadata]));
  const holderOf = ({ holder }: WorldMembership) =>
    'groupId' in holder
      ? { group_id: holder.groupId }
      : { [typeOf.get(holder.actorId) === 'user' ? 'user_id' : 'identity_id']: holder.actorId };

  await insert(coffer, 'organizations', [
    { id: organization_id, name: 'World', slug: organization_id, default_membership_role: 'member' },
  ]);
  await insert(
    coffer,
    'projects',
    projectIds.map((id) => ({ id, organization_id, name: id, slug: id, type: 'secret-manager' })),
  );
  await insert(
    coffer,
    'users',
    people.map(({ id }) => ({ id, username: id, is_accepted: true })),
  );
  await insert(
    coffer,
    'identities',
    actors
      .filter(({ type }) => type === 'identity')
      .map(({ id, metadata }) => ({ id, organization_id, name: nameOf(id), metadata })),
  );
  await insert(
    coffer,
    'groups',
    groups.map(({ id }) => ({ id, organization_id, name: id, slug: id })),
  );
  await insert(
    coffer,
    'roles',
    Array.from(roles.values(), ({ id, slug, projectId, rules }) => ({
      id,
      organization_id,
      project_id: projectId,
      slug,
      name: slug,
      permissions: rules,
    })),
  );
  await insert(
    coffer,
    'memberships',
    memberships.map((one) => ({
      id: one.id,
      organization_id,
      project_id: one.projectId,
      status: one.status,
      is_active: one.isActive,
      ...holderOf(one),
      metadata:
        'actorId' in one.holder && one.projectId === null && typeOf.get(one.holder.actorId) === 'user'
          ? metadataOf.get(one.holder.actorId)
          : [],
    })),
  );
  await insert(
    coffer,
    'membership_roles',
    memberships.flatMap((one) =>
      one.roles.map(({ id, role, createdAt, window }) => ({
        id,
        organization_id,
        membership_id: one.id,
        role: typeof role === 'string' ? role : 'custom',
        custom_role_id: typeof role === 'string' ? null : role.id,
        created_at: new Date(createdAt * 1000),
        ...windowRow(window),
      })),
    ),
  );
  await insert(
    coffer,
    'additional_privileges',
    memberships.flatMap((one) =>
      one.privileges.map(({ id, rules, createdAt, window }) => ({
        id,
        organization_id,
        project_id: one.projectId,
        membership_id: one.id,
        slug: id,
        permissions: rules,
        created_at: new Date(createdAt * 1000),
        ...windowRow(window),
      })),
    ),
  );
  await insert(
    coffer,
    'group_members',
    groups.flatMap(({ id: group_id, members }) =>
      members.map((actor_id) => ({
        id: randomUUID(),
        organization_id,
        group_id,
        actor_id,
        membership_id: belonging.get(actor_id),
      })),
    ),
  );
}

const windowRow = (window: { start: number; end: number } | null): Row => ({
  is_temporary: window !== null,
  ...(window && {
    temporary_mode: 'relative',
    temporary_range: '1h',
    temporary_access_start_time: new Date(window.start),
    temporary_access_end_time: new Date(window.end),
  }),
});

/** Columns that no row names get their defaults. */
async function insert({ pool }: Coffer, table: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(', ');
  await pool.query(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  );
}
