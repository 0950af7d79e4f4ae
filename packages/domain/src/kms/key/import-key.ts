import { constants, createDecipheriv, createPrivateKey, generateKeyPair, privateDecrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { organizationOf, authorizeAnywhere } from '../../access/index.ts';
import { columnSeal, generateInTurn } from '../../crypto/index.ts';
import { at, badRequest, DAY, inTransaction, newId, statement, type Context } from '../../kernel/index.ts';
import { kmsPermissions } from './key.ts';
import { readSpki } from './public-key.ts';
import type { CreateKmsImportKey, KmsImportKey, KmsWrapping } from './transfer.ts';

const sealed = columnSeal('kms_import_keys.private_key');

interface ImportKeyRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly privateKey: Buffer;
  readonly publicKey: Buffer;
  readonly expiresAt: string;
}

const COLUMNS = `id, organization_id as "organizationId", project_id as "projectId", private_key as "privateKey",
  public_key as "publicKey", expires_at as "expiresAt"`;
const CURRENT = statement(
  'kms_import_keys.current',
  `select ${COLUMNS} from kms_import_keys
   where organization_id = $1 and project_id = $2 and actor_id = $3 and expires_at > $4`,
);
/** Of several at the same time the first one stays. */
const REPLACE = statement(
  'kms_import_keys.replace',
  `insert into kms_import_keys as k (id, organization_id, project_id, actor_id, private_key, public_key, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (project_id, actor_id) do update set id = excluded.id, private_key = excluded.private_key,
     public_key = excluded.public_key, expires_at = excluded.expires_at where k.expires_at <= $8`,
);
const PRUNE = statement(
  'kms_import_keys.prune',
  'delete from kms_import_keys where project_id = $1 and expires_at <= $2',
);

/** Milliseconds for which a new one can be used, and for which one that is shown can be used at least. */
const [LIFETIME, LEAST] = [30 * DAY, DAY];
const MODULUS_BITS = 3072;

const generate = promisify(generateKeyPair);

function callerOf({ actor }: Context): string {
  if (!('id' in actor)) throw new Error('Only callers with an ID import keys');
  return actor.id;
}

async function readCurrent(ctx: Context, projectId: string, until: Date): Promise<ImportKeyRow | undefined> {
  const [row] = await ctx.sql<ImportKeyRow>(CURRENT, [organizationOf(ctx), projectId, callerOf(ctx), until]);
  return row;
}

/**
 * The public key that wraps the material which only this caller imports to this project. It is generated at the first call, and
 * replaced when less than a day is left of it.
 *
 * @throws DomainError 404, 403
 */
export async function getKmsImportKey(ctx: Context, { projectId }: CreateKmsImportKey): Promise<KmsImportKey> {
  // Whoever may import some key needs it.
  await authorizeAnywhere(ctx, kmsPermissions.import, { projectId });
  const least = new Date(ctx.now().getTime() + LEAST);
  const row = (await readCurrent(ctx, projectId, least)) ?? (await replace(ctx, projectId, least));
  return {
    id: row.id,
    projectId,
    publicKey: row.publicKey.toString('base64'),
    publicKeyPem: readSpki(row.publicKey).export({ type: 'spki', format: 'pem' }) as string,
    expiresAt: at(row.expiresAt),
  };
}

async function replace(ctx: Context, projectId: string, least: Date): Promise<ImportKeyRow> {
  const organizationId = organizationOf(ctx);
  const { privateKey, publicKey } = await generateInTurn(ctx, 'RSA', () =>
    generate('rsa', { modulusLength: MODULUS_BITS }),
  );
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  return inTransaction(ctx, async (tx) => {
    const id = newId();
    const stored = await sealed.seal(tx, { id, organizationId, projectId }, secret);
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const expiresAt = new Date(tx.now().getTime() + LIFETIME);
    await tx.sql(PRUNE, [projectId, tx.now()]);
    await tx.sql(REPLACE, [id, organizationId, projectId, callerOf(tx), stored, spki, expiresAt, least]);
    return (await readCurrent(tx, projectId, least))!;
  });
}

/** Unwraps material that was wrapped with the import key of the caller. */
export type Unwrap = (wrapping: KmsWrapping, wrapped: Buffer) => Buffer;

/** @throws DomainError 400 `kms_key.no_import_key` */
export async function unwrapperOf(ctx: Context, projectId: string): Promise<Unwrap> {
  const row = await readCurrent(ctx, projectId, ctx.now());
  if (!row)
    throw badRequest(
      'kms_key.no_import_key',
      'Read your import key of the project first: you have none, or it has expired. What was wrapped with that of another caller does not open',
    );
  const { id, organizationId } = row;
  const secret = await sealed.openBytes(ctx, { id, organizationId, projectId }, row.privateKey);
  const key = createPrivateKey({ key: secret, type: 'pkcs8', format: 'der' });
  secret.fill(0);
  const oaep = (wrapped: Buffer) =>
    privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, wrapped);
  return (wrapping, wrapped) => {
    try {
      if (wrapping === 'RSA_OAEP_SHA_256') return oaep(wrapped);
      const [first, rest] = [wrapped.subarray(0, MODULUS_BITS / 8), wrapped.subarray(MODULUS_BITS / 8)];
      return unwrapPadded(oaep(first), rest);
    } catch {
      throw badRequest('kms_key.unwrap', `keyMaterial is not wrapped by your import key of the project (${wrapping})`);
    }
  };
}

/** The initial value of RFC 5649, section 3. */
const PADDED = Buffer.from('a65959a6', 'hex');

/** AES key wrap with padding, with a key of 256 bits. */
function unwrapPadded(key: Buffer, wrapped: Buffer): Buffer {
  if (wrapped.length === 0) throw new Error('There is nothing after the wrapped AES key');
  const decipher = createDecipheriv('id-aes256-wrap-pad', key, PADDED);
  return Buffer.concat([decipher.update(wrapped), decipher.final()]);
}
