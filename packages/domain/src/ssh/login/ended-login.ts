import { abilityIn, forbidsAny, projectPermissions, requireMayRemove } from '../../access/index.ts';
import { statement, type Transaction } from '../../kernel/index.ts';
import { principalSql } from './login.ts';

/**
 * SQL: of the certificates `c` for hosts those that the host would not issue any more to whoever ordered them: it has another
 * authority or principal mode, or no such login. `$1` is the present time.
 */
export const OF_ENDED_LOGIN = `c.cert_type = 'user' and c.ssh_host_id is not null and c.not_after > $1
     and (select true from effective_memberships e cross join lateral (
         select l.ssh_host_id, l.login_user from ssh_logins l where l.membership_id = e.membership_id offset 0
       ) l cross join lateral (
         select s.principal_mode, s.user_ssh_ca_id from ssh_host_settings s where s.ssh_host_id = l.ssh_host_id offset 0
       ) s
       where e.organization_id = c.organization_id and l.ssh_host_id = c.ssh_host_id and e.actor_id = c.actor_id
         and s.user_ssh_ca_id = c.ca_id
         and c.principals = array[${principalSql('s.principal_mode', 'l.ssh_host_id', 'l.login_user')}]
       limit 1) is null`;

const ENDED = statement(
  'ssh_logins.ended',
  `select c.id from ssh_certificates c where c.organization_id = $2 and c.project_id = $3 and c.revoked_at is null
     and ${OF_ENDED_LOGIN} and c.id <> all ($4::uuid[])`,
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
