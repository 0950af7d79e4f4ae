import { createPublicKey, type KeyObject } from 'node:crypto';
import { authorizeById, organizationOf, passByRows, unlessHidden } from '../../access/index.ts';
import {
  at,
  conflict,
  isId,
  loadSigner,
  notFound,
  placeTags,
  statement,
  type Context,
  type MaybePromise,
  type OnceLoaded,
  type Permission,
} from '../../kernel/index.ts';
import { algorithmOf, type KeyAlgorithm } from '../algorithm/index.ts';
import { fieldsOf } from './find.ts';
import { findVersion, KEY, KEY_COLUMNS, material, requireUsable, type KeyRow } from './stored.ts';
import { tagOf } from './tags.ts';

/** A key at work: its row, at most a second old, and its algorithm. */
export interface KeyInUse {
  readonly row: KeyRow;
  readonly algorithm: KeyAlgorithm;
}

/** One version of a key, opened once. */
export interface OpenVersion {
  readonly id: string;
  readonly version: number;
  readonly key: KeyObject;
  /** Of signing keys: with it signatures are verified. */
  readonly publicKey: KeyObject | null;
}

const OF_ID = statement('kms_keys.of_id', `select ${KEY_COLUMNS} from kms_keys k where k.id = $1`);

/**
 * A key for one use by a caller that has the permission. It comes from the cache, as do its versions. The use may wait for
 * these: nothing of it is answered unless the key may still be used then, under its name and with the same newest version.
 *
 * @throws DomainError 404 for an unknown or foreign one, 403; 400 `kms_key.disabled`, `kms_key.pending_deletion`, with the
 * state in `details`.
 */
export async function keyForUse(ctx: Context, keyId: string, permission: Permission): Promise<KeyInUse> {
  const row = await usableRow(ctx, keyId, permission);
  passByRows(ctx, async (again) => requireVersionOf(row, await usableRow(again, keyId, permission)));
  return { row, algorithm: algorithmOf(row.algorithm) };
}

async function usableRow(ctx: Context, keyId: string, permission: Permission): Promise<KeyRow> {
  const row = isId(keyId) ? await loadSigner(ctx, `kms:${keyId}`, () => readRow(ctx, keyId)) : undefined;
  const now = ctx.now();
  const isGone = row?.deletionAt != null && at(row.deletionAt) <= now;
  if (!row || isGone || row.organizationId !== organizationOf(ctx)) throw notFound(KEY);
  await unlessHidden(KEY, authorizeById(ctx, permission, fieldsOf(row)));
  requireUsable(row);
  return row;
}

function requireVersionOf({ version }: KeyRow, present: KeyRow): void {
  if (present.version !== version) throw conflict('kms_key.rotated', 'The key was rotated in the meantime; try again');
}

async function readRow(ctx: Context, keyId: string) {
  const [row] = await ctx.sql<KeyRow>(OF_ID, [keyId]);
  return row && { value: row, tags: tagsOf(row) };
}

/** A version of a key, by default the newest; `undefined` for one that it never had. */
export const openVersion = ({ row }: KeyInUse, ctx: Context, version = row.version): OnceLoaded<OpenVersion> =>
  loadSigner(ctx, `kms:${row.id}:${version}`, () => readVersion(ctx, row, version));

/** The newest version of a key. */
export function newestVersion(key: KeyInUse, ctx: Context): MaybePromise<OpenVersion> {
  const version = openVersion(key, ctx);
  return version instanceof Promise ? version.then(requireVersion) : requireVersion(version);
}

function requireVersion(version: OpenVersion | undefined): OpenVersion {
  if (!version) throw notFound(KEY);
  return version;
}

async function readVersion(ctx: Context, row: KeyRow, version: number) {
  const found = await findVersion(ctx, row, version);
  if (!found) return undefined;
  const { id, organizationId, projectId } = row;
  const secret = await material.openBytes(ctx, { id, organizationId, projectId, version }, found.material);
  const key = algorithmOf(row.algorithm).open(secret);
  secret.fill(0);
  const publicKey = found.publicKey && createPublicKey({ key: found.publicKey, type: 'spki', format: 'der' });
  const value: OpenVersion = { id: found.id, version, key, publicKey };
  return { value, tags: tagsOf(row) };
}

const tagsOf = (row: KeyRow): string[] => [tagOf(row.id), ...placeTags(row)];
