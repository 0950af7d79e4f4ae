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

/** The hosts of a project ($2), and who may log in by their own mappings. */
const OF_PROJECT = `hosts as materialized (
     select ssh_host_id, hostname, login_domain from ssh_host_settings where organization_id = $1 and project_id = $2
   ), logins as materialized (
     select l.ssh_host_id, l.login_user, e.actor_id from ssh_logins l cross join lateral (
       select e.actor_id from effective_memberships e where e.membership_id = l.membership_id offset 0
     ) e where l.organization_id = $1 and l.project_id = $2
   )`;

/** At most $6 of them, any ones where there are more: they are limited before they are ordered. */
export const LOGINS = statement(
  'ssh_login_access.logins',
  `with ${OF_PROJECT}, opened as materialized (
     select distinct s.login_domain, l.login_user, l.actor_id from hosts s join logins l on l.ssh_host_id = s.ssh_host_id
     where ($4::uuid is null or l.actor_id = $4) and ($5::text is null or l.login_user = $5)
   )
   select f.ssh_host_id as "sshHostId", f.hostname, f.login_user as "loginUser", f.actor_id as "actorId",
     (select true from memberships m where m.actor_id = f.actor_id and m.organization_id = $1
       and m.project_id = $2 limit 1) is null as "isMemberByGroup"
   from (
     select t.ssh_host_id, t.hostname, o.login_user, o.actor_id from hosts t join opened o on o.login_domain = t.login_domain
     where $3::uuid is null or t.ssh_host_id = $3 limit $6
   ) f order by f.hostname, f.login_user, f.actor_id`,
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
     h.group as "hostGroup", g.group as "group"
   from effective_memberships e
   cross join lateral (select * from ssh_logins l where l.membership_id = e.membership_id offset 0) l
   left join lateral (
     select jsonb_build_object('id', h.id, 'name', h.name) as group from ssh_host_groups h
     where h.id = l.ssh_host_group_id offset 0
   ) h on true
   left join lateral (
     select jsonb_build_object('id', g.id, 'name', g.name, 'slug', g.slug) as group from groups g
     where g.id = e.group_id offset 0
   ) g on true
   where e.organization_id = $1 and e.actor_id = any($3::uuid[]) and e.project_id = $4 and l.ssh_host_id = any($2::uuid[])`,
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
  `with ${OF_PROJECT}, found as (
     select distinct a.host_id, a.login_user, a.actor_id, s.ssh_host_id, s.hostname
     from unnest($3::uuid[], $4::text[], $5::uuid[]) a(host_id, login_user, actor_id)
     join hosts t on t.ssh_host_id = a.host_id join hosts s on s.login_domain = t.login_domain
     join logins l on l.ssh_host_id = s.ssh_host_id and l.login_user = a.login_user and l.actor_id = a.actor_id
   ), numbered as (
     select *, row_number() over (partition by host_id, login_user, actor_id order by hostname) as number from found
   )
   select host_id as "sshHostId", login_user as "loginUser", actor_id as "actorId", ssh_host_id as id, hostname
   from numbered where number <= 100 order by hostname`,
);
