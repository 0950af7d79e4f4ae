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
     array(select distinct h.organization_id from effective_memberships h
       join membership_roles r on r.membership_id = h.membership_id and r.role = 'admin'
         and coalesce(r.temporary_access_start_time <= now(), true) and coalesce(r.temporary_access_end_time > now(), true)
       where h.actor_id = $1 and h.project_id is null order by 1) as "organizationIds"`,
);

const NOTHING: Administered = { instance: false, organizationIds: [] };

/** What the actor of an event administers, by its role; at a login, the user who logs in. */
export async function administeredBy({ data }: PendingEvent, by: Asking): Promise<Administered> {
  const id = 'id' in by.actor ? by.actor.id : (data as { userId?: unknown }).userId;
  if (typeof id !== 'string') return NOTHING;
  const [found] = await by.sql<Administered>(ADMINISTERED, [id]);
  return found!;
}
