import { at, etagOf, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import { SSH_AUTHORITY, sshTagOf, type SshAuthorityRef } from '../authority/index.ts';
import { writeKrl } from '../ssh.ts';

/** A list as hosts fetch it. */
export interface SshRevocationListFile {
  readonly body: Buffer;
  readonly etag: string;
}

interface KeyRow {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly since: string;
  readonly isRetired: boolean;
}
const KEYS = statement(
  'ssh_ca_keys.of_list',
  `select id, public_key as "publicKey", created_at as since, false as "isRetired" from ssh_ca_keys where ca_id = $1
   union all
   select id, public_key, retired_at, true from ssh_retired_ca_keys where ca_id = $1
   order by since, id`,
);

interface RevokedRow {
  readonly caKeyId: string;
  readonly serialNumbers: Buffer | null;
  readonly revokedAt: string;
}
/** Serial numbers of what has not expired, 8 octets each, in ascending order. */
const REVOKED = statement(
  'ssh_certificates.revoked',
  `select ca_key_id as "caKeyId", max(revoked_at) as "revokedAt",
     string_agg(int8send(serial_number), ''::bytea order by serial_number) filter (where not_after > $2) as "serialNumbers"
   from ssh_certificates where ca_key_id = any ($1) and revoked_at is not null group by ca_key_id`,
);

/** How long a list is cached in milliseconds; a revocation invalidates it. */
const AGE = 60_000;
/** Longer lists are not cached, in octets: everybody can ask for them. */
const MAX_CACHED = 65_536;

/**
 * The revocation list of an authority in the form of OpenSSH (KRL), for `RevokedKeys` of hosts. Everybody may read it.
 * That of a deleted authority revokes its keys, and with them everything that they have signed.
 *
 * @throws DomainError 404
 */
export async function getSshRevocationList(ctx: Context, { sshCaId }: SshAuthorityRef): Promise<SshRevocationListFile> {
  if (!isId(sshCaId)) throw notFound(SSH_AUTHORITY);
  const now = ctx.now().getTime();
  let made: SshRevocationListFile | undefined;
  const cached = await ctx.signers.load(`ssh-krl:${sshCaId}`, now, async () => {
    made = await makeList(ctx, sshCaId);
    if (!made || made.body.length > MAX_CACHED) return undefined;
    return { value: made, tags: [sshTagOf(sshCaId)], until: now + AGE };
  });
  const list = (cached as SshRevocationListFile | undefined) ?? made;
  if (!list) throw notFound(SSH_AUTHORITY);
  return list;
}

async function makeList(ctx: Context, sshCaId: string): Promise<SshRevocationListFile | undefined> {
  const keys = await ctx.sql<KeyRow>(KEYS, [sshCaId]);
  if (keys.length === 0) return undefined;
  const rows = await ctx.sql<RevokedRow>(REVOKED, [keys.map(({ id }) => id), ctx.now()]);
  const changes = [...keys.map(({ since }) => since), ...rows.map(({ revokedAt }) => revokedAt)];
  const changedAt = Math.max(...changes.map((time) => at(time).getTime()));
  const revokedOf = new Map(rows.map((row) => [row.caKeyId, row.serialNumbers]));
  const body = writeKrl({
    version: BigInt(changedAt),
    generatedAt: new Date(changedAt),
    comment: sshCaId,
    certificates: keys.map(({ id, publicKey }) => ({
      issuer: publicKey,
      serialNumbers: revokedOf.get(id) ?? Buffer.of(),
    })),
    keys: keys.filter(({ isRetired }) => isRetired).map(({ publicKey }) => publicKey),
  });
  return { body, etag: etagOf(body) };
}
