import { FOREVER, organizationOf, projectPermissions, requireNoEscalation, type Until } from '../../access/index.ts';
import { DomainError, forbidden, statement, type Context, type Transaction } from '../../kernel/index.ts';

const LOCK = statement('ssh_logins.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 65))');

/** Every host of a project, with those that accept the same certificates. */
const HOSTS = statement(
  'ssh_logins.domains',
  `select ssh_host_id as id, hostname, login_domain as domain from ssh_host_settings
   where organization_id = $1 and project_id = $2`,
);
/** Who may log in as whom, for each set of hosts that accept the same certificates. */
const LOGINS = statement(
  'ssh_logins.by_domain',
  `with hosts as materialized (
     select ssh_host_id, login_domain from ssh_host_settings where organization_id = $1 and project_id = $2
   ), logins as materialized (
     select ssh_host_id, membership_id, login_user from ssh_logins where organization_id = $1 and project_id = $2
   )
   select s.login_domain as domain, array_agg(distinct l.membership_id || ' ' || l.login_user) as logins
   from hosts s join logins l on l.ssh_host_id = s.ssh_host_id group by s.login_domain`,
);

interface Host {
  readonly hostname: string;
  readonly domain: string;
}

/** The logins of a project at one instant. */
interface Logins {
  readonly hosts: ReadonlyMap<string, Host>;
  readonly byDomain: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Runs a change of who may log in on the hosts of a project: of login mappings, of the hosts in a group, of authorities and
 * principal modes. A login is worth as much as the right to edit the host, which can give it: whoever gives one, to others or
 * to themselves, must be permitted to edit all hosts that the certificates for it open, as long as it lasts; whoever takes
 * one, now. Compared is what holds before and after, so no way of changing it is left out. Changes of one project wait for
 * each other.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export async function keepingLogins<T>(tx: Transaction, projectId: string, change: () => Promise<T>): Promise<T> {
  await tx.sql(LOCK, [projectId]);
  const before = await loginsIn(tx, projectId);
  const result = await change();
  await tx.em.flush();
  const after = await loginsIn(tx, projectId);
  await requireHosts(tx, projectId, openedMore(before, after), FOREVER);
  await requireHosts(tx, projectId, openedMore(after, before), 'now');
  return result;
}

async function loginsIn(tx: Transaction, projectId: string): Promise<Logins> {
  const place = [organizationOf(tx), projectId];
  const hosts = await tx.sql<Host & { id: string }>(HOSTS, place);
  const logins = await tx.sql<{ domain: string; logins: string[] }>(LOGINS, place);
  return {
    hosts: new Map(hosts.map(({ id, ...host }) => [id, host])),
    byDomain: new Map(logins.map(({ domain, logins: its }) => [domain, new Set(its)])),
  };
}

/** The names of the hosts on which somebody may log in by `after` that might not by `before`. */
function openedMore(before: Logins, after: Logins): string[] {
  const none: ReadonlySet<string> = new Set();
  const gaining = new Map(
    [...after.byDomain].map(([domain, logins]) => [domain, isMore(before.byDomain.get(domain) ?? none, logins)]),
  );
  return [...after.hosts].flatMap(([id, { hostname, domain }]) => {
    const known = before.hosts.get(id);
    const isMoved = known !== undefined && known.domain !== domain;
    const isGained = isMoved
      ? isMore(before.byDomain.get(known.domain) ?? none, after.byDomain.get(domain) ?? none)
      : gaining.get(domain);
    return isGained === true ? [hostname] : [];
  });
}

const isMore = (before: ReadonlySet<string>, after: ReadonlySet<string>): boolean =>
  [...after].some((one) => !before.has(one));

const { edit } = projectPermissions('ssh-hosts');

async function requireHosts(
  ctx: Context,
  projectId: string,
  hostnames: readonly string[],
  until: Until,
): Promise<void> {
  if (hostnames.length === 0) return;
  const rules = [{ subject: edit.subject, action: edit.action, conditions: { hostname: { $in: [...hostnames] } } }];
  await requireNoEscalation(ctx, { organizationId: organizationOf(ctx), projectId, until, rules }).catch(explain);
}

/** Without the names of hosts, which the caller may not be permitted to read. */
function explain(error: unknown): never {
  if (!(error instanceof DomainError) || error.code !== 'permission.boundary') throw error;
  const { heldUntil } = error.details as { heldUntil?: Date };
  const why = heldUntil
    ? `which you are permitted to edit only until ${heldUntil.toISOString()}`
    : 'which you are not permitted to edit';
  throw forbidden(
    'permission.boundary',
    `This change gives or takes logins on SSH hosts ${why}. In the principal mode login-user a certificate opens all hosts of the same user authority`,
    {
      name: 'PermissionBoundaryError',
      details: {
        missingPermissions: [{ subject: edit.subject, action: edit.action }],
        ...(heldUntil && { heldUntil }),
      },
    },
  );
}
