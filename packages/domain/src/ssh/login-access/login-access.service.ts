import { actorsOf, visibilityOf } from '../../access-insight/effective-access/index.ts';
import { abilityIn, filterInTurns, grant, organizationOf, readable, unlessHidden } from '../../access/index.ts';
import { badRequest, eventOf, isId, notFound, type Context, type Fields } from '../../kernel/index.ts';
import { requireHost, sshHostPermissions } from '../host/index.ts';
import { sshAccessViewed, type SshLogin, type SshLoginReport, type SshLoginsQuery } from './login-access.ts';
import { GRANTS, LOGINS, OTHER_HOSTS, type GrantRow, type LoginRow, type OtherHostRow } from './rows.ts';

/** How many other hosts of the same authority are named. */
const NAMED = 10;
/** More logins are not listed at once. */
const MOST = 100_000;

/**
 * Who may log in on which SSH hosts, as which user, and why: on one host, of one user or machine identity, or all. What counts is
 * what a certificate opens: mappings on other hosts of the same authority, too. Hosts that the caller may not read are left
 * out, except for its own logins; actors that it may not see are counted.
 *
 * @throws DomainError 404 for a host that the project does not have, 403; 400 `ssh_access.too_many`
 */
export async function listSshLogins(ctx: Context, input: SshLoginsQuery): Promise<SshLoginReport> {
  const { projectId, sshHostId, userId, identityId, loginUser, offset, limit } = input;
  const organizationId = organizationOf(ctx);
  const actorId = userId ?? identityId;
  const ability = await unlessHidden('project', abilityIn(ctx, projectId));
  const isReadable = await hostsFor(ctx, input, actorId);
  const asked = [organizationId, projectId, sshHostId ?? null, actorId ?? null, loginUser ?? null, MOST + 1];
  const isAsked = [actorId, sshHostId].every((id) => id === undefined || isId(id));
  const rows = isAsked ? await ctx.sql<LoginRow>(LOGINS, asked) : [];
  if (rows.length > MOST)
    throw badRequest('ssh_access.too_many', `There are more than ${MOST} logins; name a host, a user or an identity`);
  const onHosts = await filterInTurns(rows, ({ hostname }) => isReadable({ hostname }));

  const visibility = visibilityOf(ctx, { organizationId, projectId }, ability);
  const actors = new Map(
    (await actorsOf(ctx, organizationId, [...new Set(onHosts.map((row) => row.actorId))])).map((one) => [one.id, one]),
  );
  const sees = ({ actorId: id, isMemberByGroup }: LoginRow) => {
    const actor = actors.get(id);
    const grants = [{ groupId: isMemberByGroup ? '' : null }];
    const type = userId !== undefined ? 'user' : identityId !== undefined ? 'identity' : actor?.type;
    return actor !== undefined && actor.type === type && visibility.sees({ actor, grants });
  };
  const seen = await filterInTurns(onHosts, sees);
  const page = seen.slice(offset, offset + limit);
  const why = await reasonsFor(ctx, projectId, page, { isReadable, seesGroups: visibility.seesGroups });
  const data = { sshHostId: sshHostId ?? null, actorId: actorId ?? null, loginUser: loginUser ?? null };
  await ctx.commitRead(eventOf(sshAccessViewed, data, { projectId }), ctx);
  return {
    logins: page.map((row) => ({
      host: { id: row.sshHostId, hostname: row.hostname },
      loginUser: row.loginUser,
      actor: actors.get(row.actorId)!,
      ...why(row),
    })),
    totalCount: seen.length,
    hiddenCount: onHosts.length - seen.length,
  };
}

type HostFilter = (fields: Fields) => boolean;

async function hostsFor(
  ctx: Context,
  { projectId, sshHostId }: SshLoginsQuery,
  actorId: string | undefined,
): Promise<HostFilter> {
  const { read } = sshHostPermissions;
  if ('id' in ctx.actor && ctx.actor.id === actorId) {
    grant(ctx, read);
    return () => true;
  }
  if (sshHostId !== undefined) {
    const host = await requireHost(ctx, sshHostId, read);
    if (host.projectId !== projectId) throw notFound('ssh host');
  }
  return readable(ctx, read, { projectId });
}

const keyOf = ({ sshHostId, loginUser, actorId }: Pick<LoginRow, 'sshHostId' | 'loginUser' | 'actorId'>) =>
  `${sshHostId} ${actorId} ${loginUser}`;

async function reasonsFor(
  ctx: Context,
  projectId: string,
  page: readonly LoginRow[],
  { isReadable, seesGroups }: { isReadable: HostFilter; seesGroups: boolean },
): Promise<(row: LoginRow) => Pick<SshLogin, 'grants' | 'otherHosts'>> {
  const organizationId = organizationOf(ctx);
  const distinct = (of: (row: LoginRow) => string) => [...new Set(page.map(of))];
  const [hostIds, actorIds] = [distinct((row) => row.sshHostId), distinct((row) => row.actorId)];
  const rows = page.length > 0 ? await ctx.sql<GrantRow>(GRANTS, [organizationId, hostIds, actorIds, projectId]) : [];
  const grants = Map.groupBy(rows, keyOf);
  const unmapped = page.filter((row) => !grants.has(keyOf(row)));
  const others =
    unmapped.length > 0
      ? await ctx.sql<OtherHostRow>(OTHER_HOSTS, [
          organizationId,
          projectId,
          unmapped.map((row) => row.sshHostId),
          unmapped.map((row) => row.loginUser),
          unmapped.map((row) => row.actorId),
        ])
      : [];
  const otherHosts = Map.groupBy(await filterInTurns(others, ({ hostname }) => isReadable({ hostname })), keyOf);
  return (row) => ({
    grants: (grants.get(keyOf(row)) ?? []).map(({ hostGroup, group }) => ({
      hostGroup,
      isByGroup: group !== null,
      group: seesGroups ? group : null,
    })),
    otherHosts: (otherHosts.get(keyOf(row)) ?? []).slice(0, NAMED).map(({ id, hostname }) => ({ id, hostname })),
  });
}
