import {
  KmsDataKey,
  KmsDecryptBatch,
  kmsDecryptBatch,
  KmsDecryptedBatch,
  KmsEncryptBatch,
  kmsEncryptBatch,
  KmsEncryptedBatch,
  kmsGenerateDataKey,
  KmsMadeDataKey,
  KmsRandom,
  kmsRandom,
  KmsRandomBytes,
  KmsReEncrypted,
  kmsReEncrypt,
  KmsSignBatch,
  kmsSignBatch,
  KmsSignedBatch,
  KmsVerifiedBatch,
  KmsVerifyBatch,
  kmsVerifyBatch,
  kmsDecrypt,
  KmsDecrypt,
  KmsDecrypted,
  kmsEncrypt,
  KmsEncrypt,
  KmsEncrypted,
  kmsGenerateMac,
  KmsGenerateMac,
  KmsMac,
  KmsMacVerified,
  kmsPermissions,
  kmsSign,
  KmsSign,
  KmsSigned,
  KmsVerified,
  kmsVerify,
  KmsVerify,
  kmsVerifyMac,
  KmsVerifyMac,
} from '@coffer/domain';
import { procedure, rest, router } from '../kernel/index.ts';

const { encrypt, decrypt, sign, verify, 'generate-mac': generateMac, 'verify-mac': verifyMac } = kmsPermissions;

const BATCH = { description: 'One result for each item, in their order: an answer or an `error`.' };

export const kmsUseRouter = router({
  encrypt: procedure
    .meta(rest('POST', '/api/v1/kms/keys/{keyId}/encrypt', encrypt, 'Encrypt data with a key'))
    .input(KmsEncrypt)
    .output(KmsEncrypted)
    .mutation(({ ctx, input }) => kmsEncrypt(ctx, input)),
  decrypt: procedure
    .meta(rest('POST', '/api/v1/kms/keys/{keyId}/decrypt', decrypt, 'Decrypt data with a key'))
    .input(KmsDecrypt)
    .output(KmsDecrypted)
    .mutation(({ ctx, input }) => kmsDecrypt(ctx, input)),
  sign: procedure
    .meta(rest('POST', '/api/v1/kms/keys/{keyId}/sign', sign, 'Sign data with a key'))
    .input(KmsSign)
    .output(KmsSigned)
    .mutation(({ ctx, input }) => kmsSign(ctx, input)),
  verify: procedure
    .meta(
      rest('POST', '/api/v1/kms/keys/{keyId}/verify', verify, 'Verify a signature by a key', {
        description: 'A signature of other data or of another key is `signatureValid: false`.',
      }),
    )
    .input(KmsVerify)
    .output(KmsVerified)
    .mutation(({ ctx, input }) => kmsVerify(ctx, input)),
  generateMac: procedure
    .meta(rest('POST', '/api/v1/kms/keys/{keyId}/generate-mac', generateMac, 'Generate a MAC with a key'))
    .input(KmsGenerateMac)
    .output(KmsMac)
    .mutation(({ ctx, input }) => kmsGenerateMac(ctx, input)),
  verifyMac: procedure
    .meta(rest('POST', '/api/v1/kms/keys/{keyId}/verify-mac', verifyMac, 'Verify a MAC by a key'))
    .input(KmsVerifyMac)
    .output(KmsMacVerified)
    .mutation(({ ctx, input }) => kmsVerifyMac(ctx, input)),
  reEncrypt: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/kms/keys/{keyId}/re-encrypt',
        encrypt,
        'Encrypt a ciphertext with the newest version of its key',
        {
          description: 'The plaintext is not answered; the associated data stay.',
        },
      ),
    )
    .input(KmsDecrypt)
    .output(KmsReEncrypted)
    .mutation(({ ctx, input }) => kmsReEncrypt(ctx, input)),
  generateDataKey: procedure
    .meta(rest('POST', '/api/v1/kms/keys/{keyId}/data-key', encrypt, 'Generate a data key'))
    .input(KmsDataKey)
    .output(KmsMadeDataKey)
    .mutation(({ ctx, input }) => kmsGenerateDataKey(ctx, input)),
  random: procedure
    .meta(rest('POST', '/api/v1/kms/random', 'member', 'Generate random bytes'))
    .input(KmsRandom)
    .output(KmsRandomBytes)
    .mutation(({ input }) => kmsRandom(input)),
  encryptBatch: procedure
    .meta(rest('POST', '/api/v1/kms/keys/{keyId}/encrypt/batch', encrypt, 'Encrypt several data with a key', BATCH))
    .input(KmsEncryptBatch)
    .output(KmsEncryptedBatch)
    .mutation(({ ctx, input }) => kmsEncryptBatch(ctx, input)),
  decryptBatch: procedure
    .meta(rest('POST', '/api/v1/kms/keys/{keyId}/decrypt/batch', decrypt, 'Decrypt several data with a key', BATCH))
    .input(KmsDecryptBatch)
    .output(KmsDecryptedBatch)
    .mutation(({ ctx, input }) => kmsDecryptBatch(ctx, input)),
  signBatch: procedure
    .meta(rest('POST', '/api/v1/kms/keys/{keyId}/sign/batch', sign, 'Sign several data with a key', BATCH))
    .input(KmsSignBatch)
    .output(KmsSignedBatch)
    .mutation(({ ctx, input }) => kmsSignBatch(ctx, input)),
  verifyBatch: procedure
    .meta(rest('POST', '/api/v1/kms/keys/{keyId}/verify/batch', verify, 'Verify several signatures by a key', BATCH))
    .input(KmsVerifyBatch)
    .output(KmsVerifiedBatch)
    .mutation(({ ctx, input }) => kmsVerifyBatch(ctx, input)),
});
