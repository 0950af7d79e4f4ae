import { ofJoined } from '../../access/membership/index.ts';
import { isId, statement, type Context } from '../../kernel/index.ts';
import type { Group, GroupIdentity, GroupUser } from './group.ts';

/** An actor of the organization, in the group or not. Of a machine identity, only `name` is set. */
export interface ActorRow {
  id: string;
  membershipId: string;
  isUser: boolean;
  name: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  joinedAt: string | null;
}

/** Identities that belong to a project are in no group. */
const FROM = `
  from memberships m
  left join users u on u.id = m.user_id
  left join identities i on i.id = m.identity_id
  left join group_members g on g.membership_id = m.id and g.group_id = $2
  where m.organization_id = $1 and m.project_id is null and m.actor_id is not null and i.project_id is null`;
const FIRST_NAME = ofJoined('u.first_name', 'm');
const LAST_NAME = ofJoined('u.last_name', 'm');
const COLUMNS = `m.actor_id as id, m.id as "membershipId", u.id is not null as "isUser",
  coalesce(u.username, i.name) as name,
  u.email, ${FIRST_NAME} as "firstName", ${LAST_NAME} as "lastName", g.created_at as "joinedAt"`;

/** $3: kinds; $4: part of the user name or name; $5: part of any name. */
const FOUND = `and case when u.id is null then 'identity' else 'user' end = any($3::text[])
  and ($4::text is null or position(lower($4) in lower(coalesce(u.username, i.name))) > 0)
  and ($5::text is null or position(lower($5) in lower(concat_ws(' ', u.username, u.email, i.name))) > 0
    or position(lower($5) in lower(concat_ws(' ', ${FIRST_NAME}, ${LAST_NAME}))) > 0)`;
const NAME = 'lower(coalesce(u.username, i.name))';

/** Two statements, because PostgreSQL needs different plans for members and for everybody. */
const statements = (which: string, condition: string) => {
  const list = (direction: 'asc' | 'desc') =>
    statement(
      `group_members.list_${which}_${direction}`,
      `select ${COLUMNS} ${FROM} ${condition} ${FOUND} order by ${NAME} ${direction}, m.actor_id offset $6 limit $7`,
    );
  return {
    count: statement(`group_members.count_${which}`, `select count(*)::integer as count ${FROM} ${condition} ${FOUND}`),
    asc: list('asc'),
    desc: list('desc'),
  };
};
const INSIDE = statements('inside', 'and g.id is not null');
const OUTSIDE = statements('outside', 'and g.id is null');
const ALL = statements('all', '');

export type ActorKind = 'user' | 'identity';

export interface ActorSearch {
  readonly kinds: readonly ActorKind[];
  /** Whether they are in the group; both where null. */
  readonly isPart: boolean | null;
  readonly name?: string | undefined;
  readonly search?: string | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly direction?: 'asc' | 'desc';
}

/** The matches of a search, by name, and their number. The rights of the caller are not checked. */
export async function findActors(
  ctx: Context,
  group: Group,
  wanted: ActorSearch,
): Promise<{ rows: ActorRow[]; totalCount: number }> {
  const { kinds, isPart, name, search, offset, limit, direction = 'asc' } = wanted;
  const found = [group.orgId, group.id, kinds, name || null, search || null];
  const asked = isPart === null ? ALL : isPart ? INSIDE : OUTSIDE;
  const rows = await ctx.sql<ActorRow>(asked[direction], [...found, offset, limit]);
  const [total] = await ctx.sql<{ count: number }>(asked.count, found);
  return { rows, totalCount: total!.count };
}

const USER = statement('group_members.user', `select ${COLUMNS} ${FROM} and u.username = $3`);
const IDENTITY = statement('group_members.identity', `select ${COLUMNS} ${FROM} and i.id = $3`);

/** Finds the actor to add to a group, or to remove. */
export type FindActor = (ctx: Context, group: Group) => Promise<ActorRow | undefined>;

/** A person of the organization by the user name. */
export const userNamed =
  (username: string): FindActor =>
  async (ctx, { orgId, id }) =>
    (await ctx.sql<ActorRow>(USER, [orgId, id, username]))[0];
/** A machine identity of the organization by its id. */
export const identityWithId =
  (identityId: string): FindActor =>
  async (ctx, { orgId, id }) =>
    isId(identityId) ? (await ctx.sql<ActorRow>(IDENTITY, [orgId, id, identityId]))[0] : undefined;

export const toUser = (row: ActorRow): GroupUser => ({
  id: row.id,
  email: row.email,
  username: row.name,
  firstName: row.firstName,
  lastName: row.lastName,
});
export const toIdentity = ({ id, name }: ActorRow): GroupIdentity => ({ id, name });
