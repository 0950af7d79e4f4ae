import { notFound, statement, type Context } from '../../kernel/index.ts';
import { authorityPermissions, requireAuthority, type AuthorityRef } from '../authority/index.ts';
import { getWholeRevocationList } from './list.ts';
import type { NamedRevocationList } from './revocation.ts';

/** Newest first, without those whose certificates expired before they had a list. */
const KEYS = statement(
  'revocation_lists.keys',
  `select k.id from ca_keys k
   where k.ca_id = $1 and (exists (select 1 from revocation_lists l where l.ca_key_id = k.id)
     or exists (select 1 from ca_certificates c where c.ca_key_id = k.id and c.not_after > $2))
   order by k.created_at desc, k.id desc`,
);

/** A reader of an authority may read its lists, which are public by their URLs. */
const { read } = authorityPermissions;

async function listOf(ctx: Context, id: string): Promise<NamedRevocationList> {
  const { body } = await getWholeRevocationList(ctx, id, 'pem');
  return { id, crl: body.toString('latin1') };
}

/** The lists of an authority, one for each key it has had; that of the newest key first. */
export async function listRevocationLists(ctx: Context, { caId }: AuthorityRef): Promise<NamedRevocationList[]> {
  await requireAuthority(ctx, caId, read);
  const keys = await ctx.sql<{ id: string }>(KEYS, [caId, ctx.now()]);
  const lists: NamedRevocationList[] = [];
  for (const { id } of keys) lists.push(await listOf(ctx, id));
  return lists;
}

/**
 * The list of the key that an authority signs with.
 *
 * @throws DomainError 404 also while the authority has no certificate.
 */
export async function getRevocationListOf(ctx: Context, { caId }: AuthorityRef): Promise<NamedRevocationList> {
  const { activeKeyId } = await requireAuthority(ctx, caId, read);
  if (!activeKeyId) throw notFound('revocation list');
  return listOf(ctx, activeKeyId);
}
