import { authorizeById } from '../../access/index.ts';
import {
  badRequest,
  inTransaction,
  invalidate,
  parseDuration,
  record,
  statement,
  YEAR,
  type Context,
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
import { sshTagOf } from './signer.ts';
import { addSshKey, toSshAuthority } from './stored.ts';

/** Keys of an authority that are trusted at the same time. */
const MAX_TRUSTED = 10;
/** The longest overlap and the longest delay in milliseconds: a hundred years. */
const LONGEST = 100 * YEAR;

const STATE = statement(
  'ssh_ca_keys.state',
  `select count(*) filter (where trusted_until is null or trusted_until > $2)::integer as trusted,
     coalesce(bool_or(signs_from > $2), false) as "isPending" from ssh_ca_keys where ca_id = $1`,
);
/** Of keys before the one that signs now, and from now on also of that one if the next key signs immediately. */
const STRIP = statement(
  'ssh_ca_keys.strip',
  'update ssh_ca_keys set private_key = null where ca_id = $1 and id <> $2 and private_key is not null',
);
const REPLACE = statement(
  'ssh_ca_keys.replace',
  'update ssh_ca_keys set signs_until = $2, trusted_until = $3 where id = $1',
);

/**
 * Gives an authority another, generated key. Both keys are published and trusted until the end of the overlap; which one signs
 * depends on `signAfter`. An overlap that is shorter than the validity of certificates for or of hosts ends these, and takes
 * the right to edit the hosts; that of host certificates which are renewed by themselves counts as a day.
 *
 * @throws DomainError 404, 403; 400 `ssh_authority.rotating` while a key waits for its time, `.too_many_keys`,
 * `.overlap`.
 */
export async function rotateSshAuthority(ctx: Context, input: RotateSshAuthority): Promise<SshAuthority> {
  const { sshCaId, overlap, signAfter } = input;
  const seen = await requireSshAuthority(ctx, sshCaId, sshAuthorityPermissions.edit);
  const [delay, lasts] = [signAfter === undefined ? 0 : milliseconds(signAfter), milliseconds(overlap)];
  const key = await keyOfAuthority(ctx, { keyAlgorithm: input.keyAlgorithm ?? seen.keyAlgorithm });
  return inTransaction(ctx, async (tx) => {
    const { id, caKeyId, projectId, friendlyName, ...owner } = await lockSshAuthority(tx, seen.id);
    const [state] = await tx.sql<{ trusted: number; isPending: boolean }>(STATE, [id, tx.now()]);
    if (state!.isPending)
      throw badRequest('ssh_authority.rotating', 'The authority has a new key that does not sign yet; wait for it');
    if (state!.trusted >= MAX_TRUSTED)
      throw badRequest(
        'ssh_authority.too_many_keys',
        `At most ${MAX_TRUSTED} keys are trusted at once; use shorter overlaps`,
      );
    await authorizeById(tx, sshAuthorityPermissions.edit, { projectId });
    const signsFrom = new Date(tx.now().getTime() + delay);
    const until = new Date(signsFrom.getTime() + lasts);
    await requireMayReplaceKey(tx, { projectId, sshCaId: id }, { from: signsFrom, until });
    const added = await addSshKey(tx, { ...owner, id, projectId }, key, signsFrom);
    await tx.sql(REPLACE, [caKeyId, signsFrom, until]);
    if (delay === 0) await tx.sql(STRIP, [id, added]);
    invalidate(tx, sshTagOf(id));
    const times = { signsFrom: signsFrom.toISOString(), formerTrustedUntil: until.toISOString() };
    const of = { sshCaId: id, friendlyName, caKeyId: added, fingerprint: fingerprintOf(key.publicKey) };
    record(tx, sshAuthorityRotated, { ...of, ...times }, { projectId });
    return toSshAuthority(await findSshAuthority(tx, id));
  });
}

function milliseconds(duration: string): number {
  const parsed = parseDuration(duration)!;
  if (parsed > LONGEST) throw badRequest('ssh_authority.overlap', `${duration} is too long; the maximum is 100y`);
  return parsed;
}
