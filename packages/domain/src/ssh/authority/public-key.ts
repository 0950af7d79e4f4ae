import { etagOf, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import { lineOf } from '../ssh.ts';
import type { SshAuthorityRef } from './authority.ts';
import { SSH_AUTHORITY } from './find.ts';

const TRUSTED = statement(
  'ssh_ca_keys.trusted',
  `select public_key as "publicKey" from ssh_ca_keys
   where ca_id = $1 and (trusted_until is null or trusted_until > $2) order by signs_from desc, id desc`,
);

/**
 * The keys by which hosts and clients know certificates of an authority, in the form of OpenSSH, one on each line:
 * during a rotation two. Everybody may read them.
 *
 * @throws DomainError 404
 */
export async function getSshPublicKeys(
  ctx: Context,
  { sshCaId }: SshAuthorityRef,
): Promise<{ text: string; etag: string }> {
  const rows = isId(sshCaId) ? await ctx.sql<{ publicKey: Buffer }>(TRUSTED, [sshCaId, ctx.now()]) : [];
  if (rows.length === 0) throw notFound(SSH_AUTHORITY);
  const text = rows.map(({ publicKey }) => `${lineOf(publicKey)}\n`).join('');
  return { text, etag: etagOf(text) };
}
