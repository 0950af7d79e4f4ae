import type { Pool } from 'pg';
import { DomainError, PATIENTLY } from '../../kernel/index.ts';
import { rootKeySet, wrappedPlace } from '../keyring.ts';
import type { RootKey } from '../root-key.ts';
import { openBytes, sealBytes } from '../seal.ts';
import { AUDIT_KEY } from '../audit-key.ts';

/**
 * Wraps everything that the old root key wraps with the new one, in one transaction with the new fingerprint: there is
 * no state in which both keys are needed. Running servers continue with the unwrapped keys; restart them with the new
 * root key; until then they cannot create organizations. Idempotent.
 *
 * @throws DomainError 503 `root_key.wrong` if the database uses neither key.
 */
export async function rotateRootKey(
  pool: Pool,
  oldRoot: RootKey,
  newRoot: RootKey,
): Promise<{ keys: number; fingerprint: string }> {
  const [before, after] = [rootKeySet(oldRoot), rootKeySet(newRoot)];
  const rewrap = (wrapped: Buffer, place: Parameters<typeof openBytes>[2]) =>
    sealBytes(after.newest, openBytes(before, wrapped, place), place);
  const client = await pool.connect();
  try {
    await client.query(`begin; ${PATIENTLY}`);
    const { rows } = await client.query<{ fingerprint: string; sealed: Buffer }>(
      'select root_key_fingerprint as fingerprint, audit_private_key as sealed from instance for update',
    );
    const instance = rows[0];
    if (instance?.fingerprint === newRoot.fingerprint) {
      await client.query('rollback');
      return { keys: 0, fingerprint: newRoot.fingerprint };
    }
    if (instance?.fingerprint !== oldRoot.fingerprint) {
      throw new DomainError(
        'unavailable',
        'root_key.wrong',
        `The fingerprint of this database's root key is ${instance?.fingerprint}; that of the given old key is ${oldRoot.fingerprint}`,
      );
    }
    const { rows: keys } = await client.query<{
      id: string;
      organizationId: string;
      version: number;
      wrapped: Buffer;
    }>(`select id, organization_id as "organizationId", version, wrapped
     from data_keys where project_id is null for update`);
    await client.query(
      'update data_keys k set wrapped = g.wrapped from unnest($1::uuid[], $2::bytea[]) as g (id, wrapped) where k.id = g.id',
      [keys.map(({ id }) => id), keys.map((key) => rewrap(key.wrapped, wrappedPlace(key.organizationId, key.version)))],
    );
    await client.query('update instance set root_key_fingerprint = $1, audit_private_key = $2, updated_at = now()', [
      newRoot.fingerprint,
      rewrap(instance.sealed, AUDIT_KEY),
    ]);
    await client.query('commit');
    return { keys: keys.length, fingerprint: newRoot.fingerprint };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
