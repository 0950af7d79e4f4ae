import { organizationOf } from '../../access/index.ts';
import { statement, type Context } from '../../kernel/index.ts';
import type { LoginMapping } from './login.ts';

/** How the caller may log in on a host. */
export interface OwnLogin {
  readonly sshHostId: string;
  readonly projectId: string;
  readonly loginUser: string;
  /** The slug of the group by which it may; null by its own membership. */
  readonly group: string | null;
}

const OF_ACTOR = statement(
  'ssh_logins.of_actor',
  `select distinct l.ssh_host_id as "sshHostId", l.project_id as "projectId", l.login_user as "loginUser", g.slug as "group"
   from effective_memberships e
   cross join lateral (select * from ssh_logins l where l.membership_id = e.membership_id offset 0) l
   left join groups g on g.id = e.group_id
   where e.organization_id = $1 and e.actor_id = $2 and e.project_id is not null
     and ($3::uuid is null or l.ssh_host_id = $3)
   order by 1, 3, 4`,
);

/** Where, or how on one host, the caller may log in: by mappings of hosts and host groups, with active memberships. */
export async function ownLogins(ctx: Context, sshHostId?: string): Promise<OwnLogin[]> {
  const { actor } = ctx;
  if (actor.type !== 'user' && actor.type !== 'identity') return [];
  return ctx.sql<OwnLogin>(OF_ACTOR, [organizationOf(ctx), actor.id, sshHostId ?? null]);
}

/** The part of the login mappings of a host that is about the caller. */
export function ownMappings({ actor }: Context, logins: readonly OwnLogin[]): LoginMapping[] {
  const username = actor.type === 'user' ? [actor.username] : [];
  return [...Map.groupBy(logins, ({ loginUser }) => loginUser)].map(([loginUser, its]) => ({
    loginUser,
    allowedPrincipals: {
      usernames: its.some(({ group }) => group === null) ? username : [],
      groups: its.flatMap(({ group }) => group ?? []),
    },
  }));
}
