import type { KeyObject } from 'node:crypto';
import { organizationOf } from '../../access/index.ts';
import {
  at,
  badRequest,
  isId,
  loadSigner,
  notFound,
  placeTags,
  statement,
  type Context,
  type OnceLoaded,
} from '../../kernel/index.ts';
import { AUTHORITY_COLUMNS, openSshKey, signing, type SshAuthorityRow } from './stored.ts';
import { SSH_AUTHORITY } from './find.ts';

/** The key by which an authority signs, opened. */
export interface SshSigner {
  readonly organizationId: string;
  readonly projectId: string;
  readonly sshCaId: string;
  readonly friendlyName: string;
  readonly caKeyId: string;
  readonly privateKey: KeyObject;
  /** As on the wire. */
  readonly publicKey: Buffer;
}

interface SignerRow extends SshAuthorityRow {
  readonly privateKey: Buffer;
  readonly nextKeyAt: string | null;
}
const SIGNER = statement(
  'ssh_certificate_authorities.signer',
  `select ${AUTHORITY_COLUMNS}, k.private_key as "privateKey",
     (select min(n.signs_from) from ssh_ca_keys n where n.ca_id = a.id and n.signs_from > $2) as "nextKeyAt"
   from ${signing('$2')} where a.id = $1`,
);

interface CachedSigner {
  readonly status: string;
  readonly signer: SshSigner;
}

/**
 * The key by which an authority of the caller's organization signs now. The rights of the caller are not checked. The
 * cached state is at most a second old: storing what was signed checks the rows again.
 *
 * @throws DomainError 404; 400 `ssh_authority.disabled`.
 */
export async function sshSignerOf(ctx: Context, sshCaId: string): Promise<SshSigner> {
  const kept = isId(sshCaId) ? await load(ctx, sshCaId) : undefined;
  if (!kept || kept.signer.organizationId !== organizationOf(ctx)) throw notFound(SSH_AUTHORITY);
  if (kept.status !== 'active') throw disabled();
  return kept.signer;
}

export const disabled = () =>
  badRequest('ssh_authority.disabled', 'The SSH certificate authority is disabled, or its key was replaced');

/** The cache tag of an authority's keys and its revocation list. */
export const sshTagOf = (sshCaId: string): string => `ssh-authority:${sshCaId}`;

const load = (ctx: Context, sshCaId: string): OnceLoaded<CachedSigner> =>
  loadSigner(ctx, `ssh:${sshCaId}`, async () => {
    const [row] = await ctx.sql<SignerRow>(SIGNER, [sshCaId, ctx.now()]);
    if (!row) return undefined;
    const value = { status: row.status, signer: await toSigner(ctx, row) };
    const tags = [sshTagOf(sshCaId), ...placeTags(row)];
    return { value, tags, ...(row.nextKeyAt !== null && { until: at(row.nextKeyAt).getTime() }) };
  });

const toSigner = async (ctx: Context, row: SignerRow): Promise<SshSigner> => ({
  organizationId: row.organizationId,
  projectId: row.projectId,
  sshCaId: row.id,
  friendlyName: row.friendlyName,
  caKeyId: row.caKeyId,
  privateKey: await openSshKey(ctx, { ...row, id: row.caKeyId }, row.privateKey),
  publicKey: row.publicKey,
});
