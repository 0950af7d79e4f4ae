import { authorize, requireLasting } from '../../access/index.ts';
import { conflict, notFound, parseDuration, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { defineRenewal, type Due } from '../../pki/renewal/index.ts';
import { defaultSshAuthorities, getSshPublicKeys, sshSignerOf } from '../authority/index.ts';
import { issueSshCertificate, type SignedSshKey } from '../certificate/index.ts';
import { HAS_SUCCESSOR, NEWEST_HOST_CERTIFICATE } from '../login/index.ts';
import { keyOfCertificate, lineOf, readPublicKey } from '../ssh.ts';
import { sshHostPermissions, type IssueSshHostCertificate, type SshHostRef, type UpdateSshHost } from './host.ts';
import { findHost, findPublicHost, requireHost, type HostRow } from './stored.ts';

/** By these a certificate is stored only for a host with the name in it: whoever changes the host waits, or was waited for. */
const KEEP_NAME = statement(
  'ssh_hosts.keep_name',
  'select id from ssh_hosts where organization_id = $1 and id = $2 and hostname = $3 for no key update',
);
const SET_KEY = statement(
  'ssh_hosts.set_public_key',
  'update ssh_hosts set host_public_key = $3 where organization_id = $1 and id = $2',
);
/** The certificate that a host has, or gets again by itself. */
const PRESENT = statement(
  'ssh_hosts.present_certificate',
  `select t.host_public_key as "publicKey", c.body from ssh_hosts t cross join lateral (select c.* ${NEWEST_HOST_CERTIFICATE}) c
   where t.organization_id = $1 and t.id = $2 and c.revoked_at is null and c.principals = array[t.hostname]
     and (t.host_public_key is not null or c.not_after > $3)`,
);
const KEEP_FOR_RENEWAL = statement(
  'ssh_hosts.keep_for_renewal',
  `select id from ssh_hosts where organization_id = $1 and id = $2 and hostname = $3 and host_public_key = $4
   for no key update`,
);
/** Of the newest certificate of a host: whoever revokes it waits, or was waited for. */
const KEEP_RENEWED = statement(
  'ssh_hosts.keep_renewed_certificate',
  `select from ssh_certificates r where r.id = $2 and r.revoked_at is null
     and r.id = (select n.id from ssh_hosts t cross join lateral (select c.id ${NEWEST_HOST_CERTIFICATE}) n where t.id = $1)
   for share`,
);
const PUBLIC_KEY = statement(
  'ssh_hosts.public_key',
  'select host_public_key as "publicKey" from ssh_hosts where organization_id = $1 and id = $2',
);
const TO_RENEW = statement(
  'ssh_hosts.to_renew',
  `select t.host_public_key as "publicKey", (select c.id ${NEWEST_HOST_CERTIFICATE}) as "certificateId"
   from ssh_hosts t where t.organization_id = $1 and t.id = $2`,
);

/**
 * Issues a certificate for the key of a host, with its name as the only principal. Unless `autoRenewal` is off, later ones
 * for the same key and name follow by themselves, in the last third of its time or after a rotation of the authority.
 *
 * @throws DomainError 404, 403, also by a right that ends unless `autoRenewal` is off, and as `requireMaySucceed`; 400
 * `ssh_authority.disabled`, and as `readPublicKey`.
 */
export async function issueSshHostCertificate(ctx: Context, input: IssueSshHostCertificate): Promise<SignedSshKey> {
  const permission = sshHostPermissions['issue-host-cert'];
  const host = await requireHost(ctx, input.sshHostId, permission);
  const { projectId, hostname } = host;
  if (input.autoRenewal) await requireLasting(ctx, projectId, { permission, fields: { projectId, hostname } });
  const { blob } = readPublicKey(input.publicKey);
  const line = lineOf(blob);
  const publicKey = input.autoRenewal ? line : null;
  return issueFor(ctx, host, line, async (tx, named) => {
    const kept = await tx.sql(KEEP_NAME, named);
    await requireMaySucceed(tx, host, { line, publicKey });
    await tx.sql(SET_KEY, [host.organizationId, host.id, publicKey]);
    return kept;
  });
}

/**
 * The right to issue certificates of a host gives it the first one, and further ones for its key. A certificate for another key
 * takes the place of the one that the host has, and one without renewal ends that of the one before: this takes the right to edit the
 * host, whose row is locked.
 *
 * @throws DomainError 403
 */
async function requireMaySucceed(
  tx: Transaction,
  { id, organizationId, projectId, hostname }: HostRow,
  next: { readonly line: string; readonly publicKey: string | null },
): Promise<void> {
  type Present = { publicKey: string | null; body: Buffer };
  const [present] = await tx.sql<Present>(PRESENT, [organizationId, id, tx.now()]);
  if (!present) return;
  const isSameKey = next.line === (present.publicKey ?? lineOf(keyOfCertificate(present.body)));
  if (isSameKey && (next.publicKey !== null || present.publicKey === null)) return;
  await authorize(tx, sshHostPermissions.edit, { projectId, hostname });
}

/** Checks that the caller may lengthen the validity of host certificates that are renewed by themselves. @throws DomainError 403 */
export async function requireMayRenewLonger(
  ctx: Context,
  { id, organizationId, projectId, hostname, hostCertTtl }: HostRow,
  after: UpdateSshHost,
): Promise<void> {
  if (after.hostCertTtl === undefined || parseDuration(after.hostCertTtl)! <= parseDuration(hostCertTtl)!) return;
  const [row] = await ctx.sql<{ publicKey: string | null }>(PUBLIC_KEY, [organizationId, id]);
  if (row?.publicKey)
    await requireLasting(ctx, projectId, { permission: sshHostPermissions.edit, fields: { projectId, hostname } });
}

async function issueFor(
  ctx: Context,
  host: HostRow,
  publicKey: string,
  keep: (tx: Transaction, named: readonly string[]) => Promise<readonly unknown[]>,
): Promise<SignedSshKey> {
  const hostSshCaId = host.hostSshCaId ?? (await defaultSshAuthorities(ctx, host.projectId)).hostSshCaId;
  const order = {
    certType: 'host' as const,
    principals: [host.hostname],
    keyId: host.hostname,
    ttl: parseDuration(host.hostCertTtl)!,
    criticalOptions: {},
    extensions: {},
    key: { publicKey: readPublicKey(publicKey) },
    host: { id: host.id, ttl: host.hostCertTtl },
  };
  const signer = await sshSignerOf(ctx, hostSshCaId);
  const { serialNumber, signedKey } = await issueSshCertificate(ctx, signer, order, async (tx) => {
    const kept = await keep(tx, [host.organizationId, host.id, host.hostname]);
    if (kept.length === 0)
      throw conflict('ssh_host.renamed', 'The host was renamed or deleted in the meantime; try again');
  });
  return { serialNumber, signedKey };
}

/** Due in the last third of its time, and as soon as another key of the authority signs. */
const renewal = defineRenewal({
  name: 'ssh_host_certificate',
  table: 'ssh_hosts',
  isDue: `${HAS_SUCCESSOR} and (select c.not_after - (c.not_after - c.not_before) / 3 <= $1
    or exists (select from ssh_ca_keys k where k.id = c.ca_key_id and k.signs_until <= $1) ${NEWEST_HOST_CERTIFICATE})`,
  order: 't.id',
  schedule: '8,18,28,38,48,58 * * * *',
  renew,
});
export const {
  renewJob: renewSshHostCertificateJob,
  findJob: dueSshHostCertificates,
  enqueueDue: enqueueDueSshHostCertificates,
} = renewal;

/** Renews nothing once the host has another key, or its certificate is revoked or renewed. */
async function renew(ctx: Context, { id, organizationId }: Due): Promise<void> {
  const [row] = await ctx.sql<{ publicKey: string | null; certificateId: string }>(TO_RENEW, [organizationId, id]);
  if (!row?.publicKey) return;
  const { publicKey, certificateId } = row;
  await issueFor(ctx, await findHost(ctx, id), publicKey, async (tx, named) => {
    const kept = await tx.sql(KEEP_FOR_RENEWAL, [...named, publicKey]);
    return kept.length === 0 ? kept : tx.sql(KEEP_RENEWED, [id, certificateId]);
  });
}

const CURRENT = statement(
  'ssh_hosts.certificate',
  `select c.body, c.key_id as "keyId", c.serial_number::text as "serialNumber"
   from ssh_hosts t cross join lateral (select c.* ${NEWEST_HOST_CERTIFICATE}) c
   where t.id = $1 and c.revoked_at is null and c.not_after > $2`,
);

/** A public text, and the tag of its version. */
export interface PublicText {
  readonly text: string;
  readonly etag: string;
}

/**
 * The newest certificate of a host, if it is valid: what the host shows to every client, and can fetch without a credential
 * after a renewal.
 *
 * @throws DomainError 404
 */
export async function getSshHostCertificate(ctx: Context, { sshHostId }: SshHostRef): Promise<PublicText> {
  const { id } = await findPublicHost(ctx, sshHostId);
  const [row] = await ctx.sql<{ body: Buffer; keyId: string; serialNumber: string }>(CURRENT, [id, ctx.now()]);
  if (!row) throw notFound('ssh host certificate');
  return { text: `${lineOf(row.body, row.keyId)}\n`, etag: `"${row.serialNumber}"` };
}

/** The public keys of the authority of its user certificates, for `TrustedUserCAKeys`. @throws DomainError 404 */
export const getUserCaPublicKeys = (ctx: Context, ref: SshHostRef): Promise<PublicText> =>
  publicKeysOf(ctx, ref, ({ userSshCaId }) => userSshCaId);

/** The same of its host certificates, for `known_hosts`. @throws DomainError 404 */
export const getHostCaPublicKeys = (ctx: Context, ref: SshHostRef): Promise<PublicText> =>
  publicKeysOf(ctx, ref, ({ hostSshCaId }) => hostSshCaId);

async function publicKeysOf(
  ctx: Context,
  { sshHostId }: SshHostRef,
  which: (host: HostRow) => string | null,
): Promise<PublicText> {
  const sshCaId = which(await findPublicHost(ctx, sshHostId));
  if (sshCaId === null) throw notFound('ssh certificate authority');
  return getSshPublicKeys(ctx, { sshCaId });
}
