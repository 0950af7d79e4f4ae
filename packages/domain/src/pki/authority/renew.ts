import { generateInTurn } from '../../crypto/index.ts';
import { badRequest, conflict, record, type Context, type Transaction } from '../../kernel/index.ts';
import { generateKey, toPem, type KeyPair } from '../x509.ts';
import { activate } from './activate.ts';
import type { AuthorityEntity } from './authority.entity.ts';
import { authorityPermissions, authorityRenewed, type AuthorityCertificate, type RenewAuthority } from './authority.ts';
import { certifyBelow, certifyRoot, type Certified, type Wanted } from './certify.ts';
import { refreshChains } from './chains.ts';
import { requireParent } from './create.ts';
import { lockAuthority, notActive, requireAuthority } from './find.ts';
import { storeIssued } from './issued.ts';
import { inPathsTransaction } from './paths.ts';
import type { Signer } from './signer.ts';
import { addKey, keysOf, openKey, requireFewCertificates } from './stored.ts';

/**
 * Gives an authority a new certificate, for the key that it has or for a new one. What it has signed stays valid: with
 * a new key, by its former certificate, whose revocation list goes on. One that is disabled gets no more than a new
 * key, for when the former is not to be trusted, and stays disabled.
 *
 * @throws DomainError 400 `certificate_authority.not_active`, `.external` where its certificate is signed elsewhere, `.too_many_certificates`;
 * 403 also where the caller may not have intermediates signed by the parent.
 */
export async function renewAuthority(ctx: Context, input: RenewAuthority): Promise<AuthorityCertificate> {
  const row = await requireAuthority(ctx, input.caId, authorityPermissions.renew);
  const parent = row.parentCaId ? await requireParent(ctx, row.projectId, row.parentCaId) : undefined;
  return renew(ctx, row, parent, { key: input.type, notAfter: input.notAfter, isAutomatic: false });
}

export interface Renewal {
  readonly key: 'existing' | 'new';
  readonly notAfter: Date;
  readonly isAutomatic: boolean;
}

/** Renews without asking for rights. */
export async function renew(
  ctx: Context,
  row: AuthorityEntity,
  parent: Signer | undefined,
  { key, notAfter, isAutomatic }: Renewal,
): Promise<AuthorityCertificate> {
  if (row.status === 'pending-certificate') throw notActive('The certificate authority has no certificate yet');
  if (row.status === 'disabled' && key === 'existing') throw notActive('The certificate authority is disabled');
  if (row.type === 'intermediate' && !parent)
    throw badRequest(
      'certificate_authority.external',
      'The certificate is signed externally: have the CSR signed there, and import the certificate',
    );
  const pair =
    key === 'new'
      ? await generateInTurn(ctx, row.keyAlgorithm, () => generateKey(row.keyAlgorithm))
      : await activePair(ctx, row);
  const { subject, maxPathLength, nameConstraints, keyAlgorithm } = row;
  const wanted: Wanted = { subject, notAfter, maxPathLength: maxPathLength ?? null, nameConstraints };
  const certified = parent
    ? await certifyBelow(ctx, parent, pair.publicKey, wanted)
    : await certifyRoot(ctx, pair, keyAlgorithm, wanted);
  await inPathsTransaction(ctx, row.projectId, async (tx) => {
    // Parents are locked first, as everywhere.
    if (parent) await storeIssued(tx, parent, certified);
    const locked = await lockUnchanged(tx, row);
    const keyId = key === 'new' ? await addKey(tx, locked, pair) : locked.activeKeyId!;
    const caCertificateId = await activate(tx, locked, keyId, certified);
    if (!isAutomatic) await requireFewCertificates(tx, locked.id);
    if (key === 'existing') await refreshChains(tx, locked, certified);
    const { serialNumber } = certified.certificate;
    const data = { caId: row.id, name: locked.name, serialNumber, caCertificateId, key, isAutomatic };
    record(tx, authorityRenewed, data, { projectId: row.projectId });
  });
  return toCertificate(certified);
}

/**
 * The authority as it was seen, and so with the name for which the rights of the caller were asked.
 *
 * @throws DomainError 400 if another call concurrently issued it a certificate, disabled it, or gave it another name, parent or auto-renewal.
 */
export async function lockUnchanged(tx: Transaction, seen: AuthorityEntity): Promise<AuthorityEntity> {
  const row = await lockAuthority(tx, seen.id);
  const facts = ({ name, activeCertificateId, status, parentCaId, autoRenewDays }: AuthorityEntity) =>
    JSON.stringify([name, activeCertificateId, status, parentCaId, autoRenewDays]);
  if (facts(row) !== facts(seen))
    throw conflict('certificate_authority.changed', 'The certificate authority was changed concurrently; try again');
  return row;
}

async function activePair(ctx: Context, row: AuthorityEntity): Promise<KeyPair> {
  const key = (await keysOf(ctx, row)).find(({ id }) => id === row.activeKeyId);
  if (!key) throw notActive('The certificate authority has no key');
  return openKey(ctx, key);
}

export function toCertificate({ certificate, chain }: Pick<Certified, 'certificate' | 'chain'>) {
  return {
    certificate: toPem('CERTIFICATE', certificate.der),
    certificateChain: chain,
    serialNumber: certificate.serialNumber,
  };
}
