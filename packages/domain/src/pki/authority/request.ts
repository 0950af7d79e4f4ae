import { generateInTurn } from '../../crypto/index.ts';
import { badRequest, eventOf, inTransaction, record, type Context } from '../../kernel/index.ts';
import { generateKey, makeCsr, toPem } from '../x509.ts';
import type { AuthorityEntity } from './authority.entity.ts';
import { authorityPermissions, keyPrepared, requestMade, type AuthorityRef } from './authority.ts';
import { lockPermittedAuthority, notActive, requireAuthority } from './find.ts';
import { addKey, certificateOfKey, keysOf, openKey } from './stored.ts';

/**
 * The CSR of an intermediate, in PEM, for external signing: for a key that waits for its certificate, otherwise for the
 * active key (renewal).
 *
 * @throws DomainError 400 `certificate_authority.root`.
 */
export async function getAuthorityRequest(ctx: Context, { caId }: AuthorityRef): Promise<string> {
  const row = await requireAuthority(ctx, caId, authorityPermissions.read);
  requireIntermediate(row);
  const csr = await requestOf(ctx, row);
  await ctx.commitRead(eventOf(requestMade, { caId, name: row.name }, { projectId: row.projectId }), ctx);
  return csr;
}

/**
 * Creates a new key for an externally signed intermediate, and returns its CSR. The current key is used until the
 * certificate of the new one is imported. If a key waits already, its CSR is returned.
 *
 * @throws DomainError 400 `certificate_authority.root`.
 */
export async function prepareAuthorityKey(ctx: Context, { caId }: AuthorityRef): Promise<string> {
  const row = await requireAuthority(ctx, caId, authorityPermissions.renew);
  requireIntermediate(row);
  const pair = await generateInTurn(ctx, row.keyAlgorithm, () => generateKey(row.keyAlgorithm));
  await inTransaction(ctx, async (tx) => {
    const locked = await lockPermittedAuthority(tx, row.id, authorityPermissions.renew);
    if ((await keysOf(tx, locked)).some((key) => !key.isCertified)) return;
    const caKeyId = await addKey(tx, locked, pair);
    record(tx, keyPrepared, { caId, name: locked.name, caKeyId }, { projectId: locked.projectId });
  });
  return requestOf(ctx, row);
}

function requireIntermediate({ type }: AuthorityEntity): void {
  if (type === 'root') throw badRequest('certificate_authority.root', 'A root signs its own certificate');
}

async function requestOf(ctx: Context, row: AuthorityEntity): Promise<string> {
  const keys = await keysOf(ctx, row);
  const key = keys.find((one) => !one.isCertified) ?? keys.find(({ id }) => id === row.activeKeyId);
  if (!key) throw notActive('The certificate authority has no key');
  const pair = await openKey(ctx, key);
  const name = (await certificateOfKey(ctx, key.id))?.subjectName;
  const signing = { ...pair, algorithm: row.keyAlgorithm };
  return toPem('CERTIFICATE REQUEST', await makeCsr(row.subject, signing, { ca: true, ...(name && { name }) }));
}
