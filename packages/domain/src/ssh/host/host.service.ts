import {
  abilityWithinReach,
  authorize,
  authorizeChange,
  filterInTurns,
  organizationOf,
  readable,
} from '../../access/index.ts';
import {
  givenFields,
  explainConstraint,
  fewIn,
  inTransaction,
  newId,
  record,
  statement,
  type Context,
} from '../../kernel/index.ts';
import { keepingLogins, ownLogins, ownMappings, replaceMappings, type LoginMappings } from '../login/index.ts';
import {
  sshHostCreated,
  sshHostDeleted,
  sshHostPermissions,
  sshHostUpdated,
  type CreateSshHost,
  type SshHost,
  type SshHostRef,
  type UpdateSshHost,
} from './host.ts';
import { requireAgreement } from './agreement.ts';
import { makeDefaultAuthorities, requireMayUseAuthorities } from './authorities.ts';
import { requireMayRenewLonger } from './host-certificate.ts';
import { revokeLostCertificates } from './lost-certificates.ts';
import {
  hostsByIds,
  hostsOfProject,
  lockHost,
  lockPermittedHost,
  requireHost,
  toHost,
  withMappings,
  type HostRow,
} from './stored.ts';

explainConstraint('ssh_hosts_hostname_unique', 'An SSH host with this hostname already exists in the project');
const IN_USE = 'SSH hosts have this certificate authority; give them another one first';
explainConstraint('ssh_hosts_user_ca', IN_USE);
explainConstraint('ssh_hosts_host_ca', IN_USE);
explainConstraint('ssh_hosts_alias_unique', 'An SSH host with this alias already exists in the project');

const requireFewHosts = fewIn('project', {
  table: 'ssh_hosts',
  most: 5_000,
  code: 'ssh_host.too_many',
  of: 'SSH hosts',
});

