import { statement, type Context, type PendingEvent } from '../../kernel/index.ts';

/** Who causes an event, and how the database is asked about that. */
export type Asking = Pick<Context, 'actor' | 'sql'>;

/** What somebody administers. */
export interface Administered {
  readonly instance: boolean;
  readonly organizationIds: readonly string[];
}

const ADMINISTERED = statement(
  'audit.administered',
  `select exists (select 1 from users u where u.id = $1 and u.is_super_admin and u.is_accepted)
       or exists (select 1 from identities i where i.id = $1 and i.is_super_admin) as instance,
     array(select distinct o.organization_id from memberships o cross join lateral (
       select o.id union all
       select m.id from group_members g join memberships m on m.group_id = g.group_id
       where g.actor_id = o.actor_id and m.organization_id = o.organization_id and m.project_id is null and m.status = 'accepted' and m.is_active) h
       join membership_roles r on r.membership_id = h.id and r.role = 'admin'
         and coalesce(r.temporary_access_start_time <= $2, true) and coalesce(r.temporary_access_end_time > $2, true)
       where o.actor_id = $1 and o.project_id is null and o.status = 'accepted' and o.is_active order by 1) as "organizationIds"`,
);

const NOTHING: Administered = { instance: false, organizationIds: [] };

/** What the actor of an event administers now, by its role; at a login, the user who logs in. */
export async function administeredBy({ data }: PendingEvent, by: Asking, now: Date): Promise<Administered> {
  const id = 'id' in by.actor ? by.actor.id : (data as { userId?: unknown }).userId;
  if (typeof id !== 'string') return NOTHING;
  const [found] = await by.sql<Administered>(ADMINISTERED, [id, now]);
  return found!;
}
