import { isDeepStrictEqual } from 'node:util';
import { authorizeById } from '../../access/index.ts';
import { badRequest, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import {
  chainPem,
  nameText,
  readCertificate,
  readChain,
  readStoredChain,
  spkiOf,
  verifyChain,
  type ReadCertificate,
} from '../x509.ts';
import { activate } from './activate.ts';
import type { AuthorityEntity } from './authority.entity.ts';
import { authorityImported, authorityPermissions, type ImportAuthorityCertificate } from './authority.ts';
import { requireAuthority } from './find.ts';
import { inPathsTransaction } from './paths.ts';
import { requireNotAbove } from './parents.ts';
import { lockUnchanged } from './renew.ts';
import { certificatesOf, keysOf, requireFewCertificates } from './stored.ts';

/**
 * Imports an externally signed certificate for a key of an intermediate, with the certificates above it up to the root,
 * and activates the authority. The first certificate takes the right to create the authority, every other one the right to renew
 * it. One that differs from the former by more than a renewal does (see `isRenewal`) takes the right to edit it, too.
 *
 * @throws DomainError 404, 403; 400 named by the rule that the certificate or its chain violates; 400
 * `certificate_authority.too_many_certificates`.
 */
export async function importAuthorityCertificate(ctx: Context, input: ImportAuthorityCertificate): Promise<void> {
  const seen = await requireAuthority(ctx, input.caId, ({ status }) =>
    status === 'pending-certificate' ? authorityPermissions.create : authorityPermissions.renew,
  );
  if (seen.type === 'root')
    throw badRequest('certificate_authority.root', 'A root signs its own certificate: renew it instead');
  const certificate = readCertificate(input.certificate);
  const above = withoutOwn(certificate, readChain(input.certificateChain));
  requireFit(ctx, certificate, above);
  const key = (await keysOf(ctx, seen)).find((one) => one.publicKey.equals(spkiOf(certificate.publicKey)));
  if (!key)
    throw badRequest('certificate_authority.wrong_key', 'The certificate is for a key other than that of the CSR');
  const chain = chainPem(above.map(({ der }) => der));
  const former = await formerOf(ctx, seen);
  await inPathsTransaction(ctx, seen.projectId, async (tx) => {
    const row = await lockUnchanged(tx, seen);
    const caCertificateId = await activate(tx, row, key.id, { certificate, chain });
    await requireFewCertificates(tx, row.id);
    const parentCaId = await ownerOf(tx, row, above[0]!);
    await requireNotAbove(tx, row, parentCaId);
    const isSameParent = parentCaId === (row.parentCaId ?? null);
    if (former && !(isSameParent && isRenewal(former, { certificate, above })))
      await authorizeById(tx, authorityPermissions.edit, { ...place(row), name: row.name });
    // Auto-renewal was enabled with permission on the previous parent.
    if (!isSameParent) row.autoRenewDays = null;
    row.parentCaId = parentCaId;
    await tx.em.flush();
    const { serialNumber } = certificate;
    record(tx, authorityImported, { caId: row.id, name: row.name, serialNumber, caCertificateId }, place(row));
  });
}

const place = ({ projectId }: AuthorityEntity) => ({ projectId });

interface WithChain {
  readonly certificate: ReadCertificate;
  /** The certificates above it, nearest first. */
  readonly above: readonly ReadCertificate[];
}

/** The active certificate of an authority, if it has one. */
async function formerOf(ctx: Context, row: AuthorityEntity): Promise<WithChain | undefined> {
  const active = (await certificatesOf(ctx, row)).find(({ id }) => id === row.activeCertificateId);
  return active && { certificate: readCertificate(active.body), above: readStoredChain(active.chain) };
}

/** Whether a certificate could be the renewal of another: the key of the issuer, subject, path length and name constraints are the same. */
const isRenewal = (former: WithChain, next: WithChain): boolean =>
  isDeepStrictEqual(keptByRenewal(former), keptByRenewal(next));

const keptByRenewal = ({ certificate: { subjectName, ca, nameConstraints }, above: [issuer] }: WithChain) => [
  issuer && spkiOf(issuer.publicKey),
  subjectName,
  ca?.pathLength ?? null,
  nameConstraints ?? null,
];

/** Many files begin with the certificate itself, or contain duplicates. */
function withoutOwn(own: ReadCertificate, chain: readonly ReadCertificate[]): ReadCertificate[] {
  const all = new Map([own, ...chain].map((one) => [one.fingerprintSha256, one]));
  return [...all.values()].slice(1);
}

function requireFit(ctx: Context, certificate: ReadCertificate, above: readonly ReadCertificate[]): void {
  const refuse = (rule: string, message: string) => badRequest(`certificate_authority.${rule}`, message);
  if (!certificate.ca) throw refuse('not_ca', 'The certificate is not a CA certificate (basic constraints)');
  const lacking = (['keyCertSign', 'cRLSign'] as const).filter((usage) => !certificate.keyUsages.includes(usage));
  if (lacking.length > 0) throw refuse('key_usage', `The key usages of the certificate lack ${lacking.join(' and ')}`);
  if (nameText(certificate.subject) === '' && certificate.subject.other.length === 0)
    throw refuse('nameless', 'The subject of a CA certificate must not be empty');
  if (certificate.selfSigned) throw refuse('self_signed', 'The certificate is signed by its own key');
  if (above.length === 0) throw refuse('chain', 'The certificates above it are required, up to the root');
  const problem = verifyChain(certificate, above, ctx.now());
  if (problem) throw refuse(problem.rule, problem.message);
}

const OWNER = statement(
  'ca_certificates.owner',
  'select ca_id as "caId" from ca_certificates where project_id = $1 and body = $2 and ca_id <> $3 limit 1',
);

/** The authority of the project with this certificate, if any. */
async function ownerOf(tx: Transaction, row: AuthorityEntity, { der }: ReadCertificate): Promise<string | null> {
  const [owner] = await tx.sql<{ caId: string }>(OWNER, [row.projectId, der, row.id]);
  return owner?.caId ?? null;
}