const INSERT = statement(
  'ssh_hosts.insert',
  `insert into ssh_hosts (id, organization_id, project_id, hostname, alias, user_cert_ttl, host_cert_ttl, principal_mode,
     user_ssh_ca_id, host_ssh_ca_id, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
);
/** Of the settings that may be null, $7 and on say whether they are given. */
const UPDATE = statement(
  'ssh_hosts.update',
  `update ssh_hosts set hostname = $3, alias = $4, user_cert_ttl = $5, host_cert_ttl = $6,
     principal_mode = case when $7 then $8 else principal_mode end,
     user_ssh_ca_id = case when $9 then $10::uuid else user_ssh_ca_id end,
     host_ssh_ca_id = case when $11 then $12::uuid else host_ssh_ca_id end, updated_at = $13
   where organization_id = $1 and id = $2`,
);
const DELETE = statement('ssh_hosts.delete', 'delete from ssh_hosts where organization_id = $1 and id = $2');

const eventData = (row: HostRow, mappings?: LoginMappings) => ({
  sshHostId: row.id,
  hostname: row.hostname,
  alias: row.alias,
  principalMode: row.principalMode,
  userSshCaId: row.userSshCaId,
  hostSshCaId: row.hostSshCaId,
  ...(mappings && { loginMappings: loginNamesOf(mappings) }),
});

/** For events: `deploy: ann@example.com`. */
export const loginNamesOf = (mappings: LoginMappings): string[] =>
  mappings.flatMap(({ loginUser, allowedPrincipals: { usernames, groups } }) =>
    [...usernames, ...groups].map((name) => `${loginUser}: ${name}`),
  );

/**
 * Registers a host. Login mappings need the right to edit every host that they open (see `keepingLogins`).
 *
 * @throws DomainError 404, 403; 400 `ssh_hosts_hostname_unique`, `ssh_hosts_alias_unique`, `ssh_host.too_many`,
 * `ssh_login.unknown_principal`.
 */
export async function createSshHost(ctx: Context, input: CreateSshHost): Promise<SshHost> {
  const { projectId, hostname, loginMappings } = input;
  await authorize(ctx, sshHostPermissions.create, { projectId, hostname });
  return inTransaction(ctx, async (tx) => {
    await makeDefaultAuthorities(tx, projectId);
    return keepingLogins(tx, projectId, async () => {
      const place = { id: newId(), organizationId: organizationOf(tx) };
      await requireMayUseAuthorities(tx, projectId, [input.userSshCaId, input.hostSshCaId]);
      await tx.sql(INSERT, [
        ...[place.id, place.organizationId, projectId, hostname, input.alias || null],
        ...[input.userCertTtl, input.hostCertTtl, input.principalMode ?? null],
        ...[input.userSshCaId ?? null, input.hostSshCaId ?? null, tx.now()],
      ]);
      await requireFewHosts(tx, projectId);
      await replaceMappings(
        tx,
        { organizationId: place.organizationId, projectId, sshHostId: place.id },
        loginMappings,
      );
      const row = await lockHost(tx, place);
      record(tx, sshHostCreated, eventData(row, loginMappings), { projectId });
      return toHost(row, loginMappings);
    });
  });
}

/** @throws DomainError 404, 403 */
export async function getSshHost(ctx: Context, { sshHostId }: SshHostRef): Promise<SshHost> {
  const row = await requireHost(ctx, sshHostId, sshHostPermissions.read);
  return (await withMappings(ctx, [row]))[0]!;
}

/** The hosts of a project that the caller may read, by name. */
export async function listSshHosts(ctx: Context, { projectId }: { projectId: string }): Promise<SshHost[]> {
  const isReadable = await readable(ctx, sshHostPermissions.read, { projectId });
  const rows = await hostsOfProject(ctx, projectId);
  return withMappings(ctx, await filterInTurns(rows, ({ hostname }) => isReadable({ hostname })));
}

/**
 * The hosts on which the caller may log in, in all projects of the organization that trust its address, with the login
 * mappings that are about the caller alone. Needs no further right.
 */
export async function listOwnSshHosts(ctx: Context): Promise<SshHost[]> {
  const byHost = Map.groupBy(await ownLogins(ctx), ({ sshHostId }) => sshHostId);
  const rows = byHost.size > 0 ? await hostsByIds(ctx, [...byHost.keys()]) : [];
  const entered = new Set<string>();
  for (const projectId of new Set(rows.map((row) => row.projectId)))
    if (await abilityWithinReach(ctx, projectId)) entered.add(projectId);
  return rows
    .filter(({ projectId }) => entered.has(projectId))
    .map((row) => toHost(row, ownMappings(ctx, byHost.get(row.id) ?? [])));
}

/**
 * Updates the given fields. Another name, other logins, another authority and another principal mode need the right to edit
 * every host on which somebody gains or loses a login by the change. A longer validity of host certificates that are renewed by
 * themselves needs a permanent right. Host certificates for a former name are revoked.
 *
 * @throws DomainError 404, 403; 400 as `createSshHost`.
 */
export async function updateSshHost(ctx: Context, input: UpdateSshHost): Promise<SshHost> {
  const seen = await requireHost(ctx, input.sshHostId, sshHostPermissions.edit);
  const { organizationId, projectId } = seen;
  return inTransaction(ctx, (tx) =>
    keepingLogins(tx, projectId, async () => {
      const present = await lockHost(tx, seen);
      const hostname = input.hostname ?? present.hostname;
      await authorizeChange(tx, sshHostPermissions, {
        projectId,
        before: { hostname: present.hostname },
        after: { hostname },
      });
      await requireMayUseAuthorities(tx, projectId, [input.userSshCaId, input.hostSshCaId]);
      await requireMayRenewLonger(tx, present, input);
      await tx.sql(UPDATE, [
        ...[organizationId, present.id, hostname],
        input.alias === undefined ? present.alias : input.alias || null,
        ...[input.userCertTtl ?? present.userCertTtl, input.hostCertTtl ?? present.hostCertTtl],
        ...[input.principalMode !== undefined, input.principalMode ?? null],
        ...[input.userSshCaId !== undefined, input.userSshCaId ?? null],
        ...[input.hostSshCaId !== undefined, input.hostSshCaId ?? null, tx.now()],
      ]);
      if (hostname !== present.hostname) await revokeLostCertificates(tx, present);
      if (input.loginMappings)
        await replaceMappings(tx, { organizationId, projectId, sshHostId: present.id }, input.loginMappings);
      await requireAgreement(tx, { organizationId, sshHostId: present.id });
      const row = await lockHost(tx, present);
      const { sshHostId: _, ...changes } = input;
      const data = { ...eventData(row, input.loginMappings), changed: givenFields(changes) };
      record(tx, sshHostUpdated, data, { projectId });
      return (await withMappings(tx, [row]))[0]!;
    }),
  );
}

/**
 * Deletes a host with its login mappings. Its certificates are revoked. What its mappings gave on other hosts needs the right
 * to edit these (see `keepingLogins`); for those on the host itself, the right to delete it is enough.
 *
 * @throws DomainError 404; 403, also if a rule forbids the caller to revoke its certificates.
 */
export async function deleteSshHost(ctx: Context, { sshHostId }: SshHostRef): Promise<SshHost> {
  const seen = await requireHost(ctx, sshHostId, sshHostPermissions.delete);
  return inTransaction(ctx, (tx) =>
    keepingLogins(
      tx,
      seen.projectId,
      async () => {
        const row = await lockPermittedHost(tx, seen, sshHostPermissions.delete);
        const [host] = await withMappings(tx, [row]);
        await tx.sql(DELETE, [row.organizationId, row.id]);
        await revokeLostCertificates(tx, row);
        record(tx, sshHostDeleted, { sshHostId: row.id, hostname: row.hostname }, { projectId: row.projectId });
        return host!;
      },
      { deletedHostId: seen.id },
    ),
  );
}
