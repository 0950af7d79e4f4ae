import { at, statement, type Transaction } from '../kernel/index.ts';
import type { Place } from './grants.ts';

/** Of two concurrent changes of what one membership grants, the second waits. */
const LOCK_MEMBERSHIP = statement('memberships.lock', 'select id from memberships where id = $1 for no key update');

export const lockMembership = async (tx: Transaction, id: string): Promise<void> =>
  void (await tx.sql(LOCK_MEMBERSHIP, [id]));

const LATER = `greatest($1::timestamptz, max(g.created_at) + interval '1 millisecond') as time`;
const OF_PRIVILEGE = statement(
  'access.time_of_privilege',
  `select ${LATER} from additional_privileges g where g.membership_id = $2`,
);
const rolesOfGroups = (place: string) =>
  `select ${LATER} from memberships m join membership_roles g on g.membership_id = m.id
   where m.organization_id = $2 and m.group_id is not null and m.project_id ${place}`;
const OF_ROLES_IN_PROJECT = statement('access.time_of_roles_in_project', rolesOfGroups('= $3'));
const OF_ROLES_IN_ORGANIZATION = statement('access.time_of_roles_in_organization', rolesOfGroups('is null'));

const LOCK_ROLES_OF_GROUPS = statement(
  'access.lock_roles_of_groups',
  'select pg_advisory_xact_lock(hashtextextended($1, 69))',
);

interface TimeRow {
  readonly time: string;
}

/**
 * The time of a new privilege, by which it overrides others (`grants.ts`): later than all that the membership has. Grants
 * wait for each other, so that these times are in the order of the commits, whichever process grants, and whatever its
 * clock says.
 */
export async function timeOfPrivilege(tx: Transaction, membershipId: string): Promise<Date> {
  await lockMembership(tx, membershipId);
  const [row] = await tx.sql<TimeRow>(OF_PRIVILEGE, [tx.now(), membershipId]);
  return at(row!.time);
}

/** The same for roles of groups, which override each other for those who are in several groups of a place. */
export async function timeOfGroupRoles(tx: Transaction, { organizationId, projectId }: Place): Promise<Date> {
  await tx.sql(LOCK_ROLES_OF_GROUPS, [projectId ?? organizationId]);
  const [row] = projectId
    ? await tx.sql<TimeRow>(OF_ROLES_IN_PROJECT, [tx.now(), organizationId, projectId])
    : await tx.sql<TimeRow>(OF_ROLES_IN_ORGANIZATION, [tx.now(), organizationId]);
  return at(row!.time);
}
