import {
  cancelKmsKeyDeletion,
  CreateKmsImportKey,
  CreateKmsKey,
  createKmsKey,
  DeleteKmsKey,
  deleteKmsKey,
  ExportedKmsKey,
  ExportKmsKey,
  exportKmsKey,
  ExportKmsKeys,
  exportKmsKeys,
  getKmsImportKey,
  getKmsJwks,
  getKmsKey,
  getKmsKeyByName,
  getKmsPublicKey,
  Id,
  ImportedKmsKeys,
  ImportKmsKeys,
  importKmsKeys,
  KmsImportKey,
  type KmsJwks,
  KmsKey,
  KmsKeyByName,
  KmsKeyRef,
  KmsKeys,
  kmsPermissions,
  KmsPublicKey,
  KmsPublicKeyRef,
  KmsSigningAlgorithms,
  ListKmsKeys,
  listKmsKeys,
  listKmsSigningAlgorithms,
  rotateKmsKey,
  UpdateKmsKey,
  updateKmsKey,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, Raw, RawAnswer, rest, router } from '../kernel/index.ts';

const { read, create, edit, delete: remove, rotate, import: bring, 'export-private-key': take } = kmsPermissions;

const JWKS = 'application/jwk-set+json';
/** Seconds of caching; a new version of a key signs at once, and verifiers that do not know it ask again. */
const JWKS_AGE = 60;

const answerJwks = ({ body, etag }: KmsJwks): RawAnswer =>
  new RawAnswer(JWKS, body, { etag, 'cache-control': `public, max-age=${JWKS_AGE}` });

const Answer = z.object({ key: KmsKey });

export const kmsKeyRouter = router({
  list: procedure
    .meta(rest('GET', '/api/v1/kms/keys', read, 'List the keys of a project'))
    .input(ListKmsKeys)
    .output(KmsKeys)
    .query(({ ctx, input }) => listKmsKeys(ctx, input)),
  create: procedure
    .meta(rest('POST', '/api/v1/kms/keys', create, 'Create a key'))
    .input(CreateKmsKey)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ key: await createKmsKey(ctx, input) })),
  get: procedure
    .meta(
      rest('GET', '/api/v1/kms/keys/{keyId}', read, 'Read a key', {
        description: 'Also one whose deletion is pending: it has a `deletionDate`.',
      }),
    )
    .input(KmsKeyRef)
    .output(Answer)
    .query(async ({ ctx, input }) => ({ key: await getKmsKey(ctx, input) })),
  getByName: procedure
    .meta(rest('GET', '/api/v1/kms/keys/key-name/{keyName}', read, 'Read a key by its name'))
    .input(KmsKeyByName)
    .output(Answer)
    .query(async ({ ctx, input }) => ({ key: await getKmsKeyByName(ctx, input) })),
  update: procedure
    .meta(rest('PATCH', '/api/v1/kms/keys/{keyId}', edit, 'Update a key'))
    .input(UpdateKmsKey)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ key: await updateKmsKey(ctx, input) })),
  delete: procedure
    .meta(
      rest('DELETE', '/api/v1/kms/keys/{keyId}', remove, 'Delete a key', {
        description:
          'The key is not used any more and its name is free. Until its `deletionDate` that can be cancelled.',
      }),
    )
    .input(DeleteKmsKey)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ key: await deleteKmsKey(ctx, input) })),
  cancelDeletion: procedure
    .meta(
      rest('POST', '/api/v1/kms/keys/{keyId}/cancel-deletion', remove, 'Cancel the deletion of a key', {
        description:
          'The key has its name again, which takes the right to create one of that name, too; if it rotates by itself, also that to rotate it without an end.',
      }),
    )
    .input(KmsKeyRef)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ key: await cancelKmsKeyDeletion(ctx, input) })),
  rotate: procedure
    .meta(
      rest('POST', '/api/v1/kms/keys/{keyId}/rotate', rotate, 'Rotate a key', {
        description: 'The new version is used from now on; older ones still decrypt and verify.',
      }),
    )
    .input(KmsKeyRef)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ key: await rotateKmsKey(ctx, input) })),
  getPublicKey: procedure
    .meta(rest('GET', '/api/v1/kms/keys/{keyId}/public-key', read, 'Read the public key of a key'))
    .input(KmsPublicKeyRef)
    .output(KmsPublicKey)
    .query(({ ctx, input }) => getKmsPublicKey(ctx, input)),
  listSigningAlgorithms: procedure
    .meta(rest('GET', '/api/v1/kms/keys/{keyId}/signing-algorithms', read, 'List the algorithms that a key signs with'))
    .input(KmsKeyRef)
    .output(KmsSigningAlgorithms)
    .query(async ({ ctx, input }) => ({ signingAlgorithms: await listKmsSigningAlgorithms(ctx, input) })),
  getImportKey: procedure
    .meta(
      rest('POST', '/api/v1/kms/import-key', bring, 'Read the import key of a project', {
        description:
          'An RSA key by which callers wrap material before they import it. It is made when it is first read, and replaced before it expires.',
      }),
    )
    .input(CreateKmsImportKey)
    .output(z.object({ importKey: KmsImportKey }))
    .mutation(async ({ ctx, input }) => ({ importKey: await getKmsImportKey(ctx, input) })),
  import: procedure
    .meta(
      rest('POST', '/api/v1/kms/keys/bulk-import', bring, 'Import keys', {
        description: 'Each key is imported whole or not at all; `errors` has those that are not.',
      }),
    )
    .input(ImportKmsKeys)
    .output(ImportedKmsKeys)
    .mutation(({ ctx, input }) => importKmsKeys(ctx, input)),
  export: procedure
    .meta(
      rest('GET', '/api/v1/kms/keys/{keyId}/private-key', take, 'Export a key', {
        description: 'Only of keys that were created exportable.',
      }),
    )
    .input(ExportKmsKey)
    .output(ExportedKmsKey)
    .query(({ ctx, input }) => exportKmsKey(ctx, input)),
  exportMany: procedure
    .meta(
      rest('POST', '/api/v1/kms/keys/bulk-export-private-keys', take, 'Export keys', {
        description: 'All of them or none.',
      }),
    )
    .input(ExportKmsKeys)
    .output(z.object({ keys: z.array(ExportedKmsKey) }))
    .mutation(async ({ ctx, input }) => ({ keys: await exportKmsKeys(ctx, input) })),
  getJwks: procedure
    .meta(
      rest('GET', '/api/v1/projects/{projectId}/kms/jwks', 'public', 'Read the public keys of a project (JWKS)', {
        description:
          'The newest versions of all enabled keys that sign, for whoever verifies: at most ten of a key and 1,000 of a project.',
        answers: [JWKS],
      }),
    )
    .input(z.object({ projectId: Id }))
    .output(Raw)
    .query(async ({ ctx, input }) => answerJwks(await getKmsJwks(ctx, input))),
});
