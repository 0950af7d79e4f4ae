import { createPublicKey } from 'node:crypto';
import { columnSeal, sealedRowOf } from '../../crypto/index.ts';
import { fewIn, newId, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { keyIdOf, readCertificate, spkiOf, type KeyPair, type ReadCertificate } from '../x509.ts';
import type { AuthorityEntity } from './authority.entity.ts';
import { openKeyAt, sealKey } from './sealed-key.ts';

/** Keys and certificates of authorities, as rows. */

type Owner = Pick<AuthorityEntity, 'id' | 'organizationId' | 'projectId'>;

const privateKeys = columnSeal('ca_keys.private_key');

const ADD_KEY = statement(
  'ca_keys.add',
  `insert into ca_keys (id, organization_id, project_id, ca_id, private_key, public_key, key_id, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** Stores a sealed key of an authority; returns the ID of its row. */
export async function addKey(
  tx: Transaction,
  { id, organizationId, projectId }: Owner,
  pair: KeyPair,
): Promise<string> {
  const keyId = newId();
  const sealed = await sealKey(tx, privateKeys, { id: keyId, organizationId, projectId }, pair);
  const publicKey = spkiOf(pair.publicKey);
  await tx.sql(ADD_KEY, [keyId, organizationId, projectId, id, sealed, publicKey, keyIdOf(pair.publicKey), tx.now()]);
  return keyId;
}

export interface SealedKeyRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly privateKey: Buffer;
  readonly publicKey: Buffer;
}

const KEYS = statement(
  'ca_keys.of_authority',
  `select k.id, k.organization_id as "organizationId", k.project_id as "projectId", k.private_key as "privateKey",
     k.public_key as "publicKey",
     exists (select from ca_certificates c where c.ca_key_id = k.id) as "isCertified"
   from ca_keys k where k.organization_id = $1 and k.ca_id = $2 order by k.created_at desc, k.id desc`,
);

export interface KeyRow extends SealedKeyRow {
  readonly isCertified: boolean;
}

/** The keys of an authority, the newest first. */
export const keysOf = (ctx: Context, { organizationId, id }: Owner): Promise<KeyRow[]> =>
  ctx.sql<KeyRow>(KEYS, [organizationId, id]);

/** The key itself, unsealed by the key of its project. */
export async function openKey(ctx: Context, row: SealedKeyRow): Promise<KeyPair> {
  const privateKey = await openKeyAt(ctx, privateKeys, sealedRowOf(row), row.privateKey);
  return { privateKey, publicKey: createPublicKey({ key: row.publicKey, type: 'spki', format: 'der' }) };
}

const ADD_CERTIFICATE = statement(
  'ca_certificates.add',
  `insert into ca_certificates
     (id, organization_id, project_id, ca_id, ca_key_id, version, body, chain, serial_number, not_before, not_after,
      created_at)
   select $1, $2, $3, $4, $5, coalesce(max(version), 0) + 1, $6, $7, $8, $9, $10, $11
   from ca_certificates where ca_id = $4`,
);

/**
 * Stores a certificate of an authority whose row is locked; returns its ID. `chain`: PEM of the certificates above it.
 */
export async function addCertificate(
  tx: Transaction,
  { id, organizationId, projectId }: Owner,
  { keyId, certificate, chain }: { keyId: string; certificate: ReadCertificate; chain: string },
): Promise<string> {
  const { der, serialNumber, notBefore, notAfter } = certificate;
  const added = newId();
  const row = [added, organizationId, projectId, id, keyId, der, chain, serialNumber, notBefore, notAfter, tx.now()];
  await tx.sql(ADD_CERTIFICATE, row);
  return added;
}

/**
 * For certificates that callers give an authority, whose row is locked: its lists have all of them, and the revocation lists of all
 * of its keys. Those that it is given automatically have no limit.
 */
export const requireFewCertificates = fewIn('ca', {
  table: 'ca_certificates',
  most: 1_000,
  code: 'certificate_authority.too_many_certificates',
  of: 'certificates',
  instead: 'create another authority',
});

export interface CertificateRow {
  readonly id: string;
  readonly caKeyId: string;
  readonly version: number;
  readonly body: Buffer;
  readonly chain: string;
  readonly serialNumber: string;
  readonly notBefore: string;
  readonly notAfter: string;
}

const CERTIFICATES = statement(
  'ca_certificates.of_authority',
  `select id, ca_key_id as "caKeyId", version, body, chain, serial_number as "serialNumber", not_before as "notBefore",
     not_after as "notAfter" from ca_certificates
   where organization_id = $1 and ca_id = $2 order by version`,
);

/** The certificates of an authority, the oldest first. */
export const certificatesOf = (ctx: Context, { organizationId, id }: Owner): Promise<CertificateRow[]> =>
  ctx.sql<CertificateRow>(CERTIFICATES, [organizationId, id]);

const OF_KEY = statement('ca_certificates.of_key', 'select body from ca_certificates where ca_key_id = $1 limit 1');

/** One of a key's certificates; all of them have the same subject. */
export async function certificateOfKey(ctx: Context, keyId: string): Promise<ReadCertificate | undefined> {
  const [row] = await ctx.sql<{ body: Buffer }>(OF_KEY, [keyId]);
  return row && readCertificate(row.body);
}

const BODY = statement('ca_certificates.body', 'select body from ca_certificates where id = $1 and ca_id = $2');

/** DER, for everybody. */
export async function bodyOf(ctx: Context, caId: string, caCertificateId: string): Promise<Buffer | undefined> {
  const [row] = await ctx.sql<{ body: Buffer }>(BODY, [caCertificateId, caId]);
  return row?.body;
}
