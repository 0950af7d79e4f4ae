import {
  abilityIn,
  authorize,
  organizationOf,
  projectPermissions,
  readable,
  requireMayRemove,
} from '../../access/index.ts';
import {
  givenFields,
  fewIn,
  invalidate,
  inTransaction,
  isId,
  newId,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { requireMayEndAuthority, requireMayStartAuthority } from '../login/index.ts';
import { fingerprintOf } from '../ssh.ts';
import {
  sshAuthorityCreated,
  sshAuthorityDeleted,
  sshAuthorityPermissions,
  sshAuthorityUpdated,
  type CreateSshAuthority,
  type ListedSshAuthority,
  type SshAuthority,
  type SshAuthorityRef,
  type UpdateSshAuthority,
} from './authority.ts';
import { findSshAuthority, lockSshAuthority, requireSshAuthority } from './find.ts';
import { keyOfAuthority } from './key.ts';
import { retireSshKeys } from './retire.ts';
import { sshTagOf } from './signer.ts';
import {
  addSshKey,
  AUTHORITY_COLUMNS,
  signing,
  toListedSshAuthority,
  toSshAuthority,
  type SshAuthorityRow,
  type SshCaKey,
} from './stored.ts';

const requireFewAuthorities = fewIn('project', {
  table: 'ssh_certificate_authorities',
  most: 1_000,
  code: 'ssh_authority.too_many',
  of: 'SSH certificate authorities',
});

/**
 * Creates an authority with a new or an imported key.
 *
 * @throws DomainError 404, 403; 400 as `keyOfAuthority`, `ssh_authority.too_many`.
 */
export async function createSshAuthority(ctx: Context, input: CreateSshAuthority): Promise<SshAuthority> {
  const { projectId, friendlyName, ...order } = input;
  await authorize(ctx, sshAuthorityPermissions.create, { projectId });
  const key = await keyOfAuthority(ctx, order);
  return inTransaction(ctx, async (tx) => toSshAuthority(await addSshAuthority(tx, { projectId, friendlyName, key })));
}

const ADD = statement(
  'ssh_certificate_authorities.add',
  `insert into ssh_certificate_authorities (id, organization_id, project_id, friendly_name, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $5)`,
);

/** Stores a new authority with its key. The rights of the caller are not checked. */
export async function addSshAuthority(
  tx: Transaction,
  { projectId, friendlyName, key }: { projectId: string; friendlyName: string; key: SshCaKey },
): Promise<SshAuthorityRow> {
  const owner = { id: newId(), organizationId: organizationOf(tx), projectId };
  await tx.sql(ADD, [owner.id, owner.organizationId, projectId, friendlyName, tx.now()]);
  await requireFewAuthorities(tx, projectId);
  await addSshKey(tx, owner, key, tx.now());
  const { keyAlgorithm, keySource } = key;
  const of = { sshCaId: owner.id, friendlyName, keyAlgorithm, keySource, fingerprint: fingerprintOf(key.publicKey) };
  record(tx, sshAuthorityCreated, of, { projectId });
  return findSshAuthority(tx, owner.id);
}

const OF_PROJECT = statement(
  'ssh_certificate_authorities.of_project',
  `select ${AUTHORITY_COLUMNS} from ${signing('$3')}
   where a.organization_id = $1 and a.project_id = $2 order by a.friendly_name, a.id`,
);

/** The authorities of a project, if the caller may read them. */
export async function listSshAuthorities(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<ListedSshAuthority[]> {
  const mayRead = await readable(ctx, sshAuthorityPermissions.read, { projectId });
  if (!mayRead({}) || !isId(projectId)) return [];
  const rows = await ctx.sql<SshAuthorityRow>(OF_PROJECT, [organizationOf(ctx), projectId, ctx.now()]);
  return rows.map(toListedSshAuthority);
}

/** @throws DomainError 404, 403 */
export const getSshAuthority = async (ctx: Context, { sshCaId }: SshAuthorityRef): Promise<SshAuthority> =>
  toSshAuthority(await requireSshAuthority(ctx, sshCaId, sshAuthorityPermissions.read));

const UPDATE = statement(
  'ssh_certificate_authorities.update',
  `update ssh_certificate_authorities
   set friendly_name = coalesce($2, friendly_name), status = coalesce($3, status), updated_at = $4 where id = $1`,
);

const mayBecome = { active: requireMayStartAuthority, disabled: requireMayEndAuthority };

/**
 * Renames, disables or enables an authority. To disable it ends the logins on the hosts that trust it, and to enable it gives
 * them.
 *
 * @throws DomainError 404; 403, also for that if the caller may not edit these hosts.
 */
export async function updateSshAuthority(ctx: Context, input: UpdateSshAuthority): Promise<SshAuthority> {
  const { id, projectId } = await requireSshAuthority(ctx, input.sshCaId, sshAuthorityPermissions.edit);
  return inTransaction(ctx, async (tx) => {
    const before = await lockSshAuthority(tx, id);
    if (input.status !== undefined && input.status !== before.status)
      await mayBecome[input.status](tx, { projectId, sshCaId: id });
    await tx.sql(UPDATE, [id, input.friendlyName ?? null, input.status ?? null, tx.now()]);
    invalidate(tx, sshTagOf(id));
    const row = await findSshAuthority(tx, id);
    const { friendlyName, status } = row;
    const { sshCaId, ...changes } = input;
    record(tx, sshAuthorityUpdated, { sshCaId, friendlyName, status, changed: givenFields(changes) }, { projectId });
    return toSshAuthority(row);
  });
}

const TEMPLATES = statement(
  'ssh_certificate_templates.of_deleted',
  'select from ssh_certificate_templates where ca_id = $1 limit 1',
);
const VALID = statement(
  'ssh_certificates.of_deleted',
  'select from ssh_certificates where ca_id = $1 and revoked_at is null and not_after > $2 limit 1',
);

/** Checks that no rule forbids the caller to delete what is deleted or revoked with an authority. @throws DomainError 403 */
async function requireMayRemoveAll(tx: Transaction, { id, projectId }: SshAuthorityRow): Promise<void> {
  const ability = await abilityIn(tx, projectId);
  type Nothing = Record<string, never>;
  const templates = await tx.sql<Nothing>(TEMPLATES, [id]);
  const valid = await tx.sql<Nothing>(VALID, [id, tx.now()]);
  await requireMayRemove(ability, projectPermissions('ssh-certificate-templates').delete, projectId, templates);
  await requireMayRemove(ability, projectPermissions('ssh-certificates').delete, projectId, valid);
}

const DELETE = statement('ssh_certificate_authorities.delete', 'delete from ssh_certificate_authorities where id = $1');

/**
 * Deletes an authority with its keys and templates. Its revocation list stays, and revokes everything that the keys have
 * signed: logins of others on the hosts that trust it, too.
 *
 * @throws DomainError 404; 403, also if hosts trust it that the caller may not edit, or a rule forbids them to delete its templates, or
 * to revoke certificates.
 */
export async function deleteSshAuthority(ctx: Context, { sshCaId }: SshAuthorityRef): Promise<ListedSshAuthority> {
  const { id } = await requireSshAuthority(ctx, sshCaId, sshAuthorityPermissions.delete);
  return inTransaction(ctx, async (tx) => {
    const row = await lockSshAuthority(tx, id);
    await requireMayEndAuthority(tx, { projectId: row.projectId, sshCaId: id });
    await requireMayRemoveAll(tx, row);
    await deleteLocked(tx, row);
    return toListedSshAuthority(row);
  });
}

async function deleteLocked(tx: Transaction, row: SshAuthorityRow): Promise<void> {
  const { id, friendlyName, projectId } = row;
  await retireSshKeys(tx, row);
  await tx.sql(DELETE, [id]);
  record(tx, sshAuthorityDeleted, { sshCaId: id, friendlyName }, { projectId });
}

const TO_DELETE = statement(
  'ssh_certificate_authorities.to_delete',
  'select id from ssh_certificate_authorities where organization_id = $1 and project_id = $2 order by id',
);

/** The same for all authorities of a project that is being deleted. */
export async function deleteSshAuthoritiesOf(
  tx: Transaction,
  { organizationId, projectId }: { organizationId: string; projectId: string },
): Promise<void> {
  for (const { id } of await tx.sql<{ id: string }>(TO_DELETE, [organizationId, projectId]))
    await deleteLocked(tx, await lockSshAuthority(tx, id));
}
