import { badRequest, fewIn, newId, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { LoginMapping, LoginMappings } from './login.ts';

/** A host, or a host group. */
export interface LoginPlace {
  readonly organizationId: string;
  readonly projectId: string;
  readonly sshHostId?: string;
  readonly sshHostGroupId?: string;
}

const SELECT = `select coalesce(u.ssh_host_id, u.ssh_host_group_id) as "placeId", u.login_user as "loginUser",
    coalesce(array_agg(p.username order by m.id) filter (where p.username is not null), '{}') as usernames,
    coalesce(array_agg(g.slug order by m.id) filter (where g.slug is not null), '{}') as groups
  from ssh_login_users u left join ssh_login_mappings m on m.login_user_id = u.id
  left join memberships h on h.id = m.membership_id
  left join users p on p.id = h.user_id left join groups g on g.id = h.group_id`;
const OF_HOSTS = statement(
  'ssh_logins.of_hosts',
  `${SELECT} where u.organization_id = $1 and u.ssh_host_id = any($2::uuid[]) group by u.id order by u.id`,
);
const OF_GROUPS = statement(
  'ssh_logins.of_host_groups',
  `${SELECT} where u.organization_id = $1 and u.ssh_host_group_id = any($2::uuid[]) group by u.id order by u.id`,
);

/** All of a project are compared at each change. */
const requireFewMappings = fewIn('project', {
  table: 'ssh_login_mappings',
  most: 20_000,
  code: 'ssh_login.too_many',
  of: 'users and groups in login mappings',
});

interface MappingRow {
  placeId: string;
  loginUser: string;
  usernames: string[];
  groups: string[];
}

async function mappingsOf(
  ctx: Context,
  from: typeof OF_HOSTS,
  organizationId: string,
  ids: readonly string[],
): Promise<(placeId: string) => LoginMapping[]> {
  const rows = ids.length > 0 ? await ctx.sql<MappingRow>(from, [organizationId, ids]) : [];
  const byPlace = Map.groupBy(rows, ({ placeId }) => placeId);
  return (placeId) =>
    (byPlace.get(placeId) ?? []).map(({ loginUser, usernames, groups }) => ({
      loginUser,
      allowedPrincipals: { usernames, groups },
    }));
}

/** The login mappings of some hosts, without those of their groups, as they were given. */
export const mappingsOfHosts = (ctx: Context, organizationId: string, ids: readonly string[]) =>
  mappingsOf(ctx, OF_HOSTS, organizationId, ids);

/** The same of some host groups. */
export const mappingsOfHostGroups = (ctx: Context, organizationId: string, ids: readonly string[]) =>
  mappingsOf(ctx, OF_GROUPS, organizationId, ids);

const CLEAR = statement(
  'ssh_logins.clear',
  `delete from ssh_login_users where organization_id = $1 and (ssh_host_id = $2 or ssh_host_group_id = $3)`,
);
const ADD_USERS = statement(
  'ssh_logins.add_login_users',
  `insert into ssh_login_users (id, organization_id, project_id, ssh_host_id, ssh_host_group_id, login_user)
   select g.id, $1, $2, $3, $4, g.login_user from unnest($5::uuid[], $6::text[]) g(id, login_user)`,
);
const ADD_MAPPINGS = statement(
  'ssh_logins.add_mappings',
  `insert into ssh_login_mappings (id, organization_id, project_id, login_user_id, membership_id)
   select g.id, $1, $2, g.login_user_id, g.membership_id
   from unnest($3::uuid[], $4::uuid[], $5::uuid[]) g(id, login_user_id, membership_id)`,
);

/**
 * Replaces the login mappings of a host or a host group. Within `keepingLogins`, which checks the rights.
 *
 * @throws DomainError 400 `ssh_login.unknown_principal` for users and groups that are no members of the project,
 * `ssh_login.too_many`.
 */
export async function replaceMappings(tx: Transaction, place: LoginPlace, mappings: LoginMappings): Promise<void> {
  const { organizationId, projectId, sshHostId = null, sshHostGroupId = null } = place;
  const members = await membersNamed(tx, place, mappings);
  const users = mappings.map((mapping) => ({ id: newId(), ...mapping }));
  const rows = users.flatMap(({ id, allowedPrincipals: { usernames, groups } }) =>
    [...usernames.map((name) => members.users.get(name)!), ...groups.map((slug) => members.groups.get(slug)!)].map(
      (membershipId) => ({ id: newId(), loginUserId: id, membershipId }),
    ),
  );
  await tx.sql(CLEAR, [organizationId, sshHostId, sshHostGroupId]);
  const [ids, loginUsers] = [users.map(({ id }) => id), users.map(({ loginUser }) => loginUser)];
  await tx.sql(ADD_USERS, [organizationId, projectId, sshHostId, sshHostGroupId, ids, loginUsers]);
  await tx.sql(ADD_MAPPINGS, [
    organizationId,
    projectId,
    rows.map(({ id }) => id),
    rows.map(({ loginUserId }) => loginUserId),
    rows.map(({ membershipId }) => membershipId),
  ]);
  await requireFewMappings(tx, projectId);
}

// Held until the transaction ends, so that a member who leaves at the same time leaves its mappings, too.
const USERS = statement(
  'ssh_logins.users_named',
  `select u.username as name, m.id from memberships m join users u on u.id = m.user_id
   where m.organization_id = $1 and m.project_id = $2 and u.username = any($3::text[]) order by m.id for key share of m`,
);
const GROUPS = statement(
  'ssh_logins.groups_named',
  `select g.slug as name, m.id from memberships m join groups g on g.id = m.group_id
   where m.organization_id = $1 and m.project_id = $2 and g.slug = any($3::text[]) order by m.id for key share of m`,
);

async function membersNamed(tx: Transaction, { organizationId, projectId }: LoginPlace, mappings: LoginMappings) {
  const named = async (which: typeof USERS, names: readonly string[]) => {
    const distinct = [...new Set(names)];
    const rows =
      distinct.length > 0
        ? await tx.sql<{ name: string; id: string }>(which, [organizationId, projectId, distinct])
        : [];
    return { byName: new Map(rows.map(({ name, id }) => [name, id])), distinct };
  };
  const users = await named(
    USERS,
    mappings.flatMap(({ allowedPrincipals }) => allowedPrincipals.usernames),
  );
  const groups = await named(
    GROUPS,
    mappings.flatMap(({ allowedPrincipals }) => allowedPrincipals.groups),
  );
  const missing = [users, groups].flatMap(({ byName, distinct }) => distinct.filter((name) => !byName.has(name)));
  if (missing.length > 0)
    throw badRequest(
      'ssh_login.unknown_principal',
      `Not a member of the project: ${missing.slice(0, 5).join(', ')}. Users need a membership of their own; who is a member by a group is named by that group`,
      { principals: missing.slice(0, 100) },
    );
  return { users: users.byName, groups: groups.byName };
}
