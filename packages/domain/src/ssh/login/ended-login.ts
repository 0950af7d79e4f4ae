import { abilityIn, forbidsAny, projectPermissions, requireMayRemove } from '../../access/index.ts';
import { statement, type Transaction } from '../../kernel/index.ts';
import { principalSql } from './login.ts';

/** SQL: certificates `c` for hosts that may be used. `$1` is the present time. */
export const OF_LOGIN = `c.cert_type = 'user' and c.ssh_host_id is not null and c.revoked_at is null and c.not_after > $1`;

/**
 * SQL: whether a login `d` has ended: its host would not issue its certificates any more, since it has another authority or principal
 * mode, or no such login.
 */
const HAS_ENDED = `(select true from effective_memberships e cross join lateral (
     select l.ssh_host_id, l.login_user from ssh_logins l where l.membership_id = e.membership_id offset 0
   ) l cross join lateral (
     select s.principal_mode, s.user_ssh_ca_id from ssh_host_settings s where s.ssh_host_id = l.ssh_host_id offset 0
   ) s
   where e.organization_id = d.organization_id and l.ssh_host_id = d.ssh_host_id and e.actor_id = d.actor_id
     and s.user_ssh_ca_id = d.ca_id
     and d.principals = array[${principalSql('s.principal_mode', 'l.ssh_host_id', 'l.login_user')}]
   limit 1) is null`;

/**
 * SQL: the logins `d` that have ended at a place, a condition on certificates `c`. Each is looked up once, since anybody makes as many
 * certificates of theirs as they like.
 */
const endedAt = (place: string): string => `(
     select distinct c.organization_id, c.ssh_host_id, c.actor_id, c.ca_id, c.principals from ssh_certificates c
     where ${OF_LOGIN} and ${place}) d where ${HAS_ENDED}`;

/** Those of an organization ($2). */
export const ENDED_LOGINS = statement(
  'ssh_logins.ended_in_organization',
  `select d.ssh_host_id as "hostId", d.actor_id as "actorId", d.ca_id as "caId", d.principals
   from ${endedAt('c.organization_id = $2')}`,
);

/** SQL: the certificates `c` of some of them (JSON, $3) that may be used. Those of actors that are gone are always among them. */
export const OF_ENDED_LOGINS = `${OF_LOGIN} and c.organization_id = $2
     and (c.actor_id is null or (c.ssh_host_id, c.actor_id, c.ca_id, c.principals) in (
       select d.ssh_host_id, d.actor_id, d.ca_id, d.principals from (
         select $2::uuid, l.* from jsonb_to_recordset($3::jsonb)
           as l ("hostId" uuid, "actorId" uuid, "caId" uuid, principals text[])
       ) d (organization_id, ssh_host_id, actor_id, ca_id, principals)
       where ${HAS_ENDED}))`;

const IN_PROJECT = 'c.organization_id = $2 and c.project_id = $3';
const ENDED = statement(
  'ssh_logins.ended',
  `select c.id from ssh_certificates c where ${OF_LOGIN} and ${IN_PROJECT} and c.id <> all ($4::uuid[])
     and (c.actor_id is null or (c.ssh_host_id, c.actor_id, c.ca_id, c.principals) in (
       select d.ssh_host_id, d.actor_id, d.ca_id, d.principals from ${endedAt(IN_PROJECT)}))`,
);

const { delete: revoke } = projectPermissions('ssh-certificates');

/**
 * Before a change: what checks after it that no rule forbids the caller to revoke the certificates of logins that it has ended. Those
 * of logins that have ended otherwise wait for the job that revokes them.
 *
 * @returns May throw a DomainError 403.
 */
export async function endingLogins(
  tx: Transaction,
  projectId: string,
  organizationId: string,
): Promise<() => Promise<void>> {
  const ability = await abilityIn(tx, projectId);
  if (!forbidsAny(ability, revoke)) return () => Promise.resolve();
  const find = (besides: readonly string[]) =>
    tx.sql<{ id: string }>(ENDED, [tx.now(), organizationId, projectId, besides]);
  const before = (await find([])).map(({ id }) => id);
  return async () => {
    const ended = await find(before);
    await requireMayRemove(
      ability,
      revoke,
      projectId,
      ended.map(() => ({})),
    );
  };
}
