import { createHash } from 'node:crypto';
import { inThreadTurn } from '../../crypto/index.ts';
import { eventOf, statement, type Context } from '../../kernel/index.ts';
import { derOfChain, pkcs12, readCertificate, toPem, type Finding } from '../x509.ts';
import {
  certificateBundleRead,
  certificateExported,
  certificateKeyRead,
  certificatePermissions,
  type Certificate,
  type CertificateBody,
  type CertificateBundle,
  type CertificateRef,
  type DetailedCertificate,
  type ExportPkcs12,
} from './certificate.ts';
import { refused } from '../constraint/index.ts';
import { openPrivateKey, privateKeyPem } from './sealed.ts';
import { certificateFor, chainOf, namedOf, toCertificate, toListed, type StoredCertificate } from './stored.ts';

const { read, 'read-private-key': readPrivateKey } = certificatePermissions;

/** The published data of a certificate. */
export const getCertificate = async (ctx: Context, { id }: CertificateRef): Promise<Certificate> =>
  toCertificate(await certificateFor(ctx, read, id));

const AROUND = statement(
  'certificates.around',
  `with recursive renewals (id, depth) as (
     select $1::uuid, 0
     union all
     select c.id, r.depth + 1 from renewals r join certificates c on c.renewed_from_id = r.id where r.depth < 1000)
   select (select id from renewals where depth > 0 order by depth desc limit 1) as latest,
     coalesce((select name from certificate_authorities where id = $2),
       (select name from external_authorities where id = $4)) as "caName",
     (select slug from certificate_profiles where id = $3) as "profileName"`,
);

interface Around {
  readonly latest: string | null;
  readonly caName: string | null;
  readonly profileName: string | null;
}

/** The same with the additional fields of the current API. */
export async function describeCertificate(ctx: Context, { id }: CertificateRef): Promise<DetailedCertificate> {
  const row = await certificateFor(ctx, read, id);
  const [around] = await ctx.sql<Around>(AROUND, [row.id, row.caId, row.profileId, row.externalCaId]);
  const { commonName, organization, organizationalUnit, country, province, locality, domainComponents } = row.subject;
  const certificate = readCertificate(row.body);
  return {
    ...toListed(row, ctx.now()),
    subject: {
      commonName: commonName ?? null,
      organization: organization ?? null,
      organizationalUnit: organizationalUnit ?? null,
      country: country ?? null,
      state: province ?? null,
      locality: locality ?? null,
      domainComponents: [...(domainComponents ?? [])],
    },
    subjectAltNames: row.names,
    fingerprints: {
      sha256: row.fingerprintSha256,
      sha1: createHash('sha1').update(row.body).digest('hex'),
    },
    basicConstraints: { isCA: row.isCa, pathLength: certificate.ca?.pathLength ?? null },
    caName: around?.caName ?? null,
    caType: typeOf(row),
    profileName: around?.profileName ?? null,
    latestRenewalCertificateId: around?.latest ?? null,
    metadata: row.metadata,
  };
}

function typeOf({ caId, externalCaId }: StoredCertificate): 'internal' | 'external' | null {
  if (caId !== null) return 'internal';
  return externalCaId === null ? null : 'external';
}

/** The findings of the linter before signing. Imported certificates were not linted. */
export async function getLintReport(ctx: Context, { id }: CertificateRef): Promise<Finding[]> {
  return (await certificateFor(ctx, read, id)).lint;
}

/** The certificate and its chain, in PEM. */
export const getCertificateBody = async (ctx: Context, { id }: CertificateRef): Promise<CertificateBody> =>
  bodyOf(await certificateFor(ctx, read, id));

const bodyOf = (row: StoredCertificate): CertificateBody => ({
  certificate: toPem('CERTIFICATE', row.body),
  certificateChain: chainOf(row) || null,
  serialNumber: row.serialNumber,
});

/**
 * The private key in PEM (PKCS #8). The answer waits for its event.
 *
 * @throws DomainError 400 `certificate.no_private_key` where the key was made elsewhere.
 */
export async function getCertificatePrivateKey(ctx: Context, { id }: CertificateRef): Promise<string> {
  const row = await certificateFor(ctx, readPrivateKey, id);
  const key = await requireKey(ctx, row);
  await ctx.commitRead(eventOf(certificateKeyRead, namedOf(row), { projectId: row.projectId }), ctx);
  return privateKeyPem(key);
}

async function requireKey(ctx: Context, row: StoredCertificate) {
  const key = await openPrivateKey(ctx, row);
  if (!key) throw refused('certificate.no_private_key', 'The private key of this certificate is not stored here');
  return key;
}

/** Certificate, chain and private key; the key is `null` if it is not stored. */
export async function getCertificateBundle(ctx: Context, { id }: CertificateRef): Promise<CertificateBundle> {
  const row = await certificateFor(ctx, readPrivateKey, id);
  const key = await openPrivateKey(ctx, row);
  await ctx.commitRead(eventOf(certificateBundleRead, namedOf(row), { projectId: row.projectId }), ctx);
  return { ...bodyOf(row), privateKey: key ? privateKeyPem(key) : null };
}

/** The same as PKCS #12 (DER) under a password. */
export async function exportPkcs12(ctx: Context, { id, password, alias }: ExportPkcs12): Promise<Buffer> {
  const row = await certificateFor(ctx, readPrivateKey, id);
  const privateKey = await requireKey(ctx, row);
  const chain = chainOf(row);
  const content = {
    privateKey,
    certificate: row.body,
    chain: derOfChain(chain),
    password,
    friendlyName: alias ?? (row.friendlyName || row.commonName),
  };
  // Its keys are derived from the password by hundreds of thousands of hashes.
  const bundle = await inThreadTurn(ctx, () => pkcs12(content));
  await ctx.commitRead(eventOf(certificateExported, namedOf(row), { projectId: row.projectId }), ctx);
  return bundle;
}
