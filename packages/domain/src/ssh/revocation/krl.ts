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
  readonly endsAt: string | null;
}
/** Serial numbers of what has not expired, 8 octets each, in ascending order, and when the first one does. */
const REVOKED = statement(
  'ssh_certificates.revoked',
  `select ca_key_id as "caKeyId", max(revoked_at) as "revokedAt",
     string_agg(int8send(serial_number), ''::bytea order by serial_number) filter (where not_after > $2) as "serialNumbers",
     min(not_after) filter (where not_after > $2) as "endsAt"
   from ssh_certificates where ca_key_id = any ($1) and revoked_at is not null group by ca_key_id`,
);
/** The revision of a list; and the list, if it was stored at this revision. */
const STORED = statement(
  'ssh_revocation_lists.stored',
  `select revision::text, etag, case when stored_revision = revision and stored_until > $2 then body end as body
   from ssh_revocation_lists where ca_id = $1`,
);
/** At the revision from before it was made, so that it lacks nothing that was revoked until then. */
const STORE = statement(
  'ssh_revocation_lists.store',
  `update ssh_revocation_lists set stored_revision = revision, body = $3, etag = $4, stored_until = $5
   where ca_id = $1 and revision = $2`,
);

const MINUTE = 60_000;
/** How long a list is cached in milliseconds; a revocation invalidates it. */
const AGE = MINUTE;
/** Longer lists are in the database, not in memory, in octets: everybody can ask for them. */
const MAX_CACHED = 65_536;
/** How long a stored list has what has expired, and how long it is kept in any case, in milliseconds. */
const [SHORTEST, LONGEST] = [MINUTE, 60 * MINUTE];

/**
 * The revocation list of an authority in the form of OpenSSH (KRL), for `RevokedKeys` of hosts. Everybody may read it.
 * That of a deleted authority revokes its keys, and with them everything that they have signed. A long one is made once
 * for each revision.
 *
 * @throws DomainError 404
 */
export async function getSshRevocationList(ctx: Context, { sshCaId }: SshAuthorityRef): Promise<SshRevocationListFile> {
  if (!isId(sshCaId)) throw notFound(SSH_AUTHORITY);
  const now = ctx.now().getTime();
  let long: SshRevocationListFile | undefined;
  const cached = await ctx.signers.load(`ssh-krl:${sshCaId}`, now, async () => {
    const list = await currentList(ctx, sshCaId);
    if (!list) return undefined;
    if (list.body.length <= MAX_CACHED) return { value: list, tags: [sshTagOf(sshCaId)], until: now + AGE };
    long = list;
    return undefined;
  });
  const list = (cached as SshRevocationListFile | undefined) ?? long;
  if (!list) throw notFound(SSH_AUTHORITY);
  return list;
}

async function currentList(ctx: Context, sshCaId: string): Promise<SshRevocationListFile | undefined> {
  const [state] = await ctx.sql<StateRow>(STORED, [sshCaId, ctx.now()]);
  if (state?.body) return { body: state.body, etag: state.etag! };
  const lists = ctx.documentsBeingMade as Map<string, Promise<SshRevocationListFile | undefined>>;
  const key = `ssh-krl:${sshCaId}:${state?.revision}`;
  const others = lists.get(key);
  // A call that fails, for example because its client is gone, fails for itself.
  if (others) return others.catch(() => makeList(ctx, sshCaId, state?.revision));
  const own = makeList(ctx, sshCaId, state?.revision);
  lists.set(key, own);
  try {
    return await own;
  } finally {
    lists.delete(key);
  }
}

interface StateRow {
  readonly revision: string;
  readonly body: Buffer | null;
  readonly etag: string | null;
}

async function makeList(
  ctx: Context,
  sshCaId: string,
  revision: string | undefined,
): Promise<SshRevocationListFile | undefined> {
  const keys = await ctx.sql<KeyRow>(KEYS, [sshCaId]);
  if (keys.length === 0) return undefined;
  const rows = await ctx.sql<RevokedRow>(REVOKED, [keys.map(({ id }) => id), ctx.now()]);
  const list = listOf(sshCaId, keys, rows);
  if (list.body.length > MAX_CACHED && revision !== undefined)
    await ctx.sql(STORE, [sshCaId, revision, list.body, list.etag, storedUntil(ctx, rows)]);
  return list;
}

function storedUntil(ctx: Context, rows: readonly RevokedRow[]): Date {
  const now = ctx.now().getTime();
  const ends = rows.flatMap(({ endsAt }) => (endsAt === null ? [] : at(endsAt).getTime()));
  return new Date(Math.max(now + SHORTEST, Math.min(now + LONGEST, ...ends)));
}

function listOf(sshCaId: string, keys: readonly KeyRow[], rows: readonly RevokedRow[]): SshRevocationListFile {
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
