import { PRIVATE_KEY_KINDS } from '../../crypto/index.ts';
import {
  badRequest,
  DomainError,
  inTransaction,
  record,
  WorkBudget,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { algorithmOf, type KeyMaterial, type KmsAlgorithmName } from '../algorithm/index.ts';
import { addKey, authorizeNew, requireKind } from './change.ts';
import { unwrapperOf, type Unwrap } from './import-key.ts';
import { keyImported, kmsPermissions } from './key.ts';
import { toKey, withMaterial, type KeyRow } from './stored.ts';
import type { ImportedKmsKeys, ImportKmsKeys, KmsKeyToImport } from './transfer.ts';

/** What reading a private key costs, as of `WorkBudget`. */
const COST = 1_000;

const NEEDED = [kmsPermissions.create, kmsPermissions.import];

/**
 * Imports keys, each whole or not at all: what is wrong with one is in `errors`, and does not hinder the others.
 *
 * @throws DomainError 404, 403 if the caller may not import or create one of them.
 */
export async function importKmsKeys(ctx: Context, { projectId, keys }: ImportKmsKeys): Promise<ImportedKmsKeys> {
  for (const { name } of keys) await authorizeNew(ctx, NEEDED, { projectId, name });
  const unwrap = keys.some(({ wrapping }) => wrapping) ? await unwrapperOf(ctx, projectId) : undefined;
  const pace = new WorkBudget();
  const imported: ImportedKmsKeys = { keys: [], errors: [] };
  for (const key of keys) {
    try {
      imported.keys.push(toKey(await importOne(ctx, projectId, key, unwrap)));
    } catch (error) {
      if (!(error instanceof DomainError) || (error.kind !== 'bad_request' && error.kind !== 'conflict')) throw error;
      imported.errors.push({ name: key.name, code: error.code, message: error.message });
    }
    await pace.spendAndRest(COST);
  }
  return imported;
}

async function importOne(
  ctx: Context,
  projectId: string,
  given: KmsKeyToImport,
  unwrap: Unwrap | undefined,
): Promise<KeyRow> {
  const kind = requireKind(given);
  const sent = Buffer.from(given.keyMaterial, 'base64');
  const material = readMaterial(kind.algorithm, given.wrapping && unwrap ? unwrap(given.wrapping, sent) : sent);
  const { name, description = null, isExportable, hasDeleteProtection, wrapping } = given;
  const work = async (tx: Transaction): Promise<KeyRow> => {
    const key = { ...kind, projectId, name, description, isExportable, hasDeleteProtection };
    const row = await addKey(tx, { ...key, isImported: true, rotationDays: null }, material, NEEDED);
    const data = { keyId: row.id, keyName: name, keyVersion: 1, algorithm: row.algorithm };
    record(tx, keyImported, { ...data, isWrapped: wrapping !== undefined }, { projectId });
    return row;
  };
  return withMaterial(material, () => inTransaction(ctx, work));
}

/** @throws DomainError 400 `kms_key.material` */
function readMaterial(algorithm: KmsAlgorithmName, given: Buffer): KeyMaterial {
  const material = algorithmOf(algorithm).read(given);
  given.fill(0);
  if (material) return material;
  const forms = `the bytes of a symmetric key, or PKCS #8 (${PRIVATE_KEY_KINDS}, ML-DSA)`;
  throw badRequest('kms_key.material', `keyMaterial is no key of ${algorithm}; expected are ${forms}`);
}
