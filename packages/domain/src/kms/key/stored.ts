import { organizationOf } from '../../access/index.ts';
import { columnSeal, countedKeys } from '../../crypto/index.ts';
import {
  at,
  badRequest,
  DAY,
  explainConstraint,
  isId,
  newId,
  notFound,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import type { KmsAlgorithmName, KeyMaterial, KeyUsage } from '../algorithm/index.ts';
import type { KmsKey } from './key.ts';

/** Keys and their versions, as rows. */

export const KEY = 'kms key';

explainConstraint('kms_keys_name_unique', 'A key with this name already exists in the project');

/** The versions of keys, whose encryptions are counted. */
export const KMS_KEYS = countedKeys('kms_key_versions', {
  name: KEY,
  exhausted: () => badRequest('kms_key.exhausted', 'This key has reached its limit of encryptions: rotate it'),
});

export const material = columnSeal('kms_key_versions.material');

/** Timestamps come as text; see `at`. */
export interface KeyRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string | null;
  readonly usage: KeyUsage;
  readonly algorithm: KmsAlgorithmName;
  readonly version: number;
  readonly isDisabled: boolean;
  readonly isExportable: boolean;
  readonly isImported: boolean;
  readonly hasDeleteProtection: boolean;
  readonly rotationDays: number | null;
  readonly rotatesAt: string | null;
  readonly deletionAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const KEY_COLUMNS = `k.id, k.organization_id as "organizationId", k.project_id as "projectId", k.name, k.description,
  k.usage, k.algorithm, k.version, k.is_disabled as "isDisabled", k.is_exportable as "isExportable",
  k.is_imported as "isImported", k.has_delete_protection as "hasDeleteProtection", k.rotation_days as "rotationDays",
  k.rotates_at as "rotatesAt", k.deletion_at as "deletionAt", k.created_at as "createdAt", k.updated_at as "updatedAt"`;

const instant = (given: string | null): Date | null => (given === null ? null : at(given));

export const toKey = (row: KeyRow): KmsKey => ({
  id: row.id,
  orgId: row.organizationId,
  projectId: row.projectId,
  name: row.name,
  description: row.description,
  keyUsage: row.usage,
  encryptionAlgorithm: row.algorithm,
  algorithm: row.algorithm,
  version: row.version,
  isDisabled: row.isDisabled,
  isExportable: row.isExportable,
  isImported: row.isImported,
  hasDeleteProtection: row.hasDeleteProtection,
  rotationPeriodDays: row.rotationDays,
  nextRotationDate: instant(row.rotatesAt),
  deletionDate: instant(row.deletionAt),
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});

const PRESENT = '(k.deletion_at is null or k.deletion_at > $3)';
const BY_ID = statement(
  'kms_keys.by_id',
  `select ${KEY_COLUMNS} from kms_keys k where k.organization_id = $1 and k.id = $2 and ${PRESENT}`,
);
const LOCK = statement('kms_keys.lock', `${BY_ID.text} for update`);

/** A key of the caller's organization, also if its deletion is pending. The rights of the caller are not checked. */
export async function findKey(ctx: Context, keyId: string): Promise<KeyRow> {
  return readKey(ctx, BY_ID, keyId);
}

/** The same, locked. */
export const lockKey = (tx: Transaction, keyId: string): Promise<KeyRow> => readKey(tx, LOCK, keyId);

async function readKey(ctx: Context, by: typeof BY_ID, keyId: string): Promise<KeyRow> {
  const [row] = isId(keyId) ? await ctx.sql<KeyRow>(by, [organizationOf(ctx), keyId, ctx.now()]) : [];
  if (!row) throw notFound(KEY);
  return row;
}

/** @throws DomainError 400 `kms_key.pending_deletion` */
export function requirePresent({ name, deletionAt }: KeyRow): void {
  if (deletionAt !== null)
    throw badRequest('kms_key.pending_deletion', `The key ${name} is deleted; cancel its deletion first`, {
      state: 'pending-deletion',
    });
}

/** Checks that a key is neither deleted nor disabled. @throws DomainError 400 `kms_key.pending_deletion`, `kms_key.disabled` */
export function requireUsable(row: KeyRow): void {
  requirePresent(row);
  if (row.isDisabled)
    throw badRequest('kms_key.disabled', `The key ${row.name} is disabled; enable it first`, { state: 'disabled' });
}

const INSERT = statement(
  'kms_keys.insert',
  `insert into kms_keys as k (id, organization_id, project_id, name, description, usage, algorithm, version, is_disabled,
     is_exportable, is_imported, has_delete_protection, rotation_days, rotates_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, 1, false, $8, $9, $10, $11, $12, $13, $13) returning ${KEY_COLUMNS}`,
);

export interface NewKeyRow {
  readonly projectId: string;
  readonly name: string;
  readonly description: string | null;
  readonly usage: KeyUsage;
  readonly algorithm: KmsAlgorithmName;
  readonly isExportable: boolean;
  readonly isImported: boolean;
  readonly hasDeleteProtection: boolean;
  readonly rotationDays: number | null;
}

/** Stores a key with its first version. @throws DomainError 400 `kms_keys_name_unique` */
export async function insertKey(tx: Transaction, given: NewKeyRow, first: KeyMaterial): Promise<KeyRow> {
  const { projectId, name, description, usage, algorithm } = given;
  const { isExportable, isImported, hasDeleteProtection, rotationDays } = given;
  const [row] = await tx.sql<KeyRow>(INSERT, [
    ...[newId(), organizationOf(tx), projectId, name, description, usage, algorithm],
    ...[isExportable, isImported, hasDeleteProtection, rotationDays, dayAfter(tx.now(), rotationDays), tx.now()],
  ]);
  await insertVersion(tx, row!, 1, first);
  return row!;
}

/** The same time so many days later; `null` for none. */
export const dayAfter = (from: Date, days: number | null): Date | null =>
  days === null ? null : new Date(from.getTime() + days * DAY);

const INSERT_VERSION = statement(
  'kms_key_versions.insert',
  `insert into kms_key_versions (id, organization_id, project_id, kms_key_id, version, material, public_key, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/**
 * Does some work with the material of a new version, which is overwritten afterwards. Not before: a transaction that is
 * repeated after a deadlock seals it again.
 */
export async function withMaterial<T>({ secret }: KeyMaterial, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    secret.fill(0);
  }
}

/** Stores a version of a key, sealed for the key, this version and the project. */
export async function insertVersion(
  tx: Transaction,
  { id, organizationId, projectId }: KeyRow,
  version: number,
  { secret, publicKey }: KeyMaterial,
): Promise<void> {
  const sealed = await material.seal(tx, { id, organizationId, projectId, version }, secret);
  await tx.sql(INSERT_VERSION, [newId(), organizationId, projectId, id, version, sealed, publicKey, tx.now()]);
}

export interface VersionRow {
  readonly id: string;
  readonly version: number;
  readonly material: Buffer;
  readonly publicKey: Buffer | null;
}

const VERSION = statement(
  'kms_key_versions.one',
  `select id, version, material, public_key as "publicKey" from kms_key_versions
   where organization_id = $1 and kms_key_id = $2 and version = $3`,
);

/** One version of a key. */
export async function findVersion(
  ctx: Context,
  { organizationId, id }: Pick<KeyRow, 'organizationId' | 'id'>,
  version: number,
): Promise<VersionRow | undefined> {
  const [row] = await ctx.sql<VersionRow>(VERSION, [organizationId, id, version]);
  return row;
}
