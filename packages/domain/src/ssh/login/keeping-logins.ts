import { FOREVER, organizationOf, projectPermissions, requireNoEscalation, type Until } from '../../access/index.ts';
import {
  DAY,
  DomainError,
  forbidden,
  parseDuration,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { endingLogins } from './ended-login.ts';
import { HAS_SUCCESSOR } from './successor.ts';

const LOCK = statement('ssh_logins.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 65))');

/** Every host of a project with its groups, and which hosts accept the same certificates: those of one domain. */
const HOSTS = statement(
  'ssh_logins.hosts',
  `select s.ssh_host_id as id, s.hostname, s.login_domain as domain, s.user_ssh_ca_id as "userSshCaId",
     s.host_ssh_ca_id as "hostSshCaId", (select h.user_cert_ttl from ssh_hosts h where h.id = s.ssh_host_id) as ttl,
     array(select m.ssh_host_group_id::text from ssh_host_group_memberships m where m.ssh_host_id = s.ssh_host_id) as groups
   from ssh_host_settings s where s.organization_id = $1 and s.project_id = $2`,
);
/** Who is mapped to which login user, for each host and host group. */
const LOGINS = statement(
  'ssh_logins.by_place',
  `select coalesce(u.ssh_host_id, u.ssh_host_group_id) as place, array_agg(m.membership_id || ' ' || u.login_user) as logins
   from ssh_login_mappings m cross join lateral (
     select u.ssh_host_id, u.ssh_host_group_id, u.login_user from ssh_login_users u where u.id = m.login_user_id offset 0
   ) u where m.organization_id = $1 and m.project_id = $2 group by 1`,
);

interface Host {
  readonly hostname: string;
  readonly domain: string;
  /** The authority whose user certificates it accepts; `null` until the defaults of the project are made. */
  readonly userSshCaId: string | null;
  /** The authority by whose host certificates clients recognize it; `null` likewise. */
  readonly hostSshCaId: string | null;
  /** Of user certificates, in milliseconds. */
  readonly ttl: number;
  /** Where its login mappings are: the host itself and its groups. */
  readonly places: ReadonlySet<string>;
}

interface HostRow {
  readonly id: string;
  readonly hostname: string;
  readonly domain: string;
  readonly userSshCaId: string | null;
  readonly hostSshCaId: string | null;
  readonly ttl: string;
  readonly groups: readonly string[];
}

/** The logins of a project at one instant. */
interface Logins {
  readonly hosts: ReadonlyMap<string, Host>;
  readonly byPlace: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Runs a change of who may log in on the hosts of a project: of login mappings, of the hosts in a group, of authorities and
 * principal modes. A login is worth as much as the right to edit the host, which can give it: whoever gives one, to others or
 * to themselves, must be permitted to edit all hosts that the certificates for it open, as long as it lasts; whoever takes
 * one, now. Compared is what holds before and after, so no way of changing it is left out. What somebody has by another
 * mapping already counts as given, since it would outlast that one, and so does a longer validity. No rule may forbid the caller to
 * revoke the certificates of logins that end. Changes of one project wait for each other.
 *
 * @param deletedHostId A host that the change deletes: the logins on this host itself end by the right to delete it.
 * @throws DomainError 403 `PermissionBoundaryError`, `PermissionDenied`
 */
export async function keepingLogins<T>(
  tx: Transaction,
  projectId: string,
  change: () => Promise<T>,
  { deletedHostId }: { deletedHostId?: string } = {},
): Promise<T> {
  await lockLogins(tx, projectId);
  const before = await loginsIn(tx, projectId);
  const requireMayEnd = await endingLogins(tx, projectId, organizationOf(tx));
  const result = await change();
  await tx.em.flush();
  const after = await loginsIn(tx, projectId);
  const opened = [...openedMore(before, after, isLonger), ...acceptingOthers(before, after)];
  await requireHosts(tx, projectId, opened, FOREVER);
  const deleted = deletedHostId === undefined ? undefined : before.hosts.get(deletedHostId)?.hostname;
  const closed = openedMore(after, before).filter((hostname) => hostname !== deleted);
  await requireHosts(tx, projectId, closed, 'now');
  await requireMayEnd();
  return result;
}

/** Changes of who may log in on the hosts of a project wait for the end of this transaction. */
export async function lockLogins(tx: Transaction, projectId: string): Promise<void> {
  await tx.sql(LOCK, [projectId]);
}

async function loginsIn(tx: Transaction, projectId: string): Promise<Logins> {
  const project = [organizationOf(tx), projectId];
  const hosts = await tx.sql<HostRow>(HOSTS, project);
  const logins = await tx.sql<{ place: string; logins: string[] }>(LOGINS, project);
  return {
    hosts: new Map(
      hosts.map(({ id, ttl, groups, ...host }) => [
        id,
        { ...host, ttl: parseDuration(ttl)!, places: new Set([id, ...groups]) },
      ]),
    ),
    byPlace: new Map(logins.map(({ place, logins: its }) => [place, new Set(its)])),
  };
}

/**
 * The names of the hosts that accept other certificates than before, of another authority or with other principals, with login
 * mappings or without, or are recognized by those of another authority: whoever has its key or its templates can open them, or be
 * taken for them.
 */
const acceptingOthers = (before: Logins, after: Logins): string[] =>
  [...after.hosts].flatMap(([id, { hostname, domain, userSshCaId, hostSshCaId }]) => {
    const known = before.hosts.get(id);
    const isSame = known?.domain === domain && known.userSshCaId === userSshCaId && known.hostSshCaId === hostSshCaId;
    return known && !isSame ? [hostname] : [];
  });

const isLonger = (before: Host, after: Host): boolean => after.ttl > before.ttl;

/**
 * The names of the hosts on which somebody may log in by `after` that might not by `before`, or not by this mapping, or with
 * certificates of a host that gives more.
 */
function openedMore(
  before: Logins,
  after: Logins,
  givesMore: (before: Host, after: Host) => boolean = () => false,
): string[] {
  const none: ReadonlySet<string> = new Set();
  const hasMore = new Map(
    [...after.byPlace].map(([place, its]) => {
      const had = before.byPlace.get(place) ?? none;
      return [place, [...its].some((login) => !had.has(login))];
    }),
  );
  const [opened, gaining] = [new Set<string>(), new Set<string>()];
  for (const [id, host] of after.hosts) {
    const { domain, places } = host;
    const known = before.hosts.get(id);
    const isSame = known?.domain === domain && !givesMore(known, host);
    for (const place of places) {
      if (!after.byPlace.has(place)) continue;
      opened.add(domain);
      if (!isSame || !known.places.has(place) || hasMore.get(place)) gaining.add(domain);
    }
  }
  return [...after.hosts].flatMap(([id, { hostname, domain }]) => {
    const known = before.hosts.get(id);
    const isMoved = known !== undefined && known.domain !== domain;
    return gaining.has(domain) || (isMoved && opened.has(domain)) ? [hostname] : [];
  });
}

const { edit } = projectPermissions('ssh-hosts');

/** The hosts that trust an authority for logins, with the validity of the certificates for them, */
const TRUSTING = statement(
  'ssh_logins.trusting',
  `select s.hostname, (select h.user_cert_ttl from ssh_hosts h where h.id = s.ssh_host_id) as ttl from ssh_host_settings s
   where s.organization_id = $1 and s.project_id = $2 and s.user_ssh_ca_id = $3`,
);
/** and those that clients recognize by its host certificates. */
const RECOGNIZED = statement(
  'ssh_logins.recognized',
  `select s.hostname, (select h.host_cert_ttl from ssh_hosts h where h.id = s.ssh_host_id) as ttl from ssh_host_settings s
   where s.organization_id = $1 and s.project_id = $2 and s.host_ssh_ca_id = $3`,
);

interface AuthorityOfHosts {
  readonly projectId: string;
  readonly sshCaId: string;
}

/**
 * Checks that the caller may edit all hosts that clients recognize by an authority: what lets others have host certificates of
 * it with any name lets them be taken for any of these hosts.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export const requireMayNameHosts = (ctx: Context, authority: AuthorityOfHosts): Promise<void> =>
  requireHostsOf(ctx, RECOGNIZED, authority, { until: FOREVER });

/**
 * Checks that the caller may give logins on all hosts that trust an authority: what lets others have certificates of it with
 * any principals does so, past all login mappings.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export const requireMayOpenHosts = (ctx: Context, authority: AuthorityOfHosts): Promise<void> =>
  requireHostsOf(ctx, TRUSTING, authority, { until: FOREVER });

/** Hosts with a certificate that is valid for longer, unless they get another one in time. */
const RECOGNIZED_LONGER = statement(
  'ssh_logins.recognized_longer',
  `select s.hostname from ssh_host_settings s join ssh_hosts t on t.id = s.ssh_host_id
   where s.organization_id = $1 and s.project_id = $2 and s.host_ssh_ca_id = $3
     and not ($4::timestamptz >= $5::timestamptz and ${HAS_SUCCESSOR}
       and exists (select from ssh_certificate_authorities a where a.id = $3 and a.status = 'active'))
     and exists (select from ssh_certificates c where c.ssh_host_id = t.id and c.cert_type = 'host'
       and c.revoked_at is null and c.not_after > $4)`,
);

const longer = (kind: string) => `exists (
  select from ssh_certificates c join ssh_ca_keys k on k.id = c.ca_key_id and (k.trusted_until is null or k.trusted_until > $4)
  where c.ca_id = $3 and c.revoked_at is null and c.not_after > $4 and ${kind})`;
/**
 * Hosts of an authority whose certificates are valid after $4: user certificates, whatever validity hosts set now, and
 * certificates by templates, which can name any principals and hosts.
 */
const HELD_LONGER = statement(
  'ssh_logins.held_longer',
  `select s.hostname from ssh_host_settings s where s.organization_id = $1 and s.project_id = $2
     and (s.user_ssh_ca_id = $3 and ${longer("c.cert_type = 'user'")}
       or s.host_ssh_ca_id = $3 and ${longer("c.cert_type = 'host' and c.ssh_host_id is null")})`,
);

/** Milliseconds in which hosts fetch the certificates that are renewed for them. */
const FETCHED_WITHIN = DAY;

/**
 * Checks that the caller may replace the key of an authority, which is trusted until then: may take the logins and the host
 * certificates that end by it. A day is enough for certificates that are renewed by themselves.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export async function requireMayReplaceKey(
  ctx: Context,
  authority: AuthorityOfHosts,
  { from, until }: { from: Date; until: Date },
): Promise<void> {
  const { projectId, sshCaId } = authority;
  await requireHostsOf(ctx, TRUSTING, authority, { until: 'now', longerThan: until.getTime() - from.getTime() });
  const renewed = new Date(from.getTime() + FETCHED_WITHIN);
  const place = [organizationOf(ctx), projectId, sshCaId];
  const rows = [
    ...(await ctx.sql<{ hostname: string }>(RECOGNIZED_LONGER, [...place, until, renewed])),
    ...(await ctx.sql<{ hostname: string }>(HELD_LONGER, [...place, until])),
  ];
  await requireHosts(ctx, projectId, [...new Set(rows.map(({ hostname }) => hostname))], 'now');
}

/**
 * Checks that the caller may start an authority again: whoever does so gives the logins and names that its templates and
 * the mappings of its hosts give.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export async function requireMayStartAuthority(ctx: Context, authority: AuthorityOfHosts): Promise<void> {
  await requireMayOpenHosts(ctx, authority);
  await requireMayNameHosts(ctx, authority);
}

/**
 * Checks that the caller may delete or disable an authority: may take the logins on all hosts that trust it, and the names of
 * those that are recognized by it.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export async function requireMayEndAuthority(ctx: Context, authority: AuthorityOfHosts): Promise<void> {
  for (const hosts of [TRUSTING, RECOGNIZED]) await requireHostsOf(ctx, hosts, authority, { until: 'now' });
}

async function requireHostsOf(
  ctx: Context,
  hosts: typeof TRUSTING,
  { projectId, sshCaId }: AuthorityOfHosts,
  { until, longerThan = 0 }: { until: Until; longerThan?: number },
): Promise<void> {
  const rows = await ctx.sql<{ hostname: string; ttl: string }>(hosts, [organizationOf(ctx), projectId, sshCaId]);
  const hostnames = rows.flatMap(({ hostname, ttl }) => (parseDuration(ttl)! > longerThan ? [hostname] : []));
  await requireHosts(ctx, projectId, hostnames, until);
}

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
    `This change gives or takes logins on SSH hosts, or their names, ${why}. In the principal mode login-user a certificate opens all hosts of the same user authority`,
    {
      name: 'PermissionBoundaryError',
      details: {
        missingPermissions: [{ subject: edit.subject, action: edit.action }],
        ...(heldUntil && { heldUntil }),
      },
    },
  );
}
