import { authorizeById } from '../../access/index.ts';
import {
  at,
  badRequest,
  conflict,
  inTransaction,
  invalidate,
  parseDuration,
  record,
  statement,
  YEAR,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { requireMayReplaceKey } from '../login/index.ts';
import { fingerprintOf } from '../ssh.ts';
import {
  sshAuthorityPermissions,
  sshAuthorityRotated,
  type RotateSshAuthority,
  type SshAuthority,
} from './authority.ts';
import { findSshAuthority, lockSshAuthority, requireSshAuthority } from './find.ts';
import { keyOfAuthority } from './key.ts';
import { retireSshKeys } from './retire.ts';
import { sshTagOf } from './signer.ts';
import { addSshKey, toSshAuthority } from './stored.ts';

/** Keys of an authority that are trusted at the same time: for longer than a minute, and at all. */
const MAX_TRUSTED = 10;
const MAX_ENDING = 2 * MAX_TRUSTED;
const MINUTE_MS = 60_000;
/** The longest overlap and the longest delay in milliseconds: a hundred years. */
const LONGEST = 100 * YEAR;

const COUNT = statement(
  'ssh_ca_keys.count_trusted',
  `select count(*) filter (where trusted_until is null or trusted_until > $2)::integer as trusted,
     count(*) filter (where trusted_until is null or trusted_until > $3)::integer as remaining from ssh_ca_keys where ca_id = $1`,
);
/** When the next key signs, and when the trust of the one that signs now ends by that rotation. */
const PENDING = statement(
  'ssh_ca_keys.pending',
  `select signs_from as "signsFrom", (select trusted_until from ssh_ca_keys where id = $2) as "formerTrustedUntil"
   from ssh_ca_keys where ca_id = $1 and signs_from > $3 order by signs_from limit 1`,
);
/** Of keys before the one that signs now, and from now on also of that one if the next key signs immediately. */
const STRIP = statement(
  'ssh_ca_keys.strip',
  'update ssh_ca_keys set private_key = null where ca_id = $1 and id <> $2 and private_key is not null',
);
const REPLACE = statement(
  'ssh_ca_keys.replace',
  `update ssh_ca_keys set signs_until = case when id = $2 then $3 else signs_until end, trusted_until = least(trusted_until, $4)
   where ca_id = $1 and (id = $2 or trusted_until is null or trusted_until > $4)`,
);

/**
 * Gives an authority a new generated key. The former key is published and trusted until the end of the overlap, and so are
 * earlier keys at most. `signAfter` decides which key signs meanwhile. An overlap shorter than the validity of certificates for
 * or of hosts ends these, and requires the right to edit the hosts. Host certificates with auto-renewal count as valid for a day.
 *
 * A key that waits for its time is replaced by one that signs sooner, and revoked. The former key is trusted for no longer than by
 * that rotation.
 *
 * @throws DomainError 404, 403; 400 `ssh_authority.rotating` while a key waits that signs sooner, `.too_many_keys`,
 * `.overlap`; `.rotated` if it got a key of another algorithm concurrently, and the request names none.
 */
export async function rotateSshAuthority(ctx: Context, input: RotateSshAuthority): Promise<SshAuthority> {
  const { sshCaId, overlap, signAfter } = input;
  const seen = await requireSshAuthority(ctx, sshCaId, sshAuthorityPermissions.edit);
  const [delay, lasts] = [signAfter === undefined ? 0 : milliseconds(signAfter), milliseconds(overlap)];
  const key = await keyOfAuthority(ctx, { keyAlgorithm: input.keyAlgorithm ?? seen.keyAlgorithm });
  return inTransaction(ctx, async (tx) => {
    const { id, caKeyId, projectId, friendlyName, keyAlgorithm, ...owner } = await lockSshAuthority(tx, seen.id);
    await authorizeById(tx, sshAuthorityPermissions.edit, { projectId });
    if (input.keyAlgorithm === undefined && keyAlgorithm !== key.keyAlgorithm)
      throw conflict('ssh_authority.rotated', 'The authority was rotated in the meantime; try again');
    const signsFrom = new Date(tx.now().getTime() + delay);
    const latest = await replacePending(tx, { ...owner, id, caKeyId }, signsFrom);
    const until = new Date(Math.min(signsFrom.getTime() + lasts, latest));
    await requireMayReplaceKey(tx, { projectId, sshCaId: id }, { from: signsFrom, until });
    await tx.sql(REPLACE, [id, caKeyId, signsFrom, until]);
    await requireFewKeys(tx, id);
    const added = await addSshKey(tx, { ...owner, id, projectId }, key, signsFrom);
    if (delay === 0) await tx.sql(STRIP, [id, added]);
    invalidate(tx, sshTagOf(id));
    const times = { signsFrom: signsFrom.toISOString(), formerTrustedUntil: until.toISOString() };
    const of = { sshCaId: id, friendlyName, caKeyId: added, fingerprint: fingerprintOf(key.publicKey) };
    record(tx, sshAuthorityRotated, { ...of, ...times }, { projectId });
    return toSshAuthority(await findSshAuthority(tx, id));
  });
}

interface Rotating {
  readonly id: string;
  readonly organizationId: string;
  /** The key that signs now. */
  readonly caKeyId: string;
}

/**
 * Ends a key that waits for its time, if there is one, for another that signs sooner.
 *
 * @returns The latest end of the trust of the former key, in milliseconds.
 * @throws DomainError 400 `ssh_authority.rotating`
 */
async function replacePending(tx: Transaction, { caKeyId, ...authority }: Rotating, signsFrom: Date): Promise<number> {
  const values = [authority.id, caKeyId, tx.now()];
  const [pending] = await tx.sql<{ signsFrom: string; formerTrustedUntil: string }>(PENDING, values);
  if (!pending) return Infinity;
  if (signsFrom >= at(pending.signsFrom))
    throw badRequest(
      'ssh_authority.rotating',
      `The authority has a new key that does not sign yet; wait for it, or have another one sign before ${at(pending.signsFrom).toISOString()}`,
    );
  await retireSshKeys(tx, authority, { signingAfter: tx.now() });
  return at(pending.formerTrustedUntil).getTime();
}

interface KeyCounts {
  readonly trusted: number;
  /** Of these, after a minute. */
  readonly remaining: number;
}

/** A rotation with an overlap of a minute or less is possible despite former keys: a compromised key must be replaceable at once. */
async function requireFewKeys(tx: Transaction, sshCaId: string): Promise<void> {
  const now = tx.now().getTime();
  const [counted] = await tx.sql<KeyCounts>(COUNT, [sshCaId, new Date(now), new Date(now + MINUTE_MS)]);
  const { trusted, remaining } = counted!;
  if (remaining >= MAX_TRUSTED || trusted >= MAX_ENDING)
    throw badRequest(
      'ssh_authority.too_many_keys',
      `At most ${MAX_TRUSTED} keys are trusted at once; use a shorter overlap, which also limits the trust of former keys`,
    );
}

function milliseconds(duration: string): number {
  const parsed = parseDuration(duration)!;
  if (parsed > LONGEST) throw badRequest('ssh_authority.overlap', `${duration} is too long; the maximum is 100y`);
  return parsed;
}
