import { columnSeal, sealedRowOf } from '../../crypto/index.ts';
import { at, conflict, newId, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { openKeyAt, sealKey } from '../../pki/authority/index.ts';
import type { KeyPair } from '@coffer/x509';
import { lineOf, type SshKeyAlgorithm } from '../ssh.ts';
import type { ListedSshAuthority, SshAuthority, SshKeySource, SshStatus } from './authority.ts';

/** Authorities and their keys, as rows. */

export interface SshAuthorityRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly friendlyName: string;
  readonly status: SshStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
  // Of the key that signs.
  readonly caKeyId: string;
  readonly keyAlgorithm: SshKeyAlgorithm;
  readonly keySource: SshKeySource;
  readonly publicKey: Buffer;
}

/** Of the authorities `a` with the keys `k` that sign at a time, which is the given parameter. */
export const signing = (now: string): string =>
  `ssh_certificate_authorities a join lateral (
     select * from ssh_ca_keys k where k.ca_id = a.id and k.signs_from <= ${now}
     order by k.signs_from desc, k.id desc limit 1) k on true`;

export const AUTHORITY_COLUMNS = `a.id, a.organization_id as "organizationId", a.project_id as "projectId",
  a.friendly_name as "friendlyName", a.status, a.created_at as "createdAt", a.updated_at as "updatedAt",
  k.id as "caKeyId", k.key_algorithm as "keyAlgorithm", k.key_source as "keySource", k.public_key as "publicKey"`;

export const toListedSshAuthority = (row: SshAuthorityRow): ListedSshAuthority => ({
  id: row.id,
  projectId: row.projectId,
  friendlyName: row.friendlyName,
  status: row.status,
  keyAlgorithm: row.keyAlgorithm,
  keySource: row.keySource,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});

export const toSshAuthority = (row: SshAuthorityRow): SshAuthority => ({
  ...toListedSshAuthority(row),
  publicKey: lineOf(row.publicKey),
});

const privateKeys = columnSeal('ssh_ca_keys.private_key');

interface Owner {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
}

export interface SshCaKey {
  readonly pair: KeyPair;
  /** As on the wire. */
  readonly publicKey: Buffer;
  readonly keyAlgorithm: SshKeyAlgorithm;
  readonly keySource: SshKeySource;
}

const ADD_KEY = statement(
  'ssh_ca_keys.add',
  `insert into ssh_ca_keys (id, organization_id, project_id, ca_id, key_algorithm, key_source, public_key, private_key,
     signs_from, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

const LOCK_KEY = statement('ssh_ca_keys.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 75))');
const KNOWN = statement(
  'ssh_ca_keys.known',
  `select 1 as known from ssh_ca_keys where organization_id = $1 and public_key = $2
   union all select 1 from ssh_retired_ca_keys where organization_id = $1 and public_key = $2 limit 1`,
);

/**
 * Two authorities with one key would sign for the same hosts, by rules and revocation lists of their own; and a key that is trusted
 * no more may be compromised. The key is locked until the transaction ends: of two imports at the same time, one would otherwise not
 * see the other.
 *
 * @throws DomainError 400 `ssh_authority.known_key`
 */
async function requireNewKey(tx: Transaction, organizationId: string, publicKey: Buffer): Promise<void> {
  await tx.sql(LOCK_KEY, [`${organizationId} ${publicKey.toString('base64')}`]);
  if ((await tx.sql(KNOWN, [organizationId, publicKey])).length > 0)
    throw conflict('ssh_authority.known_key', 'An authority of the organization has this key, or has had it');
}

/**
 * Stores a key of an authority, which signs from a time on; returns the ID of its row.
 *
 * @throws DomainError 400 `ssh_authority.known_key`
 */
export async function addSshKey(
  tx: Transaction,
  { id, organizationId, projectId }: Owner,
  { pair, publicKey, keyAlgorithm, keySource }: SshCaKey,
  signsFrom: Date,
): Promise<string> {
  await requireNewKey(tx, organizationId, publicKey);
  const keyId = newId();
  const sealed = await sealKey(tx, privateKeys, { id: keyId, organizationId, projectId }, pair);
  const place = [keyId, organizationId, projectId, id];
  await tx.sql(ADD_KEY, [...place, keyAlgorithm, keySource, publicKey, sealed, signsFrom, tx.now()]);
  return keyId;
}

/** The private key in a row, unsealed by the key of its project. */
export const openSshKey = (ctx: Context, row: Owner, sealed: Uint8Array) =>
  openKeyAt(ctx, privateKeys, sealedRowOf(row), sealed);
