import { statement } from '../../kernel/index.ts';

/** A login on a host, by a mapping there or on another host of the same login domain. */
export interface LoginRow {
  readonly sshHostId: string;
  readonly hostname: string;
  readonly loginUser: string;
  readonly actorId: string;
  /** Whether the actor is a member of the project by groups alone. */
  readonly isMemberByGroup: boolean;
}

export const LOGINS = statement(
  'ssh_login_access.logins',
  `with opened as materialized (
     select distinct s.login_domain, l.login_user, e.actor_id
     from ssh_host_settings s join ssh_logins l on l.ssh_host_id = s.ssh_host_id
     join effective_memberships e on e.membership_id = l.membership_id
     where s.organization_id = $1 and s.project_id = $2 and ($4::uuid is null or e.actor_id = $4)
       and ($5::text is null or l.login_user = $5)
   )
   select t.ssh_host_id as "sshHostId", t.hostname, o.login_user as "loginUser", o.actor_id as "actorId",
     not exists (select from memberships m where m.actor_id = o.actor_id and m.organization_id = $1
       and m.project_id = $2) as "isMemberByGroup"
   from ssh_host_settings t join opened o on o.login_domain = t.login_domain
   where t.organization_id = $1 and t.project_id = $2 and ($3::uuid is null or t.ssh_host_id = $3)
   order by t.hostname, o.login_user, o.actor_id`,
);

/** Why one actor may log in as one user, on one host. */
export interface GrantRow {
  readonly sshHostId: string;
  readonly loginUser: string;
  readonly actorId: string;
  readonly hostGroup: { id: string; name: string } | null;
  readonly group: { id: string; name: string; slug: string } | null;
}

export const GRANTS = statement(
  'ssh_login_access.grants',
  `select distinct l.ssh_host_id as "sshHostId", l.login_user as "loginUser", e.actor_id as "actorId",
     case when h.id is not null then jsonb_build_object('id', h.id, 'name', h.name) end as "hostGroup",
     case when g.id is not null then jsonb_build_object('id', g.id, 'name', g.name, 'slug', g.slug) end as "group"
   from ssh_logins l join effective_memberships e on e.membership_id = l.membership_id
   left join ssh_host_groups h on h.id = l.ssh_host_group_id left join groups g on g.id = e.group_id
   where l.organization_id = $1 and l.ssh_host_id = any($2::uuid[]) and e.actor_id = any($3::uuid[])`,
);

/** A host whose certificates open another one ($2) as well. */
export interface OtherHostRow {
  readonly sshHostId: string;
  readonly loginUser: string;
  readonly actorId: string;
  readonly id: string;
  readonly hostname: string;
}

export const OTHER_HOSTS = statement(
  'ssh_login_access.other_hosts',
  `select t.ssh_host_id as "sshHostId", a.login_user as "loginUser", a.actor_id as "actorId", o.id, o.hostname
   from unnest($2::uuid[], $3::text[], $4::uuid[]) a(host_id, login_user, actor_id)
   join ssh_host_settings t on t.ssh_host_id = a.host_id
   cross join lateral (
     select distinct s.ssh_host_id as id, s.hostname from ssh_host_settings s
     join ssh_logins l on l.ssh_host_id = s.ssh_host_id join effective_memberships e on e.membership_id = l.membership_id
     where s.organization_id = $1 and s.project_id = t.project_id and s.login_domain = t.login_domain
       and l.login_user = a.login_user and e.actor_id = a.actor_id
     order by s.hostname limit 100
   ) o where t.organization_id = $1`,
);
